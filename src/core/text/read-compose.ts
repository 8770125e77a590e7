import type {
  ComposeBuild,
  ComposeCommand,
  ComposeDependency,
  ComposeFile,
  ComposeFlag,
  ComposeHealthcheck,
  ComposePort,
  ComposeResult,
  ComposeService,
  ComposeText,
  ComposeVariable,
  ComposeVolume,
} from './compose';
import { readYaml } from './yaml/read-yaml';
import type { YamlEntry, YamlMap, YamlValue } from './yaml/yaml-tree';

/** Reads a compose file. Never throws; an empty one is an empty mapping. */
export function readCompose(text: string): ComposeResult {
  const yaml = readYaml(text);
  if (!yaml.ok) return yaml;
  const nowhere = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };
  if (yaml.root !== null && yaml.root.kind !== 'map') {
    const { range } = yaml.root;
    return { ok: false, errors: [{ code: 'NOT_A_MAPPING', message: 'A compose file is a mapping.', range }] };
  }
  const root: YamlMap = yaml.root ?? { kind: 'map', entries: new Map(), range: nowhere };
  return { ok: true, compose: composeOf(root) };
}

function composeOf(root: YamlMap): ComposeFile {
  const services = root.entries.get('services');
  const found = new Map<string, ComposeService>();
  let incomplete = root.entries.has('include');
  if (services?.value.kind === 'map') {
    for (const entry of services.value.entries.values()) {
      if (entry.value.kind !== 'map') continue;
      if (entry.value.entries.has('extends')) incomplete = true;
      found.set(entry.key, serviceOf(entry, entry.value));
    }
  }
  return {
    root,
    topKeys: [...root.entries.values()].map(({ key, keyRange }) => ({ key, range: keyRange })),
    servicesKey: services?.keyRange ?? null,
    servicesIsMap: services === undefined || services.value.kind === 'map',
    services: found,
    volumes: keysAt(root, 'volumes'),
    networks: keysAt(root, 'networks'),
    incomplete,
  };
}

function keysAt(map: YamlMap, key: string): ReadonlySet<string> {
  const value = map.entries.get(key)?.value;
  return new Set(value?.kind === 'map' ? value.entries.keys() : []);
}

function serviceOf(entry: YamlEntry, map: YamlMap): ComposeService {
  const at = (key: string): YamlValue | undefined => map.entries.get(key)?.value;
  return {
    name: entry.key,
    nameRange: entry.keyRange,
    map,
    image: textOf(at('image')),
    build: buildOf(at('build')),
    platform: textOf(at('platform')),
    user: textOf(at('user')),
    volumes: itemsOf(at('volumes')).flatMap((item) => volumeOf(item) ?? []),
    ports: itemsOf(at('ports')).flatMap((item) => portOf(item) ?? []),
    expose: textsOf(at('expose')),
    dependsOn: dependenciesOf(at('depends_on')),
    healthcheck: healthcheckOf(at('healthcheck')),
    command: commandOf(at('command')),
    entrypoint: commandOf(at('entrypoint')),
    environment: variablesOf(at('environment')),
    envFiles: itemsOrOne(at('env_file')).flatMap(
      (item) => textOf(item.kind === 'map' ? under(item, 'path') : item) ?? [],
    ),
    networks: namesOf(at('networks')),
    privileged: flagOf(map.entries.get('privileged')),
    pid: textOf(at('pid')),
    ipc: textOf(at('ipc')),
    networkMode: textOf(at('network_mode')),
    capAdd: textsOf(at('cap_add')),
    devices: itemsOf(at('devices')).flatMap((item) => textOf(item.kind === 'map' ? under(item, 'source') : item) ?? []),
    securityOpt: textsOf(at('security_opt')),
  };
}

function under(value: YamlValue | undefined, key: string): YamlValue | undefined {
  return value?.kind === 'map' ? value.entries.get(key)?.value : undefined;
}

