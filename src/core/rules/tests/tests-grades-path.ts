import type { PythonModule } from '../../text/python/module';
import type { Rule } from '../rule';
import { plainText } from './asserted';
import { shortened } from './constant-condition';
import { searches } from './tests-source-grep';
import { claimIn, instructionText, isAgentPath, soundModules } from './test-modules';

export const testsGradesPath: Rule = {
  id: 'tests-grades-path',
  severity: 'warning',
  confidence: 'likely',
  inputs: ['py:tests', 'instruction'],
  needsDisk: true,
  why: 'What counts is the state that the work leaves behind. A test of the commands that were typed rejects another right way, and is passed by typing them without effect.',
  docs: {
    finds:
      'A test that reads the history of a shell, the log of the agent or of a package manager, or that looks for the names of tools in a script. Information where the instruction asks for that file.',
    silent: 'Tests of what the script does, and of logs that the task itself is about.',
    bad: 'assert "git bisect" in Path("/root/.bash_history").read_text()',
    good: 'assert head("/srv/repo") == "4f1c…"',
  },
  *check(subject) {
    for (const test of soundModules(subject)) {
      const seen = new Set<unknown>();
      for (const { path, node, action, literal, pathNode } of test.module.files) {
        if (path === null || action === 'write' || action === 'delete' || action === 'make') continue;
        if (!isTrace(path.text) || seen.has(node)) continue;
        seen.add(node);
        const asked = instructionText(subject).includes(path.text);
        yield* claimIn(subject, test, literal ?? pathNode, {
          ...(asked && { severity: 'information' as const }),
          message: `${path.text} tells which commands were used, not what came of them.`,
          supersedes: ['tests-existence-only', 'tests-substring-only'],
        });
      }
      for (const search of searches(test.module)) {
        const script = scriptOf(test.module, search.text);
        const tool = search.words?.trim() ?? '';
        if (script === null || search.negative || !tools.has(tool.split(/\s/u)[0] ?? '')) continue;
        yield* claimIn(subject, test, search.node, {
          severity: 'information',
          message: `This asks whether ${script} uses \`${shortened(tool)}\`, not what it does.`,
          supersedes: ['tests-source-grep'],
        });
      }
    }
  },
};

function isTrace(path: string): boolean {
  return (
    /(?:^|\/)\.(?:bash|zsh|sh|ash|python|psql|mysql|sqlite|node_repl|lesshst)_?history$/u.test(path) ||
    /^\/logs\/agent(?:\/|$)/u.test(path) ||
    /^\/var\/log\/(?:apt\/history\.log|dpkg\.log)$/u.test(path)
  );
}

/** Names of programs that a script may use or do without. */
const tools = new Set(
  (
    'awk gawk sed grep egrep rg find xargs sort uniq cut tr jq yq curl wget git tar gzip zip unzip rsync scp ssh openssl ffmpeg ' +
    'convert make cmake docker kubectl psql mysql sqlite3 pandas numpy python python3 perl tee parallel'
  ).split(' '),
);

function scriptOf(module: PythonModule, text: Parameters<typeof plainText>[1]): string | null {
  const plain = plainText(module, text);
  if (plain === null || plain.output) return null;
  const [use] = module.files.filter((one) => one.node === plain.call.node && one.action === 'read');
  const path = use?.path ?? null;
  return path !== null && isAgentPath(path) && /\.(?:sh|bash)$/u.test(path.text) ? path.text : null;
}
