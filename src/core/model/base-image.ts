/** An image reference taken apart, with what is known of the image by its name. */
export interface BaseImage {
  /** As written, with tag and digest. */
  readonly reference: string;
  /** The official name, such as `python`; null when the image is no official one. */
  readonly official: string | null;
  /** null without a tag. */
  readonly tag: string | null;
  readonly digest: string | null;
  /** null where unknown. */
  readonly facts: BaseFacts | null;
}

export interface BaseFacts {
  readonly user: string;
  readonly workdir: string;
  readonly manager: 'apt' | 'apk' | 'dnf' | 'none';
  /** Programs that are there, of those that tasks commonly use. */
  readonly programs: ReadonlySet<string>;
  /** Programs of the same list that are not there; about others nothing is known. */
  readonly lacks: ReadonlySet<string>;
  /** Does `pip install` refuse outside of a virtual environment (PEP 668) with the system's Python? */
  readonly pythonManaged: boolean;
}

const asked = words('bash curl wget git python3 python pip gcc make perl node npm jq unzip ps nc sudo tini');

const posix = 'bash perl';
const builder = 'bash perl curl wget git python3 gcc make unzip ps';
const busybox = 'wget unzip ps nc';

interface Family {
  readonly full: string;
  readonly slim: string;
  readonly alpine: string;
  readonly workdir?: string;
  readonly manager?: BaseFacts['manager'];
  /** Is the Python that packages bring marked as managed, by tag? */
  readonly managed?: (tag: string) => boolean;
}

const fromDebian = (own = '', workdir = '/'): Family => ({
  full: `${posix} ${own}`,
  slim: `${posix} ${own}`,
  alpine: `${busybox} ${own}`,
  workdir,
});
const fromBuildpack = (own: string, workdir = '/'): Family => ({
  full: `${builder} ${own}`,
  slim: `${posix} ${own}`,
  alpine: `${busybox} ${own}`,
  workdir,
  managed: () => true,
});
const fromRedHat = (): Family => ({ full: 'bash curl', slim: 'bash curl', alpine: '', manager: 'dnf' });

/** Official images whose default user is root, and what their kinds bring. */
const families: Readonly<Record<string, Family>> = {
  alpine: { full: busybox, slim: busybox, alpine: busybox, manager: 'apk', managed: isManagedAlpine },
  busybox: { full: busybox, slim: busybox, alpine: busybox, manager: 'none' },
  debian: { ...fromDebian(), managed: (tag) => !/^(?:[1-9]\b(?!\d)|1[01]\b|buster|bullseye|stretch)/.test(tag) },
  ubuntu: { ...fromDebian(), managed: (tag) => !/^(?:1\d|20|21|22|focal|jammy|bionic|xenial|trusty)/.test(tag) },
  almalinux: fromRedHat(),
  fedora: fromRedHat(),
  rockylinux: fromRedHat(),
  amazoncorretto: { full: 'bash', slim: 'bash', alpine: busybox, manager: 'dnf' },
  python: { ...fromBuildpack('python3 python pip'), managed: () => false },
  node: fromBuildpack('node npm'),
  ruby: fromBuildpack(''),
  rust: fromBuildpack('gcc'),
  golang: { ...fromBuildpack('make gcc git', '/go'), slim: `${builder} gcc make`, alpine: busybox },
  gcc: fromBuildpack('gcc make'),
  perl: fromBuildpack('perl', '/usr/src/app'),
  'buildpack-deps': { ...fromBuildpack(''), slim: `${posix} curl wget` },
  haskell: fromDebian('git gcc make curl'),
  erlang: fromBuildpack(''),
  elixir: fromBuildpack(''),
  swift: fromDebian('git gcc python3'),
  php: { ...fromDebian('curl'), alpine: `${busybox} curl` },
  julia: fromDebian(),
  'r-base': fromDebian('gcc make'),
  openjdk: fromDebian(),
  'eclipse-temurin': fromDebian('curl wget'),
  maven: fromDebian('curl git'),
  clojure: fromDebian(),
  nginx: fromDebian('curl'),
  httpd: fromDebian('', '/usr/local/apache2'),
  postgres: fromDebian(),
  mysql: fromRedHat(),
  mariadb: fromDebian(),
  mongo: fromDebian(),
  redis: fromDebian('', '/data'),
  bash: { full: `${busybox} bash`, slim: `${busybox} bash`, alpine: `${busybox} bash`, manager: 'apk' },
};

/** Takes a reference apart; null for one that is empty or has unknown parts. */
export function baseImage(reference: string): BaseImage | null {
  const match = /^([^\s@]+?)(?::([\w][\w.-]{0,127}))?(?:@(sha256:[0-9a-f]+))?$/u.exec(reference);
  const path = match?.[1];
  if (path === undefined) return null;
  const name = path.replace(/^docker\.io\//u, '').replace(/^library\//u, '');
  const official = Object.hasOwn(families, name) ? name : null;
  const tag = match?.[2] ?? null;
  return {
    reference,
    official,
    tag,
    digest: match?.[3] ?? null,
    facts: official === null ? null : factsOf(official, tag ?? 'latest'),
  };
}

/** The official name of an image reference, or null: `python`, `library/python` and `docker.io/library/python` alike. */
export function officialName(reference: string): string | null {
  return baseImage(reference)?.official ?? null;
}

function factsOf(name: string, tag: string): BaseFacts | null {
  const family = families[name];
  if (family === undefined || /windows|nanoserver/u.test(tag)) return null;
  const isAlpine = name === 'alpine' || tag.includes('alpine');
  const isSlim = /slim|minimal/u.test(tag);
  const programs = words(isAlpine ? family.alpine : isSlim ? family.slim : family.full);
  return {
    user: 'root',
    workdir: family.workdir ?? '/',
    manager: isAlpine ? 'apk' : (family.manager ?? 'apt'),
    programs,
    lacks: new Set([...asked].filter((program) => !programs.has(program))),
    pythonManaged: family.managed?.(tag) ?? false,
  };
}

function isManagedAlpine(tag: string): boolean {
  const minor = /^3\.(\d+)/u.exec(tag)?.[1];
  return minor === undefined || Number(minor) >= 19;
}

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(' ').filter((word) => word !== ''));
}
