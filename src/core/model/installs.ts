import type { ShellCommand, ShellWord } from '../text/shell/script';

export type PackageManager = 'apt' | 'apk' | 'dnf' | 'pip' | 'conda' | 'npm' | 'gem' | 'cargo' | 'go';

/** What an installing command is asked for. */
export interface InstallItem {
  readonly word: ShellWord;
  /**
   * `name`: a package of the manager's own registry. `local`: a file or folder. `direct`: a URL or repository. `unknown`:
   * the word depends on something that reading does not tell.
   */
  readonly kind: 'name' | 'local' | 'direct' | 'unknown';
  /** As the manager compares names, without extras; empty unless it is a name. */
  readonly name: string;
  /** The exact version; null without one. */
  readonly version: string | null;
  /** What follows the name, such as `>=2,<3`; empty without. */
  readonly constraint: string;
}

export interface Install {
  readonly manager: PackageManager;
  /** As people write it, such as `uv pip install`. */
  readonly tool: string;
  readonly command: ShellCommand;
  /** The words that name program and action, as `apt-get install`. */
  readonly start: number;
  readonly end: number;
  readonly items: readonly InstallItem[];
  /** Files after `-r`. */
  readonly requirements: readonly ShellWord[];
  /** Files after `-c`. */
  readonly constraints: readonly ShellWord[];
  /** The options, without those named above and without their values. */
  readonly options: readonly ShellWord[];
}

interface Tool {
  readonly manager: PackageManager;
  /** Words after the program that make it an install; the first of these lists that fits counts. */
  readonly actions: readonly (readonly string[])[];
  /** Options that take the next word. */
  readonly valued: string;
  readonly requirement?: string;
  readonly constraint?: string;
  /** Options whose value is a package. */
  readonly packages?: string;
  /** Does only the first plain word name a package, the others being arguments of its program? */
  readonly runs?: boolean;
}

const pipValued =
  '-i --index-url --extra-index-url -t --target --prefix --root -f --find-links --platform --python-version --implementation ' +
  '--abi --only-binary --no-binary --timeout --retries --proxy --cert --client-cert --trusted-host --cache-dir -p --python ' +
  '--src --log --progress-bar --report -C --config-settings --config-setting --global-option --build-option ' +
  '--upgrade-strategy --hash --exists-action --index-strategy --torch-backend --index --default-index --exclude-newer ' +
  '--prerelease --resolution --keyring-provider --link-mode --color --group --extra --directory --refresh-package --suffix ' +
  '--reinstall-package --upgrade-package -P --no-build-package --env-file --pip-args --python-platform --use-feature';

const pip = {
  manager: 'pip',
  valued: pipValued,
  requirement: '-r --requirement --requirements',
  constraint: '-c --constraint --constraints',
} as const;
const uvRuns = { ...pip, packages: '-w --with', runs: true } as const;

const tools: Readonly<Record<string, readonly Tool[]>> = {
  'apt-get': [{ manager: 'apt', actions: [['install']], valued: '-t --target-release -o --option -c --config-file' }],
  apt: [{ manager: 'apt', actions: [['install']], valued: '-t --target-release -o --option -c --config-file' }],
  apk: [
    {
      manager: 'apk',
      actions: [['add']],
      valued: '-t --virtual -X --repository -p --root --repositories-file --cache-dir',
    },
  ],
  dnf: [
    { manager: 'dnf', actions: [['install']], valued: '--releasever --repo --enablerepo --disablerepo -x --exclude' },
  ],
  yum: [{ manager: 'dnf', actions: [['install']], valued: '--releasever --enablerepo --disablerepo -x --exclude' }],
  microdnf: [{ manager: 'dnf', actions: [['install']], valued: '--enablerepo --disablerepo' }],
  pip: [{ ...pip, actions: [['install']] }],
  uv: [
    { ...pip, actions: [['pip', 'install'], ['tool', 'install'], ['add']], packages: '--with' },
    { ...uvRuns, actions: [['tool', 'run']] },
    { ...pip, actions: [['run']], packages: '-w --with', runs: true },
  ],
  uvx: [{ ...uvRuns, actions: [[]] }],
  pipx: [
    { ...pip, actions: [['install']] },
    { ...pip, actions: [['run']], runs: true },
  ],
  conda: [
    { manager: 'conda', actions: [['install'], ['create']], valued: '-n --name -p --prefix -c --channel --file -f' },
  ],
  npm: [
    { manager: 'npm', actions: [['install'], ['i'], ['add']], valued: '--prefix --registry --cache -C -w --workspace' },
  ],
  pnpm: [{ manager: 'npm', actions: [['add'], ['install'], ['i']], valued: '--dir -C --registry --filter' }],
  yarn: [{ manager: 'npm', actions: [['global', 'add'], ['add']], valued: '--cwd --registry' }],
  npx: [{ manager: 'npm', actions: [[]], valued: '-c --call -w --workspace', packages: '-p --package', runs: true }],
  gem: [{ manager: 'gem', actions: [['install']], valued: '-i --install-dir -n --bindir -s --source -P' }],
  cargo: [
    {
      manager: 'cargo',
      actions: [['install']],
      valued: '--git --branch --tag --rev --path --root --features -F --target --registry --index -j --profile',
    },
  ],
  go: [{ manager: 'go', actions: [['install']], valued: '-ldflags -tags -o -C -mod' }],
};

