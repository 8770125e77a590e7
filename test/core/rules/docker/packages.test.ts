import { describe, expect, it } from 'vitest';
import type { Changes } from '../checked';
import { mended, shown } from '../checked';

const dockerfile = (text: string, more: Changes = {}): Changes => ({
  'environment/Dockerfile': `FROM debian:12\nWORKDIR /app\n${text}\n`,
  ...more,
});

async function of(ruleId: string, text: string, more: Changes = {}): Promise<string[]> {
  const found = await shown(ruleId, dockerfile(text, more));
  return found.map((one) => one.replace(/ environment\/Dockerfile:\d+:/u, ' '));
}

describe('docker-unpinned-pip', () => {
  const rule = 'docker-unpinned-pip';

  it('finds packages without an exact version, once a command', async () => {
    expect(await of(rule, 'RUN pip install --no-cache-dir shapely')).toEqual([
      'warning "shapely" pip install takes the newest shapely at each build.',
    ]);
    expect(
      await of(rule, 'RUN apt-get update && python3 -m pip install -q numpy==2.1.0 "pandas>=2,<3" scipy && echo done'),
    ).toEqual([
      'warning "\\"pandas>=2,<3\\"" pip install takes pandas and scipy without an exact version, so each build may get others.',
    ]);
    expect(await of(rule, 'RUN uv tool install ruff')).toEqual([
      'warning "ruff" uv tool install takes the newest ruff at each build.',
    ]);
    expect(await of(rule, 'RUN uvx --with "httpx~=0.27" pytest@8.4.1 --version')).toEqual([
      'warning "\\"httpx~=0.27\\"" uvx takes any httpx that fits ~=0.27, so each build may get another one.',
    ]);
    expect(await of(rule, 'RUN conda install -y -c conda-forge gdal')).toEqual([
      'warning "gdal" conda install takes the newest gdal at each build.',
    ]);
    expect(await of(rule, 'RUN pip install --upgrade pip setuptools')).toEqual([
      'hint "pip" pip install takes pip and setuptools without an exact version, so each build may get others.',
    ]);
  });

  it('looks into requirement files', async () => {
    const files = { 'environment/requirements.txt': '# list\nnumpy==2.1.0\nshapely>=2  # any\n-e .\n' };
    expect(await of(rule, 'COPY requirements.txt /tmp/r.txt\nRUN pip install -r /tmp/r.txt', files)).toEqual([
      'warning environment/requirements.txt:3:"shapely" requirements.txt takes any shapely that fits >=2, so each build may get another one.',
    ]);
    expect(
      await of(
        rule,
        'COPY requirements.txt .\nRUN cd /app && pip install -rrequirements.txt || pip install -r requirements.txt',
        files,
      ),
    ).toHaveLength(1);
  });

  it('is silent about what is pinned in another way', async () => {
    const files = { 'environment/c.txt': 'six==1.16.0\n' };
    expect(
      await of(
        rule,
        'RUN pip install a==1.0 "b===2" ./c d.whl "e @ https://x.example/e.zip" git+https://x.example/f@abc -e .',
      ),
    ).toEqual([]);
    expect(await of(rule, 'COPY c.txt /c.txt\nRUN pip install -c /c.txt six', files)).toEqual([]);
    expect(await of(rule, 'ENV V=1.0\nRUN pip install a==$V b=="$W" $PACKAGES && uv sync && poetry install')).toEqual(
      [],
    );
    expect(await of(rule, 'RUN pip install --index-url https://x.example/simple -t /deps a==1 --timeout 60')).toEqual(
      [],
    );
    expect(await of(rule, 'RUN echo "pip install shapely" && cat <<EOF > /x.sh\npip install shapely\nEOF')).toEqual([]);
    expect(await of(rule, 'RUN conda install -y gdal=3.9')).toEqual([]);
    expect(await of(rule, '# RUN pip install shapely')).toEqual([]);
  });
});

