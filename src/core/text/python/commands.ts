import type { SyntaxNode } from '../syntax-tree';
import type { CallSite } from './call-sites';
import type { Environment, Folder } from './fold';
import { printed } from './fold';
import type { Block, Call } from './module';
import { bare, field } from './nodes';
import { filePath } from './paths';
import type { FilePath, Value } from './value';

/** A program that a Python file starts. One in a helper appears once for each call that decides what is run. */
export interface CommandUse {
  readonly call: Call;
  /** The call; in a helper, the one that passes the command. */
  readonly node: SyntaxNode;
  /** `run`, `Popen`, `check_output`, `system`, … */
  readonly how: string;
  /** The words of a list; a word is null when it is not constant. Null for text given to a shell. */
  readonly argv: readonly (string | null)[] | null;
  /** Text that a shell reads, also that of `["bash", "-c", text]`; null when there is none or it is not constant. */
  readonly shell: string | null;
  /** The list or text of the command. */
  readonly commandNode: SyntaxNode;
  /** True when a failure of the program raises. */
  readonly check: boolean;
  /** Seconds; null when none is given or it is not constant; `hasTimeout` tells these apart. */
  readonly timeout: number | null;
  readonly hasTimeout: boolean;
  readonly cwd: FilePath | null;
  /** Started and not waited for by the call itself: `Popen`, `create_subprocess_exec`, `pexpect.spawn`. */
  readonly background: boolean;
  readonly block: Block;
}

interface Starter {
  /** How the command is given: a list or text, always text for a shell, or the words as arguments. */
  readonly takes: 'either' | 'shell' | 'words';
  readonly background?: boolean;
  readonly check?: boolean;
}

const starters: Readonly<Record<string, Starter>> = {
  'subprocess.run': { takes: 'either' },
  'subprocess.call': { takes: 'either' },
  'subprocess.check_call': { takes: 'either', check: true },
  'subprocess.check_output': { takes: 'either', check: true },
  'subprocess.Popen': { takes: 'either', background: true },
  'subprocess.getoutput': { takes: 'shell' },
  'subprocess.getstatusoutput': { takes: 'shell' },
  'os.system': { takes: 'shell' },
  'os.popen': { takes: 'shell' },
  'asyncio.create_subprocess_exec': { takes: 'words', background: true },
  'asyncio.create_subprocess_shell': { takes: 'shell', background: true },
  'pexpect.spawn': { takes: 'shell', background: true },
  'pexpect.run': { takes: 'shell' },
  'pty.spawn': { takes: 'either' },
};

export function isCommand(call: Call): boolean {
  return call.callee !== null && Object.hasOwn(starters, call.callee);
}

export function commandUses(
  folder: Folder,
  calls: readonly Call[],
  sitesOf: (expression: SyntaxNode, block: Block) => readonly CallSite[],
): readonly CommandUse[] {
  return calls.flatMap((call): readonly CommandUse[] => {
    const starter = call.callee === null || !isCommand(call) ? undefined : starters[call.callee];
    const command = call.arguments[0] ?? call.keywords.get('args') ?? call.keywords.get('cmd');
    if (starter === undefined || command === undefined) return [];
    return sitesOf(command, call.block).map((site) => commandUse(folder, call, starter, command, site));
  });
}

function commandUse(folder: Folder, call: Call, starter: Starter, command: SyntaxNode, site: CallSite): CommandUse {
  const { environment } = site;
  const fold = (node: SyntaxNode | undefined): Value | null =>
    node === undefined ? null : folder.fold(node, environment, 0);
  const inShell = starter.takes === 'shell' || call.keywords.get('shell')?.type === 'true';
  let argv: readonly (string | null)[] | null = null;
  let shell: string | null = null;
  if (starter.takes === 'words') argv = call.arguments.map((node) => word(fold(node)));
  else {
    const value = fold(command);
    if (value?.kind === 'text') {
      if (inShell) shell = value.text;
      else argv = [value.text];
    } else {
      argv = words(folder, command, environment, 0);
      if (inShell) {
        shell = argv?.[0] ?? null;
        argv = null;
      }
    }
  }
  if (argv !== null && /(?:^|\/)(?:ba|da|z)?sh$/u.test(argv[0] ?? '')) {
    const at = argv.findIndex((option) => option !== null && /^-[a-z]*c[a-z]*$/u.test(option));
    if (at > 0) shell = argv[at + 1] ?? null;
  }
  const timeout = call.keywords.get('timeout');
  const seconds = fold(timeout);
  return {
    call,
    node: site.call?.node ?? call.node,
    how: call.name,
    argv,
    shell,
    commandNode: site.argument ?? command,
    check: starter.check === true || call.keywords.get('check')?.type === 'true',
    timeout: seconds?.kind === 'number' ? seconds.value : null,
    hasTimeout: timeout !== undefined,
    cwd: filePath(fold(call.keywords.get('cwd'))),
    background: starter.background === true || (shell !== null && /[^&]&\s*$/u.test(shell)),
    block: site.call?.block ?? call.block,
  };
}

function word(value: Value | null | undefined): string | null {
  if (value === null || value === undefined) return null;
  return value.kind === 'bytes' ? value.text : printed(value);
}

/** The words of a list as far as they are constant; null when not even the list is known. */
function words(
  folder: Folder,
  node: SyntaxNode,
  environment: Environment,
  depth: number,
): readonly (string | null)[] | null {
  const value = folder.fold(node, environment, 0);
  if (value?.kind === 'list' || value?.kind === 'tuple') return value.items.map(word);
  const inner = bare(node);
  if (inner.type === 'binary_operator' && depth < 10 && field(inner, 'operator')?.type === '+') {
    const left = field(inner, 'left');
    const right = field(inner, 'right');
    const before = left === null ? null : words(folder, left, environment, depth + 1);
    if (before === null || right === null) return null;
    return [...before, ...(words(folder, right, environment, depth + 1) ?? [null])];
  }
  if (inner.type !== 'list' && inner.type !== 'tuple') return null;
  return inner.children.flatMap((part) => {
    if (!part.named || part.type === 'comment') return [];
    return part.type === 'list_splat' ? [null] : [word(folder.fold(part, environment, 0))];
  });
}