/** Programs that go by another's name. */
function toolName(program: string): string {
  if (/^pip\d*(?:\.\d+)?$/u.test(program)) return 'pip';
  return program === 'mamba' || program === 'micromamba' ? 'conda' : program;
}

/** What a command installs; null when it is no installing command. */
export function installOf(command: ShellCommand): Install | null {
  const { program, programWord } = command;
  if (program === null || programWord === null) return null;
  let args = command.args;
  let name = toolName(program);
  if (/^(?:python|pypy)[\d.]*$/u.test(program)) {
    const at = args.findIndex(({ value }) => value === '-m');
    const module = args[at + 1]?.value ?? '';
    if (at < 0 || !['pip', 'uv', 'pipx'].includes(module)) return null;
    name = module;
    args = args.slice(at + 2);
  }
  if (!Object.hasOwn(tools, name)) return null;
  for (const tool of tools[name] ?? []) {
    const valued = new Set(tool.valued.split(' '));
    const from = actionEnd(args, tool.actions, valued);
    if (from === null) continue;
    const action = args.slice(0, from).filter((word) => word.value?.startsWith('-') === false);
    const last = action.at(-1) ?? programWord;
    return {
      manager: tool.manager,
      tool: [name, ...action.map(({ value }) => value ?? '')].join(' '),
      command,
      start: programWord.start,
      end: last.end,
      ...argumentsOf(tool, args.slice(from), valued, name === 'uv' && action[0]?.value === 'run'),
    };
  }
  return null;
}

/** Index behind the action's words, with options between them; null when another action stands there. */
function actionEnd(
  args: readonly ShellWord[],
  actions: readonly (readonly string[])[],
  valued: ReadonlySet<string>,
): number | null {
  for (const action of actions) {
    let at = 0;
    let matched = 0;
    while (matched < action.length && at < args.length) {
      const value = args[at]?.value ?? null;
      if (value === action[matched]) matched++;
      else if (value?.startsWith('-') !== true) break;
      else if (valued.has(value)) at++;
      at++;
    }
    if (matched === action.length) return action.length === 0 ? 0 : at;
  }
  return null;
}

function argumentsOf(
  tool: Tool,
  args: readonly ShellWord[],
  valued: ReadonlySet<string>,
  runsProject: boolean,
): Pick<Install, 'items' | 'requirements' | 'constraints' | 'options'> {
  const items: InstallItem[] = [];
  const requirements: ShellWord[] = [];
  const constraints: ShellWord[] = [];
  const options: ShellWord[] = [];
  let version: string | null = null;
  for (let at = 0; at < args.length; at++) {
    const word = args[at];
    if (word === undefined) break;
    const text = word.value ?? word.prefix;
    if (!text.startsWith('-') || text === '-') {
      // What `uv run` runs is the project's own, or a program of a package given by `--with`.
      if (!(tool.runs === true && runsProject)) items.push(...itemsOf(tool, word));
      if (tool.runs === true) break;
      continue;
    }
    const equals = text.startsWith('--') ? text.indexOf('=') : -1;
    const option = equals < 0 ? text : text.slice(0, equals);
    const takes = (list: string | undefined): boolean => list?.split(' ').includes(option) === true;
    const next = args[at + 1];
    const given = equals < 0 ? next : word;
    if (takes(tool.requirement) || takes(tool.constraint)) {
      if (given !== undefined) (takes(tool.requirement) ? requirements : constraints).push(given);
      if (equals < 0) at++;
    } else if (takes(tool.packages)) {
      if (given !== undefined) items.push(...itemsOf(tool, given, equals + 1));
      if (equals < 0) at++;
    } else if (option === '--from' && tool.runs === true) {
      if (given !== undefined) items.push(...itemsOf(tool, given, equals + 1));
      return { items, requirements, constraints, options };
    } else if (option === '-e' || option === '--editable') {
      if (given !== undefined) items.push({ word: given, kind: 'local', name: '', version: null, constraint: '' });
      if (equals < 0) at++;
    } else if (tool.manager === 'gem' && (option === '-v' || option === '--version')) {
      version = given?.value ?? '';
      if (equals < 0) at++;
    } else if (tool.manager === 'cargo' && (option === '--version' || option === '--vers')) {
      version = given?.value ?? '';
      if (equals < 0) at++;
    } else {
      options.push(word);
      if (equals < 0 && valued.has(option)) at++;
    }
  }
  const pinned = version === null ? items : items.map((item) => ({ ...item, version: item.version ?? version }));
  return { items: pinned, requirements, constraints, options };
}

