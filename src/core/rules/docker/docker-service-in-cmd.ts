import type { Image } from '../../model/image';
import type { Subject } from '../../model/subject';
import { claimAt } from '../places';
import type { Rule } from '../rule';
import { builds, instructionTexts } from './builds';
import { mainOverrides } from './main-service';
import type { Started } from './started';
import { startedBy } from './started';

/** Programs that serve others. */
const daemons = new Set(
  (
    'nginx apache2 httpd apache2ctl apachectl apache2-foreground httpd-foreground mysqld mysqld_safe mariadbd postgres ' +
    'redis-server mongod sshd gunicorn uvicorn hypercorn daphne supervisord rabbitmq-server memcached dockerd cron crond ' +
    'php-fpm caddy traefik haproxy squid named slapd vsftpd smbd dnsmasq consul vault etcd minio elasticsearch zookeeper ' +
    'varnishd lighttpd catalina.sh proftpd postfix dovecot mosquitto nats-server clickhouse-server influxd prometheus'
  ).split(' '),
);

export const dockerServiceInCmd: Rule = {
  id: 'docker-service-in-cmd',
  severity: 'warning',
  confidence: 'likely',
  inputs: ['docker', 'tree', 'toml', 'compose', 'instruction', 'shell:test', 'shell:solve', 'texts'],
  needsDisk: true,
  why: "Harbor replaces the container's command by a sleep, so what CMD starts never runs.",
  docs: {
    finds:
      'A CMD that starts a server, or a program that the instruction or the tests name, which nothing else starts.',
    silent:
      'Shells, sleeps and `tail -f`; services beside the agent, whose own command runs; a compose file that sets the command; programs that the entrypoint, a health check, a set-up script, the tests or the solution start.',
    bad: 'CMD ["nginx", "-g", "daemon off;"]',
    good: 'ENTRYPOINT ["/start.sh"]   # starts nginx, and ends with exec "$@"',
  },
  *check(subject) {
    for (const { image, role } of subject.derive(builds)) {
      const { cmd } = image;
      if (role !== 'agent' || cmd === null || !image.lineage.has(cmd.stage)) continue;
      if (mainOverrides(subject).command) continue;
      const started = startedBy(image, cmd);
      if (started === null) continue;
      const name = serviceName(started);
      const needed = name !== null || isNamed(subject, started);
      const shown = name ?? started.args.find((arg) => !arg.startsWith('-')) ?? started.program;
      if (!needed || isStartedElsewhere(subject, image, shown)) continue;
      // With an entrypoint, CMD are its arguments.
      if (image.entrypoint !== null && name === null) continue;
      yield* claimAt(
        subject,
        { file: image.file, start: cmd.start, end: cmd.end },
        {
          message: `${shown} never starts: Harbor runs a sleep in place of this CMD, and nothing else starts it.`,
        },
      );
    }
  },
};

/** A server by its name; null when it may be anything. */
function serviceName({ program, args }: Started): string | null {
  if (daemons.has(program)) return program;
  const [first, second] = args.filter((arg) => !arg.startsWith('-') || arg === '-m');
  if (program === 'service' && second === 'start') return first ?? null;
  if (program === 'flask' && args.includes('run')) return 'flask';
  if (/^python[\d.]*$/u.test(program) && first === '-m' && second !== undefined)
    return second === 'http.server' || daemons.has(second) ? second : null;
  if (/^python[\d.]*$/u.test(program) && first === 'manage.py' && args.includes('runserver'))
    return 'manage.py runserver';
  return null;
}

/** The program's own file is named in the instruction or the tests. */
function isNamed(subject: Subject, { program, args }: Started): boolean {
  if (!/^(?:python[\d.]*|node|ruby|java|php|perl|deno|bun)$/u.test(program)) return false;
  const file = args.find((arg) => !arg.startsWith('-'));
  const name = file === undefined ? '' : (/[^/]+$/u.exec(file)?.[0] ?? '');
  if (!/server|serve|daemon|service|api|worker|listen/iu.test(name)) return false;
  return mentions(instructionTexts(subject), name) || startTexts(subject).some((text) => mentions(text, name));
}

function isStartedElsewhere(subject: Subject, image: Image, name: string): boolean {
  const short = /[^/\s]+$/u.exec(name)?.[0] ?? name;
  if (startTexts(subject).some((text) => mentions(text, short))) return true;
  if (
    image.entrypoint !== null &&
    mentions(image.dockerfile.text.slice(image.entrypoint.start, image.entrypoint.end), short)
  )
    return true;
  for (const { path, origin } of image.files.values()) {
    if (!/entrypoint|start|setup|init|run|boot|health/iu.test(path)) continue;
    const text = origin.kind === 'text' ? origin.text : origin.kind === 'context' ? subject.text(origin.file) : null;
    if (text !== null && mentions(text, short)) return true;
  }
  // The agent may be asked to start it.
  return new RegExp(`\\b(?:start|launch|run|restart|bring up)\\b[^.\\n]{0,40}${escaped(short)}`, 'iu').test(
    instructionTexts(subject),
  );
}

/** Scripts that run besides the image: tests, solution, set-up, health check. */
function startTexts(subject: Subject): string[] {
  const texts = [...(subject.disk?.texts.values() ?? [])]
    .filter(({ path }) => /^(?:tests|solution|steps)\//u.test(path) && /\.(?:sh|py|bash)$/u.test(path))
    .map(({ text }) => text ?? '');
  return [...texts, subject.toml?.text ?? '', ...composeTexts(subject)];
}

function composeTexts(subject: Subject): string[] {
  const file = subject.layout?.composeFile ?? null;
  return file === null ? [] : [subject.text(file) ?? ''];
}

function mentions(text: string, name: string): boolean {
  return name.length > 2 && text.includes(name);
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/gu, '\\$&');
}
