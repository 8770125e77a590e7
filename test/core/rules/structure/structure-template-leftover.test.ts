import { expect, test } from 'vitest';
import { findingsFor, shown } from '../checked';

test('a test of the scaffold that is still empty', async () => {
  const changes = {
    'tests/test_outputs.py': 'def test_outputs():\n    """Test that the outputs are correct."""\n    pass\n',
  };
  expect(await shown('structure-template-leftover', changes)).toEqual([
    'warning tests/test_outputs.py:1:"test_outputs" test_outputs is still the scaffold\'s, and checks nothing.',
  ]);
  // One defect, one finding.
  expect((await findingsFor(changes)).map(({ ruleId }) => ruleId)).not.toContain('tests-assert-nothing');
});

test('a renamed one with the docstring of the scaffold, and explanations that were left', async () => {
  expect(
    await shown('structure-template-leftover', {
      'tests/test_a.py': 'def test_tides():\n    """Test that the outputs are correct."""\n    ...\n',
      'solution/solve.sh': '#!/bin/bash\n\n# Use this file to solve the task.\necho 42 > /app/answer.txt\n',
      'README.md': '# Tides\n',
    }),
  ).toEqual([
    'hint README.md:1:"# Tides" The README has nothing but its title.',
    'hint solution/solve.sh:3:"# Use this file to solve the task." This line explains the scaffold, not solve.sh.',
    'warning tests/test_a.py:1:"test_tides" test_tides is still the scaffold\'s, and checks nothing.',
  ]);
});

test('is silent about what was extended, and about other empty tests', async () => {
  expect(
    await shown('structure-template-leftover', {
      'tests/test_outputs.py':
        'def test_outputs():\n    """Test that the outputs are correct."""\n    assert open("/app/answer.txt").read() == "42\\n"\n',
      'tests/test_b.py': 'def test_later():\n    pass\n',
      'README.md': '# Tides\n\nWhy it is hard.\n',
    }),
  ).toEqual([]);
});
