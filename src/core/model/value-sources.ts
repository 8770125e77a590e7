import type { CommandUse } from '../text/python/commands';
import type { FileUse } from '../text/python/file-uses';
import type { Binding, NetworkUse, PythonFunction, PythonModule } from '../text/python/module';
import type { SyntaxNode } from '../text/syntax-tree';

/** What the value of an expression comes from, as far as one file tells. */
export interface Sources {
  /** Reads of files. */
  readonly reads: readonly FileUse[];
  readonly commands: readonly CommandUse[];
  readonly requests: readonly NetworkUse[];
  /** Constants that take part. */
  readonly constants: readonly SyntaxNode[];
  /** False when something takes part that was not followed: an argument, an import, a call of what is not here. */
  readonly known: boolean;
  /** True when nothing is computed: the value is what is read or written down, parsed and trimmed at most. */
  readonly plain: boolean;
}

/** The uses of a module by the calls that stand for them, for whoever asks for many expressions. */
export interface CallUses {
  readonly reads: ReadonlyMap<SyntaxNode, readonly FileUse[]>;
  /** Reads whose path is given by another call than the one that reads. */
  readonly passed: readonly FileUse[];
  readonly commands: ReadonlyMap<SyntaxNode, CommandUse>;
  readonly requests: ReadonlyMap<SyntaxNode, NetworkUse>;
}

export function callUses(module: PythonModule): CallUses {
  const reads = new Map<SyntaxNode, FileUse[]>();
  const passed: FileUse[] = [];
  for (const use of module.files) {
    if (use.action !== 'read') continue;
    const { node } = use.call;
    const known = reads.get(node);
    // A read in a helper belongs to the calls that pass the path, and not to each of them.
    if (!isWithin(use.pathNode, node)) passed.push(use);
    else if (known === undefined) reads.set(node, [use]);
    else known.push(use);
  }
  return {
    reads,
    passed,
    commands: new Map(module.commands.map((use) => [use.call.node, use])),
    requests: new Map(module.requests.map((use) => [use.call.node, use])),
  };
}

/** Nodes that are looked at for one expression. */
const maxNodes = 600;
const maxDepth = 24;

export function sourcesOf(module: PythonModule, expression: SyntaxNode, uses: CallUses = callUses(module)): Sources {
  const trace = new Trace(module, uses);
  trace.visit(expression, 0);
  return {
    reads: [...trace.reads],
    commands: [...trace.commands],
    requests: [...trace.requests],
    constants: trace.constants,
    known: trace.known,
    plain: trace.plain,
  };
}

/** Calls that give what they are given in another form. */
const converting = new Set(
  (
    'json.load json.loads yaml.safe_load yaml.load tomllib.load tomllib.loads tomli.load tomli.loads toml.load csv.reader ' +
    'csv.DictReader list tuple set frozenset sorted dict int float str bytes open io.open Path pathlib.Path repr ' +
    'pandas.read_csv pandas.read_json pandas.read_parquet pandas.read_excel numpy.load numpy.loadtxt pickle.load ' +
    'hashlib.sha256 hashlib.md5 hashlib.sha1 hashlib.sha512 Decimal decimal.Decimal os.path.join'
  ).split(' '),
);
const convertingMethods = new Set(
  (
    'read read_text read_bytes readlines readline strip rstrip lstrip split splitlines decode encode lower upper hexdigest ' +
    'digest open items keys values get tolist copy resolve absolute expanduser casefold'
  ).split(' '),
);

class Trace {
  readonly reads = new Set<FileUse>();
  readonly commands = new Set<CommandUse>();
  readonly requests = new Set<NetworkUse>();
  readonly constants: SyntaxNode[] = [];
  known = true;
  plain = true;
  private readonly seen = new Set<SyntaxNode | PythonFunction | Binding>();
  private readonly entered = new Set<PythonFunction>();
  private left = maxNodes;

  constructor(
    private readonly module: PythonModule,
    private readonly uses: CallUses,
  ) {}

