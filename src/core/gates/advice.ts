import type { NotProvenReason } from './verdict';

/** What a person does next about a gate that could not decide, as the last sentence of its message. */
export function nextStep(reason: NotProvenReason): string {
  switch (reason) {
    case 'no-reward':
      return 'Let tests/test.sh write /logs/verifier/reward.txt on every path, also when a test fails.';
    case 'bad-reward':
      return 'Let tests/test.sh write one plain number, such as 0 or 1, to /logs/verifier/reward.txt.';
    case 'build-failed':
      return 'Mend the image (environment/Dockerfile, or docker_image in task.toml) and run the gate again.';
    case 'start-failed':
      return 'Mend what keeps the container from starting and run the gate again.';
    case 'timeout':
      return 'Find out what took so long, or raise the limit in task.toml, and run the gate again.';
    case 'denied':
      return 'Let tests/test.sh end with a reward of 0 whatever an agent left behind.';
    case 'blocked':
      return 'Mend that first.';
    case 'unsupported':
      return 'This version cannot run it; run the task with Harbor meanwhile.';
    case 'not-loadable':
      return 'Mend task.toml or the missing file; `taskwright check` shows the place.';
    case 'engine-failed':
      return 'See that Docker runs (`taskwright doctor`) and run the gate again.';
    case 'cancelled':
      return 'Run the gate again to get a verdict.';
  }
}