/** A scalar as Compose takes it for text; null for anything else and for nothing. */
function textOf(value: YamlValue | undefined): ComposeText | null {
  if (value?.kind !== 'scalar' || value.value === null) return null;
  const text = typeof value.value === 'string' ? value.value : value.source;
  return { text, range: value.range, constant: !/(?<!\$)(?:\$\$)*\$(?:[A-Za-z_]|\{)/u.test(text) };
}

function itemsOf(value: YamlValue | undefined): readonly YamlValue[] {
  return value?.kind === 'list' ? value.items : [];
}

function itemsOrOne(value: YamlValue | undefined): readonly YamlValue[] {
  return value === undefined ? [] : value.kind === 'list' ? value.items : [value];
}

function textsOf(value: YamlValue | undefined): readonly ComposeText[] {
  return itemsOf(value).flatMap((item) => textOf(item) ?? []);
}

/** Names of a list, or the keys of a mapping. */
function namesOf(value: YamlValue | undefined): readonly ComposeText[] {
  if (value?.kind !== 'map') return textsOf(value);
  return [...value.entries.values()].map(({ key, keyRange }) => ({ text: key, range: keyRange, constant: true }));
}

function buildOf(value: YamlValue | undefined): ComposeBuild | null {
  const short = textOf(value);
  if (short !== null)
    return { context: short, dockerfile: null, target: null, inline: null, contexts: [], range: short.range };
  if (value?.kind !== 'map') return null;
  const contexts = under(value, 'additional_contexts');
  return {
    context: textOf(under(value, 'context')) ?? { text: '.', range: value.range, constant: true },
    dockerfile: textOf(under(value, 'dockerfile')),
    target: textOf(under(value, 'target')),
    inline: textOf(under(value, 'dockerfile_inline')),
    contexts: pairsOf(contexts).flatMap(({ name, value: path }) => (path === null ? [] : [{ name, value: path }])),
    range: value.range,
  };
}

function volumeOf(item: YamlValue): ComposeVolume | null {
  const { range } = item;
  if (item.kind === 'map') {
    const type = textOf(under(item, 'type'))?.text ?? 'volume';
    const source = textOf(under(item, 'source') ?? under(item, 'src'));
    const known = type === 'bind' || type === 'tmpfs' ? type : type === 'volume' ? 'volume' : 'other';
    const readOnly = under(item, 'read_only') ?? under(item, 'readonly');
    return {
      type: known === 'volume' && source === null ? 'anonymous' : known,
      source,
      target: textOf(under(item, 'target') ?? under(item, 'destination') ?? under(item, 'dst')),
      readOnly: readOnly?.kind === 'scalar' && readOnly.value === true,
      range,
    };
  }
  const short = textOf(item);
  if (short === null) return null;
  const parts = splitVolume(short.text);
  if (parts.length > 3) return null;
  const part = (text: string): ComposeText => ({ ...short, text, constant: short.constant });
  const [first = '', second, mode = ''] = parts;
  if (second === undefined) return { type: 'anonymous', source: null, target: part(first), readOnly: false, range };
  const isPath = /^(?:[./~]|\$\{?PWD\b|[A-Za-z]:[\\/])/u.test(first);
  if (!isPath && !short.constant && first.startsWith('$'))
    return { type: 'other', source: part(first), target: part(second), readOnly: false, range };
  return {
    type: isPath ? 'bind' : 'volume',
    source: part(first),
    target: part(second),
    readOnly: mode.split(',').includes('ro'),
    range,
  };
}

/** Cuts `source:target:mode`; colons of `${X:-y}` and of a Windows drive do not count. */
function splitVolume(text: string): readonly string[] {
  const parts: string[] = [];
  let depth = 0;
  let part = '';
  for (let at = 0; at < text.length; at++) {
    const unit = text[at] ?? '';
    if (unit === '{') depth++;
    else if (unit === '}') depth = Math.max(0, depth - 1);
    const isDrive = /^[A-Za-z]$/u.test(part) && /[\\/]/u.test(text[at + 1] ?? '') && parts.length === 0;
    if (unit === ':' && depth === 0 && !isDrive) {
      parts.push(part);
      part = '';
    } else part += unit;
  }
  return [...parts, part];
}

function portOf(item: YamlValue): ComposePort | null {
  const { range } = item;
  const numberOf = (text: string | undefined): number | null =>
    text !== undefined && /^\d{1,5}$/u.test(text) ? Number(text) : null;
  if (item.kind === 'map')
    return {
      published: numberOf(textOf(under(item, 'published'))?.text),
      target: numberOf(textOf(under(item, 'target'))?.text),
      range,
    };
  const short = textOf(item);
  if (short === null) return null;
  const parts = short.text.replace(/\/(?:tcp|udp|sctp)$/u, '').split(':');
  return { published: parts.length > 1 ? numberOf(parts.at(-2)) : null, target: numberOf(parts.at(-1)), range };
}

function dependenciesOf(value: YamlValue | undefined): readonly ComposeDependency[] {
  if (value?.kind !== 'map')
    return textsOf(value).map(({ text, range }) => ({
      service: text,
      condition: 'service_started',
      long: false,
      range,
    }));
  return [...value.entries.values()].map((entry) => ({
    service: entry.key,
    condition: textOf(under(entry.value, 'condition'))?.text ?? 'service_started',
    long: true,
    range: entry.keyRange,
  }));
}

function healthcheckOf(value: YamlValue | undefined): ComposeHealthcheck | null {
  if (value?.kind !== 'map') return null;
  const disable = under(value, 'disable');
  const test = under(value, 'test');
  const none = test?.kind === 'list' ? textOf(test.items[0])?.text === 'NONE' : false;
  return {
    disabled: none || (disable?.kind === 'scalar' && disable.value === true),
    hasTest: test !== undefined && !none,
    range: value.range,
  };
}

function commandOf(value: YamlValue | undefined): ComposeCommand | null {
  if (value?.kind === 'list') return { words: textsOf(value), shell: null, range: value.range };
  const shell = textOf(value);
  return shell === null ? null : { words: null, shell, range: shell.range };
}

/** `KEY=value` items or a mapping. */
function variablesOf(value: YamlValue | undefined): readonly ComposeVariable[] {
  return pairsOf(value);
}

function pairsOf(value: YamlValue | undefined): readonly ComposeVariable[] {
  if (value?.kind === 'map')
    return [...value.entries.values()].map(({ key, keyRange, value: own }) => ({
      name: key,
      value: textOf(own),
      range: keyRange,
    }));
  return textsOf(value).map((item) => {
    const equals = item.text.indexOf('=');
    if (equals < 0) return { name: item.text, value: null, range: item.range };
    const text = item.text.slice(equals + 1);
    return { name: item.text.slice(0, equals), value: { ...item, text }, range: item.range };
  });
}

function flagOf(entry: YamlEntry | undefined): ComposeFlag | null {
  if (entry?.value.kind !== 'scalar' || typeof entry.value.value !== 'boolean') return null;
  return { value: entry.value.value, keyRange: entry.keyRange, range: entry.range };
}