  visit(node: SyntaxNode, depth: number): void {
    if (!node.named || node.type === 'comment' || this.seen.has(node)) return;
    this.seen.add(node);
    if (this.left-- <= 0 || depth > maxDepth) {
      this.known = this.plain = false;
      return;
    }
    if (this.module.fold(node) !== null) {
      this.constants.push(node);
      return;
    }
    const next = depth + 1;
    switch (node.type) {
      case 'identifier':
        this.name(node, next);
        return;
      case 'attribute':
        this.children(node, next, (child) => child.field === 'object');
        return;
      case 'subscript':
        this.children(node, next, (child) => child.field === 'value');
        if (!node.children.every((child) => child.field !== 'subscript' || this.module.fold(child) !== null)) {
          this.plain = false;
        }
        return;
      case 'call':
        this.call(node, next);
        return;
      case 'parenthesized_expression':
      case 'await':
      case 'keyword_argument':
      case 'argument_list':
        this.children(node, next, (child) => child.field !== 'name');
        return;
      default:
        this.plain = false;
        this.children(node, next, () => true);
    }
  }

  private children(node: SyntaxNode, depth: number, isWanted: (child: SyntaxNode) => boolean): void {
    for (const child of node.children) if (isWanted(child)) this.visit(child, depth);
  }

  private name(node: SyntaxNode, depth: number): void {
    const bindings = this.module.bindings(this.module.source(node), node);
    if (bindings.length === 0) this.known = false;
    for (const binding of bindings) this.binding(binding, depth);
  }

  private binding(binding: Binding, depth: number): void {
    if (this.seen.has(binding)) return;
    this.seen.add(binding);
    const { kind, value, name } = binding;
    switch (kind) {
      case 'assign':
      case 'with':
        if (value !== null) this.visit(value, depth);
        return;
      case 'augmented':
      case 'element':
      case 'loop':
        this.plain = false;
        if (value !== null) this.visit(value, depth);
        return;
      case 'parameter': {
        const fixture = this.module.fixtures.find((one) => one.name === name);
        const { function: around } = binding.block;
        if (fixture !== undefined) this.body(fixture.function, depth);
        // What a call gives was looked at with the call.
        else if (around === null || !this.entered.has(around)) this.known = this.plain = false;
        return;
      }
      case 'import':
      case 'function':
      case 'class':
      case 'other':
        this.known = this.plain = false;
    }
  }

  private call(node: SyntaxNode, depth: number): void {
    const call = this.module.callAt(node);
    if (call === null) {
      this.known = this.plain = false;
      return;
    }
    for (const use of this.uses.reads.get(node) ?? []) this.reads.add(use);
    for (const use of this.uses.passed) if (isWithin(use.pathNode, node)) this.reads.add(use);
    const command = this.uses.commands.get(node);
    if (command !== undefined) this.commands.add(command);
    const request = this.uses.requests.get(node);
    if (request !== undefined) this.requests.add(request);
    for (const argument of call.arguments) this.visit(argument, depth);
    for (const argument of call.keywords.values()) {
      if (this.module.fold(argument) === null) this.visit(argument, depth);
    }
    if (call.receiver !== null) {
      const isModule = call.receiver.type === 'identifier' && this.isImport(call.receiver);
      if (!isModule) this.visit(call.receiver, depth);
    }
    const own = call.receiver === null && call.callee !== null ? this.functionNamed(call.callee, node) : null;
    if (own !== null) this.body(own, depth);
    else if (call.callee !== null && converting.has(call.callee)) return;
    else if (call.receiver === null || !convertingMethods.has(call.name)) {
      this.plain = false;
      if (call.receiver === null && this.module.bindings(call.name, node).length > 0) this.known = false;
    }
  }

  private isImport(node: SyntaxNode): boolean {
    return this.module.bindings(this.module.source(node), node).some(({ kind }) => kind === 'import');
  }

  private functionNamed(name: string, from: SyntaxNode): PythonFunction | null {
    const isOwn = this.module.bindings(name, from).some(({ kind }) => kind === 'function');
    return isOwn ? (this.module.functions.find((one) => one.name === name && one.class === null) ?? null) : null;
  }

  /** What a function gives: its returns, or what a fixture yields. */
  private body(one: PythonFunction, depth: number): void {
    if (this.seen.has(one)) return;
    this.seen.add(one);
    this.entered.add(one);
    if (
      this.module.blocks.some(({ kind, function: around }) => around === one && (kind === 'for' || kind === 'while'))
    ) {
      this.plain = false;
    }
    if (one.yields) this.known = this.plain = false;
    for (const value of one.returns) this.visit(value, depth);
  }
}

function isWithin(inner: SyntaxNode, outer: SyntaxNode): boolean {
  return inner.start >= outer.start && inner.end <= outer.end;
}
