import { describe, expect, it } from 'vitest';

import { parseUnit } from '../../src/ignition/unit-text.js';

describe('parseUnit', () => {
  const cases = [
    { name: 'nothing', given: '', want: { sections: [] } },
    {
      name: 'comments, blank lines and several sections',
      given: '# c\n; d\n\n[Unit]\nAfter=a b\n\n[Service]\nExecStart=/bin/true\n[Service]\n',
      want: { sections: ['Unit', 'Service', 'Service'] },
    },
    {
      name: 'lines that go on',
      given: '[Service]\nExecStart=/bin/sh -c \\\n  # not shown \\\n  [Unit] \\\n  x\nUser=a\n',
      want: { sections: ['Service'] },
    },
    {
      name: 'an empty line after a backslash',
      given: '[Service]\nA=b \\\n\nwhat\n',
      want: { sections: ['Service'], faultyLine: 4 },
    },
    {
      name: 'a comment that ends in a backslash',
      given: '[Unit]\n# c \\\nwhat\n',
      want: { sections: ['Unit'], faultyLine: 3 },
    },
    { name: 'a section without end', given: '[Unit\nA=b\n', want: { sections: [], faultyLine: 1 } },
    { name: 'text after a section', given: '[Unit] x\n', want: { sections: [], faultyLine: 1 } },
    { name: 'a setting before any section', given: 'A=b\n[Unit]\n', want: { sections: [], faultyLine: 1 } },
    { name: 'a line without a value', given: '[Unit]\nAfter\n', want: { sections: ['Unit'], faultyLine: 2 } },
    { name: 'an empty value', given: '[Unit]\nAfter=\n', want: { sections: ['Unit'] } },
  ];
  it.each(cases)('reads $name', ({ given, want }) => {
    expect(parseUnit(given)).toEqual(want);
  });
});
