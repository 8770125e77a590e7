import type { Fix } from '../../finding';
import { baseImage } from '../../model/base-image';
import type { Subject } from '../../model/subject';
import type { ComposeService } from '../../text/compose';
import type { Rule } from '../rule';
import { servicesOf } from './files';

export const composeUnreadyService: Rule = {
  id: 'compose-unready-service',
  severity: 'information',
  confidence: 'likely',
  inputs: ['compose', 'toml', 'tree'],
  needsDisk: true,
  why: 'Harbor waits until every service runs, and is healthy where it has a health check; without one it may begin before the service answers.',
  docs: {
    finds: 'A service that `main` depends on and that has no health check.',
    silent:
      'Services with a health check, for which Harbor waits in any form of `depends_on`, those that end on their own (`service_completed_successfully`), and images that may bring a health check.',
    bad: 'depends_on: [ledger]   # ledger has no healthcheck',
    good: 'depends_on: { ledger: { condition: service_healthy } }   # and a healthcheck',
  },
  *check(subject) {
    for (const { used, compose, service } of servicesOf(subject)) {
      if (service.name !== 'main') continue;
      for (const { service: name, condition, range } of service.dependsOn) {
        const other = compose.services.get(name);
        if (other === undefined || condition === 'service_completed_successfully' || compose.incomplete) continue;
        const { healthcheck } = other;
        if (healthcheck !== null && !healthcheck.disabled) continue;
        // One that is built, or an image that is not known, may have a check of its own.
        if (healthcheck === null && !hasNoCheck(other)) continue;
        yield {
          file: used.file,
          range,
          message: `${name} has no health check, so the agent may begin before it answers.`,
          related: [{ file: used.file, range: other.nameRange, message: `${name} is defined here.` }],
          fixes: healthcheck === null ? checkFix(subject, used.file, other) : [],
        };
      }
    }
  },
};

function hasNoCheck({ build, image }: ComposeService): boolean {
  return build === null && image?.constant === true && (baseImage(image.text)?.official ?? null) !== null;
}

/** How services that tasks often use say that they answer. */
const checks: Readonly<Record<string, string>> = {
  postgres: '["CMD-SHELL", "pg_isready -U $${POSTGRES_USER:-postgres}"]',
  redis: '["CMD", "redis-cli", "ping"]',
  mysql: '["CMD-SHELL", "mysqladmin ping -h 127.0.0.1"]',
  mariadb: '["CMD", "healthcheck.sh", "--connect", "--innodb_initialized"]',
  mongo: '["CMD", "mongosh", "--quiet", "--eval", "db.runCommand(\'ping\').ok"]',
};

function checkFix(subject: Subject, file: string, { image, map }: ComposeService): readonly Fix[] {
  const official = image === null ? null : (baseImage(image.text)?.official ?? null);
  const test = official === null ? undefined : checks[official];
  const first = [...map.entries.values()].find(({ merged }) => !merged);
  const text = subject.text(file);
  const lines = subject.lines(file);
  if (test === undefined || first === undefined || text === null || lines === null) return [];
  const { line, character } = first.keyRange.start;
  const before = lines.line(line).slice(0, character);
  // Only in the form of one key a line can a key be put before another.
  if (before.trim() !== '') return [];
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const newText = ['healthcheck:', `  test: ${test}`, '  interval: 2s', '  retries: 30', ''].join(`${eol}${before}`);
  const range = { start: first.keyRange.start, end: first.keyRange.start };
  return [{ title: 'Add a health check', edits: [{ file, range, newText }] }];
}