describe('docker-unpinned-other', () => {
  const rule = 'docker-unpinned-other';

  it('finds other managers, clones and latest downloads', async () => {
    expect(await of(rule, 'RUN npm install -g ajv-cli')).toEqual([
      'information "ajv-cli" npm install takes the newest ajv-cli at each build. [Add a version to fill in]',
    ]);
    expect(
      await mended(
        rule,
        dockerfile('RUN npm install -g ajv-cli'),
        'Add a version to fill in',
        'environment/Dockerfile',
      ),
    ).toContain('-g ajv-cli@VERSION\n');
    expect(await of(rule, 'RUN go install example.org/x/cmd/tool@latest && cargo install ripgrep')).toEqual([
      'information "example.org/x/cmd/tool@latest" go install takes the newest example.org/x/cmd/tool at each build. [Add a version to fill in]',
      'information "ripgrep" cargo install takes the newest ripgrep at each build. [Add a version to fill in]',
    ]);
    expect(await of(rule, 'RUN git clone --depth 1 https://e.example/tides')).toEqual([
      'information "https://e.example/tides" The clone takes whatever is newest in https://e.example/tides at each build.',
    ]);
    expect(await of(rule, 'RUN curl -LO https://e.example/releases/latest/download/x.tgz')).toEqual([
      'information "https://e.example/releases/latest/download/x.tgz" This address gives the latest release, another one with time.',
    ]);
  });

  it('is silent about pinned forms', async () => {
    expect(
      await of(
        rule,
        'RUN npm ci && npm install && npm i -g ajv-cli@5.0.0 && npx -y tsc@5.4.2 && gem install rake -v 13.0 && cargo install ripgrep@14.1.0',
      ),
    ).toEqual([]);
    expect(await of(rule, 'RUN git clone https://e.example/tides /t && cd /t && git checkout 4f1c2aa')).toEqual([]);
    expect(await of(rule, 'RUN git clone https://e.example/tides /t\nRUN git -C /t reset --hard 4f1c2aa')).toEqual([]);
    expect(await of(rule, 'RUN git clone --branch v1.2 https://e.example/tides && go install ./...')).toEqual([]);
  });
});

describe('docker-apt-no-update', () => {
  const rule = 'docker-apt-no-update';

  it('finds an install without lists of its own', async () => {
    const text = 'RUN apt-get update\nRUN apt-get install -y jq';
    expect(await of(rule, text)).toEqual([
      'warning "apt-get install" This installs from package lists of an earlier RUN, which may be long out of date when only this one is built again. [Update the lists in the same RUN]',
    ]);
    expect(
      await mended(rule, dockerfile(text), 'Update the lists in the same RUN', 'environment/Dockerfile'),
    ).toContain('\nRUN apt-get update && apt-get install -y jq\n');
    expect(await of(rule, 'RUN apt install -y jq')).toEqual([
      'warning "apt install" This installs packages without `apt-get update` in the same RUN, so there are no package lists to install from. [Update the lists in the same RUN]',
    ]);
  });

  it('is silent with an update before, local files, and scripts that may do it', async () => {
    expect(await of(rule, 'RUN set -eux; \\\n  apt-get -qq update; # lists\\\n  apt-get install -y jq')).toEqual([]);
    expect(await of(rule, 'RUN apt-get update \\\n  # why\n  && apt-get install -y jq')).toEqual([]);
    expect(await of(rule, 'RUN apt-get install -y ./x.deb')).toEqual([]);
    expect(await of(rule, 'RUN curl -fsSL https://e.example/setup_20.x | bash - && apt-get install -y nodejs')).toEqual(
      [],
    );
    expect(await of(rule, 'RUN <<EOF\napt-get update\napt-get install -y jq\nEOF')).toEqual([]);
    expect(await of(rule, 'RUN echo "apt-get install -y jq" > /todo')).toEqual([]);
  });
});

describe('docker-apt-interactive', () => {
  const rule = 'docker-apt-interactive';

  it('finds an install that asks', async () => {
    const text = 'RUN apt-get update && apt-get install --no-install-recommends gdal-bin';
    expect(await of(rule, text)).toEqual([
      'error "apt-get install" apt-get install asks before it installs gdal-bin, and nobody answers. [Add -y*]',
    ]);
    expect(await mended(rule, dockerfile(text), 'Add -y', 'environment/Dockerfile')).toContain(
      'apt-get install -y --no-install',
    );
  });

  it('is silent where something agrees', async () => {
    for (const line of [
      'apt-get install -y x',
      'apt-get -y install x',
      'apt-get install -qqy x',
      'apt-get install -qq x',
      'apt install --yes x',
      'yes | apt-get install x',
      'apt-get install $OPTIONS x',
      'apt-get -o APT::Get::Assume-Yes=true install x',
    ])
      expect(await of(rule, `RUN apt-get update && ${line}`)).toEqual([]);
    expect(
      await of(
        rule,
        'RUN echo \'APT::Get::Assume-Yes "true";\' > /etc/apt/apt.conf.d/90yes\nRUN apt-get update && apt-get install x',
      ),
    ).toEqual([]);
  });
});

