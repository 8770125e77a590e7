import { describe, expect, it } from 'vitest';
import { readAuthorHeader } from '../../../src/core/cheats/author-header';
import { readHeader, readStrategy } from '../../../src/core/cheats/header';

const whole = `#!/bin/sh
# id: out-x
# version: 2
# level: 1
# knowledge: blind
# default: no
# imitates: an agent: in a hurry
# beaten-by: D-content, D-exact
# runs: one, two
#
# level: 3
echo
# id: later
`;

describe('the header of a strategy', () => {
  it('is read to the end of the first comment', () => {
    expect(readStrategy('out-x.sh', whole)).toEqual({
      ok: true,
      strategy: {
        id: 'out-x',
        version: 2,
        level: 1,
        knowledge: 'blind',
        isDefault: false,
        imitates: 'an agent: in a hurry',
        beatenBy: ['D-content', 'D-exact'],
        runs: ['one', 'two'],
        script: whole,
      },
    });
  });

  it('has one run without a name when it lists none', () => {
    const read = readStrategy('out-x.sh', whole.replace(/# runs.*\n/, ''));
    expect(read.ok && read.strategy.runs).toEqual(['']);
  });

  it.each([
    ['# id: out-x', '# id: Out X', 'out-x.sh: the line “# id: …” is missing or no id'],
    ['# id: out-x', '# id: other', 'out-x.sh: the id “other” belongs into a file other.sh'],
    ['# version: 2', '# version: two', 'out-x.sh: “# version: …” must be a whole number from 1'],
    ['# level: 1', '# level: 4', 'out-x.sh: “# level: …” must be 1, 2 or 3'],
    ['blind', 'some', 'out-x.sh: “# knowledge: …” must be blind or informed'],
    ['default: no', 'default: maybe', 'out-x.sh: “# default: …” must be yes or no'],
    ['# imitates: an agent: in a hurry', '#', 'out-x.sh: the line “# imitates: …” is missing'],
    ['# beaten-by: D-content, D-exact', '# beaten-by:', 'out-x.sh: the line “# beaten-by: …” is missing'],
  ])('refuses %s → %s', (from, to, message) => {
    expect(readStrategy('out-x.sh', whole.replace(from, to))).toEqual({ ok: false, message });
  });

  it('leaves remarks out of a value', () => {
    expect(readHeader('# expect: <1            # number, or "<1"\n# title: C# and #1\n').get('expect')).toBe('<1');
    expect(readHeader('# Title: C# and #1\r\n').get('title')).toBe('C# and #1');
  });
});

describe('the header of an author’s entry', () => {
  it('may be missing', () => {
    const nothing = { title: null, targets: null, user: 'agent', timeoutSec: null, needs: [] };
    expect(readAuthorHeader('#!/bin/bash\ntrue\n', 'cheats')).toEqual({
      ok: true,
      header: { ...nothing, kind: 'cheat', expect: '0' },
    });
    expect(readAuthorHeader('', 'variants')).toEqual({
      ok: true,
      header: { ...nothing, kind: 'alternative', expect: '1' },
    });
  });

  it('says all it can', () => {
    const script = `#!/bin/bash
# title: drops the last record
# expect: 0.5          # number, or "<1", or ">=1"
# kind: partial        # cheat | wrong | partial | alternative
# targets: last record must be present
# user: root
# timeout: 120
# needs: python3 jq
true
`;
    expect(readAuthorHeader(script, 'cheats')).toEqual({
      ok: true,
      header: {
        title: 'drops the last record',
        kind: 'partial',
        expect: '0.5',
        targets: 'last record must be present',
        user: 'root',
        timeoutSec: 120,
        needs: ['python3', 'jq'],
      },
    });
  });

  it.each([
    ['# kind: evil', '“kind: evil” must be cheat, wrong, partial or alternative'],
    ['# expect: much', '“expect: much” must be a number, or one after < or >=, such as 0, <1 or >=1'],
    ['# expect: nan', '“expect: nan” must be a number, or one after < or >=, such as 0, <1 or >=1'],
    ['# user: bob', '“user: bob” must be agent or root'],
    ['# timeout: 0', '“timeout: 0” must be a number of seconds, at most 7200'],
    ['# timeout: soon', '“timeout: soon” must be a number of seconds, at most 7200'],
    ['# needs: a;b', '“needs: a;b” is no name of a program'],
  ])('%s is refused at its line', (line, message) => {
    expect(readAuthorHeader(`#!/bin/bash\n# title: x\n${line}\n`, 'cheats')).toEqual({ ok: false, message, line: 2 });
  });
});
