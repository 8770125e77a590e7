import { ruleFromProblems } from './from-problems';

export const configDeprecatedKey = ruleFromProblems({
  id: 'config-deprecated-key',
  severity: 'information',
  confidence: 'certain',
  why: 'Old spellings are converted when the task is loaded, or ignored when the new key is there as well.',
  docs: {
    finds:
      'An old spelling: `allow_internet`, `memory`, `storage`, a root `version`, the transport `http`. It is a warning where the new key is there as well, so that the old one has no effect.',
    silent: 'The new spellings.',
    bad: 'allow_internet = false',
    good: 'network_mode = "no-network"',
  },
});
