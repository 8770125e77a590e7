import { Reader } from 'protobufjs/minimal';

/** A step of a BuildKit build, as far as a status record tells of it. */
export interface TraceVertex {
  readonly digest: string;
  readonly inputs: readonly string[];
  readonly name: string;
  readonly cached: boolean;
  readonly started: boolean;
  readonly completed: boolean;
  readonly error: string;
}

/** Progress within a step, such as a layer that is fetched. */
export interface TraceStatus {
  readonly id: string;
  readonly vertex: string;
  readonly name: string;
  readonly current: number;
  readonly total: number;
}

export interface TraceLog {
  readonly vertex: string;
  /** 1 is standard output, 2 standard error. */
  readonly stream: number;
  readonly bytes: Uint8Array;
}

export interface Trace {
  readonly vertices: readonly TraceVertex[];
  readonly statuses: readonly TraceStatus[];
  readonly logs: readonly TraceLog[];
}

/**
 * Decodes one status record (protobuf `moby.buildkit.v1.StatusResponse`). Fields that nothing here needs are skipped,
 * as are unknown ones. Throws on bytes that are no such record.
 */
export function decodeTrace(bytes: Uint8Array): Trace {
  const vertices: TraceVertex[] = [];
  const statuses: TraceStatus[] = [];
  const logs: TraceLog[] = [];
  const reader = Reader.create(bytes);
  fields(reader, reader.len, (field) => {
    if (field === 1) vertices.push(vertex(reader, reader.uint32() + reader.pos));
    else if (field === 2) statuses.push(status(reader, reader.uint32() + reader.pos));
    else if (field === 3) logs.push(log(reader, reader.uint32() + reader.pos));
    else return false;
    return true;
  });
  return { vertices, statuses, logs };
}

/** Hands each field's number to `take`, which says whether it read the field's value. */
function fields(reader: Reader, end: number, take: (field: number) => boolean): void {
  if (end > reader.len) throw new RangeError('The record is cut off.');
  while (reader.pos < end) {
    const tag = reader.uint32();
    if (!take(tag >>> 3)) reader.skipType(tag & 7);
  }
}

function vertex(reader: Reader, end: number): TraceVertex {
  const found = { digest: '', name: '', cached: false, started: false, completed: false, error: '' };
  const inputs: string[] = [];
  fields(reader, end, (field) => {
    switch (field) {
      case 1:
        found.digest = reader.string();
        return true;
      case 2:
        inputs.push(reader.string());
        return true;
      case 3:
        found.name = reader.string();
        return true;
      case 4:
        found.cached = reader.bool();
        return true;
      case 5:
        found.started = true;
        return false;
      case 6:
        found.completed = true;
        return false;
      case 7:
        found.error = reader.string();
        return true;
      default:
        return false;
    }
  });
  return { ...found, inputs };
}

function status(reader: Reader, end: number): TraceStatus {
  const found = { id: '', vertex: '', name: '', current: 0, total: 0 };
  fields(reader, end, (field) => {
    switch (field) {
      case 1:
        found.id = reader.string();
        return true;
      case 2:
        found.vertex = reader.string();
        return true;
      case 3:
        found.name = reader.string();
        return true;
      case 4:
        found.current = Number(reader.int64());
        return true;
      case 5:
        found.total = Number(reader.int64());
        return true;
      default:
        return false;
    }
  });
  return found;
}

function log(reader: Reader, end: number): TraceLog {
  const found = { vertex: '', stream: 1, bytes: new Uint8Array() };
  fields(reader, end, (field) => {
    switch (field) {
      case 1:
        found.vertex = reader.string();
        return true;
      case 3:
        found.stream = Number(reader.int64());
        return true;
      case 4:
        // A copy: the reader's bytes are a view of the whole record.
        found.bytes = Uint8Array.from(reader.bytes());
        return true;
      default:
        return false;
    }
  });
  return found;
}
