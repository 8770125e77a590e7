import type { ShellCommand } from '../../text/shell/script';

/** Programs that prepare; whether they succeed says nothing of the work that is judged. */
const preparing: ReadonlySet<string> = new Set(
  (
    'command which type hash mkdir cd cp mv rm chmod chown ln touch apt-get apt apk dnf yum pip pip3 pipx uv curl wget git tar unzip ' +
    'sleep kill pkill source . export local declare readonly ls echo printf read set shift unset wait trap useradd mktemp id whoami ' +
    'tee export pushd popd ulimit umask true false :'
  ).split(' '),
);

/** May the success of a command tell something of the work that is judged? */
export function decidesVerdict(command: ShellCommand): boolean {
  const { program, args } = command;
  if (program === null)
    return command.assignments.some(({ value }) => value !== null && value.substitutions.length > 0);
  if (preparing.has(program) || preparesPython(command)) return false;
  if (program === '[' || program === '[[' || program === 'test')
    return !asksSurroundings(args.map((word) => word.text));
  return true;
}

/** `python3 -m venv /tmp/v`, `python3 -m pip install …`. */
function preparesPython({ program, args }: ShellCommand): boolean {
  if (program === 'virtualenv') return true;
  if (!/^python[\d.]*$/u.test(program ?? '') || args[0]?.value !== '-m') return false;
  return ['venv', 'pip', 'ensurepip', 'virtualenv'].includes(args[1]?.value ?? '');
}

/** `[ "$PWD" = "/" ]`, `[ -z "$VIRTUAL_ENV" ]`, `[ "$(id -u)" -eq 0 ]`, `[ -x /usr/bin/python3 ]`. */
function asksSurroundings(words: readonly string[]): boolean {
  return words.some(
    (word) =>
      /\$\{?(?:PWD|HOME|PATH|UID|EUID|VIRTUAL_ENV|BASH_VERSION|0)\b/u.test(word) ||
      /\$\((?:pwd|id|whoami|command -v|which|uname)\b/u.test(word) ||
      word === '-x',
  );
}
