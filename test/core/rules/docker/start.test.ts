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

describe('docker-service-in-cmd', () => {
  const rule = 'docker-service-in-cmd';

  it('finds a server that nothing starts', async () => {
    expect(await of(rule, 'CMD ["nginx", "-g", "daemon off;"]')).toEqual([
      'warning "CMD [\\"nginx\\", \\"-g\\", \\"daemon off;\\"]" nginx never starts: Harbor runs a sleep in place of this CMD, and nothing else starts it.',
    ]);
    expect(await of(rule, 'CMD service postgresql start && tail -f /dev/null')).toEqual([]);
    expect(await of(rule, 'CMD exec redis-server --port 7000')).toHaveLength(1);
    expect(
      await of(rule, 'CMD ["python3", "/srv/server.py"]', {
        'instruction.md': 'Mend what server.py answers on port 80.\n',
      }),
    ).toHaveLength(1);
  });

  it('is silent about shells, sleeps and what is started elsewhere', async () => {
    for (const line of [
      'CMD ["bash"]',
      'CMD sleep infinity',
      'CMD ["tail", "-f", "/dev/null"]',
      'CMD ["python3"]',
      'CMD ["python3", "app.py"]',
    ])
      expect(await of(rule, line)).toEqual([]);
    expect(await of(rule, 'CMD ["nginx"]', { 'tests/test.sh': '#!/bin/bash\nnginx &\n' })).toEqual([]);
    expect(await of(rule, 'CMD ["nginx"]', { 'instruction.md': 'Configure and start nginx.\n' })).toEqual([]);
    expect(
      await of(rule, 'COPY e.sh /entrypoint.sh\nENTRYPOINT ["/entrypoint.sh"]\nCMD ["nginx"]', {
        'environment/e.sh': '#!/bin/sh\nnginx\nexec "$@"\n',
      }),
    ).toEqual([]);
    expect(
      await of(rule, 'CMD ["nginx"]', {
        'environment/docker-compose.yaml': 'services:\n  main:\n    command: nginx\n',
      }),
    ).toEqual([]);
    expect(await of(rule, 'CMD ["nginx"]\nFROM debian:12\n')).toEqual([]);
  });
});

describe('docker-entrypoint-drops-args', () => {
  const rule = 'docker-entrypoint-drops-args';

  it('finds entrypoints that run nothing they are given', async () => {
    expect(await of(rule, 'ENTRYPOINT redis-server')).toEqual([
      'warning "ENTRYPOINT redis-server" An ENTRYPOINT in shell form gets no arguments, so the sleep that keeps the container up is dropped.',
    ]);
    expect(await of(rule, 'ENTRYPOINT ["python", "app.py"]')).toEqual([
      'warning "ENTRYPOINT [\\"python\\", \\"app.py\\"]" python takes the sleep that Harbor gives it for arguments of its own.',
    ]);
    expect(await of(rule, 'ENTRYPOINT ["/bin/bash"]')).toHaveLength(1);
    expect(await of(rule, 'ENTRYPOINT ["sh", "-c", "nginx"]')).toHaveLength(1);
    expect(
      await of(rule, 'COPY e.sh /e.sh\nENTRYPOINT ["/e.sh"]', { 'environment/e.sh': '#!/bin/sh\nnginx\n' }),
    ).toEqual(['warning "ENTRYPOINT [\\"/e.sh\\"]" /e.sh never runs the arguments it is given (`exec "$@"`).']);
  });

  it('is silent about those that do, and about what it does not know', async () => {
    for (const line of [
      'ENTRYPOINT ["tini", "--"]',
      'ENTRYPOINT ["/usr/bin/dumb-init", "--"]',
      'ENTRYPOINT []',
      'ENTRYPOINT ["/init"]',
      'ENTRYPOINT ["docker-entrypoint.sh"]',
      `ENTRYPOINT ["sh", "-c", "nginx; exec \\"$@\\"", "--"]`,
    ])
      expect(await of(rule, line)).toEqual([]);
    expect(
      await of(rule, 'COPY e.sh /e.sh\nENTRYPOINT ["bash", "/e.sh"]', {
        'environment/e.sh': '#!/bin/sh\nnginx\nexec "$@"\n',
      }),
    ).toEqual([]);
  });
});