/** Several packages may stand in one word, as in `--with a,b`; `from` is where the package begins in it. */
function itemsOf(tool: Tool, word: ShellWord, from = 0): InstallItem[] {
  if (word.value === null) {
    const started = /^[\w.-]+(?:\[[\w,.-]*\])?(?:===?|@)/u.test(word.prefix.slice(from));
    return [{ word, kind: 'unknown', name: '', version: started ? '' : null, constraint: '' }];
  }
  const text = word.value.slice(from).trim();
  const parts = from > 0 || tool.packages !== undefined ? splitPackages(text) : [text];
  return parts
    .filter((part) => part !== '')
    .map((part) => ({ word, ...parsePackage(tool.manager, part, tool.runs === true) }));
}

/** At commas that begin another name: `a==1,b` but not `a>=1,<2`. */
function splitPackages(text: string): string[] {
  return text.includes('[') ? [text] : text.split(/,(?=\s*[A-Za-z])/u).map((part) => part.trim());
}

type Parsed = Omit<InstallItem, 'word'>;

const local: Parsed = { kind: 'local', name: '', version: null, constraint: '' };
const direct: Parsed = { kind: 'direct', name: '', version: null, constraint: '' };

export function parsePackage(manager: PackageManager, text: string, runs = false): Parsed {
  if (/^(?:\.{1,2}(?:$|[/[])|\/|~\/|file:)/u.test(text) || /\.(?:whl|deb|rpm|tar\.gz|tgz|zip|gem|apk)$/u.test(text))
    return text.includes('://') ? direct : local;
  if (/^(?:git\+|https?:|git:|ssh:|git@|github:)/u.test(text)) return direct;
  switch (manager) {
    case 'pip':
      return parsePip(text, runs);
    case 'conda':
      return parseBy(text, /^(?:[\w.-]+::)?([\w.-]+)(.*)$/su, /^={1,2}\s*(\d[\w.!+-]*)(?:=.*)?$/u);
    case 'npm':
      return parseBy(text, /^((?:@[\w.~-]+\/)?[\w.~-]+)(.*)$/su, /^@(\d+\.\d+\.\d+[\w.+-]*)$/u);
    case 'go':
      return parseBy(text, /^([^@\s]+)(.*)$/su, /^@(v\d[\w.+-]*|[0-9a-f]{7,40})$/u);
    case 'gem':
      return parseBy(text, /^([\w.-]+)(.*)$/su, /^:(\d[\w.]*)$/u);
    case 'cargo':
      return parseBy(text, /^([\w-]+)(.*)$/su, /^@=?(\d[\w.+-]*)$/u);
    case 'apt':
      return parseBy(text, /^([\w.+:-]+?)([=/].*)?$/su, /^=(\S+)$/u);
    case 'apk':
      return parseBy(text, /^([\w.+-]+)(.*)$/su, /^[=~]{1,2}(\S+)$/u);
    case 'dnf':
      return parseBy(text, /^(\S+)()$/su, /^$^/u);
  }
}

function parsePip(text: string, runs: boolean): Parsed {
  const match = /^([A-Za-z0-9](?:[\w.-]*[A-Za-z0-9])?)\s*(?:\[[^\]]*\])?\s*([^;]*)/u.exec(text);
  const [, name, rest = ''] = match ?? [];
  if (name === undefined) return { ...direct, kind: 'unknown' };
  const constraint = rest.trim();
  // `pytest@8.4.1` is how tools are run, `name @ https://…` a direct reference.
  if (constraint.startsWith('@')) {
    const given = constraint.slice(1).trim();
    if (!runs || given.includes('/')) return direct;
    return { kind: 'name', name: pipName(name), version: /^\d/u.test(given) ? given : null, constraint };
  }
  const version = /^\(?\s*={2,3}\s*([\w.!+-]+)\s*\)?$/u.exec(constraint)?.[1] ?? null;
  return { kind: 'name', name: pipName(name), version, constraint };
}

/** PEP 503. */
export function pipName(name: string): string {
  return name.toLowerCase().replace(/[-_.]+/gu, '-');
}

function parseBy(text: string, shape: RegExp, exact: RegExp): Parsed {
  const [, name, constraint = ''] = shape.exec(text) ?? [];
  if (name === undefined) return { ...direct, kind: 'unknown' };
  return { kind: 'name', name: name.toLowerCase(), version: exact.exec(constraint)?.[1] ?? null, constraint };
}
