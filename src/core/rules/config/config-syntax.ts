import { ruleFromProblems } from './from-problems';

export const configSyntax = ruleFromProblems({
  id: 'config-syntax',
  severity: 'error',
  confidence: 'certain',
  why: 'Harbor cannot read this file, and a task that cannot be read disappears from a dataset run without a message.',
  docs: {
    finds:
      "Anything that TOML 1.0 does not allow, also what newer versions of TOML do; a byte-order mark; a key that is there twice. The place is the parser's own.",
    silent: 'Nothing: an error here always means that Harbor cannot read the file.',
    bad: 'description = "C:\\temp"',
    good: "description = 'C:\\temp'",
  },
});
