import { baseName } from '../../model/container-path';
import { hasWord } from '../../model/path-words';
import type { StepView } from '../../model/step-views';
import type { Subject } from '../../model/subject';
import { claimAt, eachStep, relatedTo } from '../places';
import type { Claim, Rule } from '../rule';

export const consistencyPortMismatch: Rule = {
  id: 'consistency-port-mismatch',
  severity: 'warning',
  confidence: 'likely',
  inputs: ['instruction', 'py:tests', 'shell:test', 'docker', 'compose'],
  needsDisk: true,
  why: 'A service that listens where it was told to is not found by tests that look elsewhere.',
  docs: {
    finds:
      'The instruction names one port of this machine, and the tests contact another one, which nothing else mentions.',
    silent: 'Several services, ports that the image, a compose file or the tests themselves set up, and ranges.',
    bad: '# instruction: listen on port 8080\nrequests.get("http://localhost:8000/")',
    good: '# instruction: listen on port 8080\nrequests.get("http://localhost:8080/")',
  },
  *check(subject) {
    yield* eachStep(subject, (view) => mismatch(subject, view));
  },
};

const localHosts = new Set(['localhost', '127.0.0.1', '0.0.0.0', '::1', '[::1]']);

export function isLocal(host: string | null): boolean {
  return host !== null && localHosts.has(host);
}

function* mismatch(subject: Subject, view: StepView): Generator<Claim> {
  const instruction = view.own;
  const { step, expectations, space } = view;
  if (view.instructions.length !== 1 || instruction === null || step.instruction === null) return;
  const { ports, urls } = instruction.mentions;
  const asked = [
    ...ports.filter(({ host }) => host === null || isLocal(host)),
    ...urls.flatMap((url) => (isLocal(url.host) && url.port !== null ? [{ ...url, port: url.port }] : [])),
  ];
  const wanted = new Set(asked.map(({ port }) => port));
  const contacts = expectations.contacts.filter(({ host, port }) => isLocal(host) && port !== null);
  const contacted = new Set(contacts.map(({ port }) => port));
  const [first] = asked;
  const [contact] = contacts;
  if (wanted.size !== 1 || contacted.size !== 1 || first === undefined || contact === undefined) return;
  const number = String(contact.port);
  if (wanted.has(contact.port ?? 0) || hasWord(view.tests, String(first.port))) return;
  if (hasWord(view.instruction, number) || space.texts.some(({ text }) => hasWord(text, number))) return;
  // A server that the tests start themselves has a port of its own.
  if (view.reach.files.some(({ python }) => python?.commands.some(({ background }) => background) === true)) return;
  if (/\.bind\(|HTTPServer\(|listen\(|serve_forever|TCPServer\(/u.test(view.tests)) return;
  const others = [subject.layout?.composeFile, space.image?.file].flatMap((file) =>
    file === undefined || file === null ? [] : [subject.text(file) ?? ''],
  );
  if (others.some((text) => hasWord(text, number))) return;
  yield* claimAt(subject, contact, {
    message: `${baseName(contact.file)} contacts port ${number}, but the instruction asks for port ${first.port}.`,
    related: relatedTo(
      subject,
      { file: step.instruction, start: first.start, end: first.end },
      'The instruction names this port.',
    ),
  });
}