describe('docker-script-not-executable', () => {
  const rule = 'docker-script-not-executable';
  const files = { 'environment/prepare.sh': '#!/bin/bash\ntrue\n' };

  it('finds a start without the execute bit', async () => {
    expect(await of(rule, 'COPY prepare.sh /opt/\nRUN /opt/prepare.sh', files)).toEqual([
      'warning "/opt/prepare.sh" environment/prepare.sh has no execute bit, so /opt/prepare.sh cannot be started like this. [Call it with bash | Copy it with --chmod=755]',
    ]);
    expect(
      await mended(
        rule,
        dockerfile('COPY prepare.sh /opt/\nRUN cd /opt && ./prepare.sh', files),
        'Call it with bash',
        'environment/Dockerfile',
      ),
    ).toContain('cd /opt && bash ./prepare.sh');
    expect(
      await mended(
        rule,
        dockerfile('COPY prepare.sh /opt/\nENTRYPOINT ["/opt/prepare.sh"]', files),
        'Copy it with --chmod=755',
        'environment/Dockerfile',
      ),
    ).toContain('COPY --chmod=755 prepare.sh');
  });

  it('is silent where it can be started', async () => {
    for (const lines of [
      'COPY prepare.sh /opt/\nRUN bash /opt/prepare.sh',
      'COPY --chmod=755 prepare.sh /opt/\nRUN /opt/prepare.sh',
      'COPY prepare.sh /opt/\nRUN chmod +x /opt/prepare.sh && /opt/prepare.sh',
      'RUN /usr/bin/env true',
    ])
      expect(await of(rule, lines, files)).toEqual([]);
  });
});

describe('docker-remote-script', () => {
  const rule = 'docker-remote-script';

  it('finds code of the network that nobody checks', async () => {
    expect(await of(rule, 'RUN curl -sSL https://get.example/i.sh | sh')).toEqual([
      'warning "https://get.example/i.sh" sh runs whatever get.example serves on the day of the build.',
    ]);
    expect(await of(rule, 'RUN bash <(curl -s https://get.example/i.sh)')).toHaveLength(1);
    expect(await of(rule, 'RUN sh -c "$(curl -fsSL https://get.example/i.sh)"')).toHaveLength(1);
    expect(await of(rule, 'RUN curl -LsSf https://get.example/uv/0.9.5/install.sh | sh')).toEqual([
      'information "https://get.example/uv/0.9.5/install.sh" sh runs what get.example serves on the day of the build, and no checksum holds it to that version.',
    ]);
    expect(await of(rule, 'ADD https://e.example/tool.tgz /tmp/')).toEqual([
      'warning "https://e.example/tool.tgz" ADD takes what e.example serves without a checksum.',
    ]);
    expect(await of(rule, 'RUN wget https://e.example/tool.tar.gz && tar xf tool.tar.gz')).toEqual([
      'warning "https://e.example/tool.tar.gz" Nothing checks that what e.example serves here is the same at each build.',
    ]);
  });

  it('is silent with a check, about keys and about the machine itself', async () => {
    expect(await of(rule, 'RUN curl -o /t.tgz https://e.example/t.tgz && echo "abc  /t.tgz" | sha256sum -c -')).toEqual(
      [],
    );
    expect(await of(rule, 'ADD --checksum=sha256:abc https://e.example/t.tgz /t.tgz')).toEqual([]);
    expect(await of(rule, 'RUN curl -fsSL https://e.example/linux/gpg | gpg --dearmor -o /k.gpg')).toEqual([]);
    expect(await of(rule, 'RUN curl http://localhost:80/x.sh | sh')).toEqual([]);
    expect(
      await of(
        rule,
        'RUN echo "curl https://e.example/i.sh | sh" > /README && curl https://e.example/x.json | python3 -m json.tool',
      ),
    ).toEqual([]);
  });
});

describe('docker-nproc', () => {
  const rule = 'docker-nproc';
  const text = 'This counts the cores of the host, not those that the task allows.';

  it('finds counts of the host', async () => {
    expect(await of(rule, 'RUN make -j$(nproc)')).toEqual([`information "nproc" ${text}`]);
    expect(await shown(rule, { 'solution/solve.sh': '#!/bin/bash\nmake -j"$(nproc)"\n' })).toEqual([
      `information solution/solve.sh:2:"nproc" ${text}`,
    ]);
    expect(await shown(rule, { 'tests/test_x.py': 'import os\nN = os.cpu_count()\n' })).toEqual([
      `information tests/test_x.py:2:"os.cpu_count()" ${text}`,
    ]);
  });

  it('is silent where it is cut', async () => {
    expect(await of(rule, 'RUN make -j2 && echo nproc && make -j$(nproc --ignore=2)')).toEqual([]);
    expect(await of(rule, 'RUN make -j$(( $(nproc) > 4 ? 4 : 2 )) && make -j$(nproc | head -1)')).toEqual([]);
    expect(await shown(rule, { 'tests/test_x.py': 'import os\nN = min(4, os.cpu_count())\n' })).toEqual([]);
  });
});
