/** Variables of a stage, as far as the file and the build's arguments tell them. */
export class Variables {
  private values: Map<string, string | null>;
  /** ENV wins over an ARG of the same name. */
  private readonly fromEnv: Set<string>;
  /** True while somebody holds `values`: the next change makes a copy. */
  private isShared = false;

  constructor(
    private readonly args: ReadonlyMap<string, string>,
    values: ReadonlyMap<string, string | null> = new Map(),
    fromEnv: ReadonlySet<string> = new Set(),
  ) {
    this.values = new Map(values);
    this.fromEnv = new Set(fromEnv);
  }

  get(name: string): string | null | undefined {
    return this.values.get(name);
  }

  /** The values as they stand; later changes do not show. */
  shared(): ReadonlyMap<string, string | null> {
    this.isShared = true;
    return this.values;
  }

  /** For a stage that builds on this one. */
  inherited(): Variables {
    return new Variables(this.args, this.values, this.fromEnv);
  }

  /** For a stage that builds on an image: ARG before FROM counts only where a stage declares it again. */
  fresh(): Variables {
    return new Variables(this.args);
  }

  setEnv(name: string, value: string | null): void {
    this.fromEnv.add(name);
    this.set(name, value);
  }

  /** `value` is undefined for an ARG without default. */
  setArg(name: string, value: string | null | undefined, globals: Variables | null): void {
    if (this.fromEnv.has(name)) return;
    this.set(name, this.args.get(name) ?? (value === undefined ? (globals?.get(name) ?? null) : value));
  }

  private set(name: string, value: string | null): void {
    if (this.isShared) this.values = new Map(this.values);
    this.isShared = false;
    this.values.set(name, value);
  }
}