describe('docker-apt-pinned-version', () => {
  const rule = 'docker-apt-pinned-version';

  it('finds an exact version', async () => {
    const text = 'RUN apt-get update && apt-get install -y curl=7.88.1-10 jq=1.6-2.1 git';
    expect(await of(rule, text)).toEqual([
      'warning "curl=7.88.1-10" The mirror drops curl 7.88.1-10 as soon as a newer build is out (the same goes for 1 more of this command). [Remove the versions]',
    ]);
    expect(await mended(rule, dockerfile(text), 'Remove the versions', 'environment/Dockerfile')).toContain(
      'install -y curl jq git',
    );
  });

  it('is silent about patterns, snapshots and other sources', async () => {
    expect(await of(rule, "RUN apt-get update && apt-get install -y 'curl=7.88.*'")).toEqual([]);
    expect(
      await of(
        rule,
        'RUN echo "deb https://snapshot.e.example/x" > /etc/apt/sources.list && apt-get update && apt-get install -y curl=7.88.1-10',
      ),
    ).toEqual([]);
    expect(
      await shown(rule, {
        'environment/Dockerfile': 'FROM acme/base:1\nRUN apt-get update && apt-get install -y x=1-1\n',
      }),
    ).toEqual([]);
  });
});

describe('docker-apt-hygiene', () => {
  const rule = 'docker-apt-hygiene';

  it('hints at lists and upgrades', async () => {
    const text = 'RUN apt-get update && apt-get install -y jq';
    expect(await of(rule, text)).toEqual([
      'hint "apt-get install" The package lists stay in this layer of the image. [Remove the lists]',
    ]);
    expect(await mended(rule, dockerfile(text), 'Remove the lists', 'environment/Dockerfile')).toContain(
      'install -y jq && rm -rf /var/lib/apt/lists/*\n',
    );
    expect(await of(rule, 'RUN apt-get update && apt-get -y upgrade')).toEqual([
      'hint "apt-get -y upgrade" An upgrade replaces packages of the base image, by others at each build.',
    ]);
  });

  it('is silent about clean layers, caches and builder stages', async () => {
    expect(await of(rule, 'RUN apt-get update && apt-get install -y jq && rm -rf /var/lib/apt/lists/*')).toEqual([]);
    expect(
      await of(rule, 'RUN --mount=type=cache,target=/var/lib/apt apt-get update && apt-get install -y jq'),
    ).toEqual([]);
    expect(await of(rule, 'RUN apt-get update && apt-get install -y jq\nFROM debian:12\n')).toEqual([]);
  });
});

describe('docker-test-deps-in-agent-image', () => {
  const rule = 'docker-test-deps-in-agent-image';
  const separate = { 'task.toml': '[verifier]\nenvironment_mode = "separate"\n[verifier.environment]\ncpus = 1\n' };

  it('hints at pytest where a separate verifier has an image of its own', async () => {
    expect(await of(rule, 'RUN pip install requests==2.32.3 pytest==8.4.1', separate)).toEqual([
      'hint "pytest==8.4.1" Only the verifier uses pytest, and it has an image of its own.',
    ]);
  });

  it('is silent for a shared verifier and a project that uses it', async () => {
    expect(await of(rule, 'RUN pip install pytest==8.4.1')).toEqual([]);
    const project = { ...separate, 'environment/pyproject.toml': '[tool.pytest.ini_options]\n' };
    expect(await of(rule, 'COPY pyproject.toml .\nRUN pip install pytest==8.4.1', project)).toEqual([]);
  });
});

describe('an install of nothing', () => {
  it.each([
    ['RUN apt-get update && apt-get install -y --no-install-recommends && rm -rf /var/lib/apt/lists/*', 1],
    ['RUN apt-get update && apt-get install -y jq && rm -rf /var/lib/apt/lists/*', 0],
    ['ARG TOOLS\nRUN apt-get update && apt-get install -y $TOOLS && rm -rf /var/lib/apt/lists/*', 0],
    ['RUN apt-get update && xargs apt-get install -y < /tmp/list && rm -rf /var/lib/apt/lists/*', 0],
  ])('%s', async (line, count) => {
    const said = await shown('docker-apt-hygiene', { 'environment/Dockerfile': `FROM debian:12.8-slim\n${line}\n` });
    expect(said.filter((one) => one.includes('names no package'))).toHaveLength(count);
  });
});
