import { describe, expect, it } from 'vitest';

import { printableFields } from '../../src/config/schema/printable-fields.js';
import { problem, type Place } from '../../src/core/problem.js';
import { renderProblem } from '../../src/core/render-problem.js';

const text = `apiVersion: v1
baseDomain: example.com
pullSecret: '{"auths":{"quay.io":{"auth":"aHVudGVyMjpodW50ZXIy"}}}'
proxy:
  httpProxy: http://user:hunter2@proxy.example.com:3128
\tnetworking: {}
sshKey: |
  ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIPmjS1O7wJXzLw6e0n0r9mDL8m1m3pYyq0xV5H6mJmEx throwaway
`;

const source = { text, fields: printableFields };

const cases: readonly { name: string; at?: Place; hint?: string; source?: string; want: string }[] = [
  { name: 'without a place', want: 'error[dir/locked]: locked' },
  {
    name: 'with place, caret and hint',
    at: { file: 'install-config.yaml', path: 'baseDomain', line: 2, col: 13, length: 11 },
    hint: 'try another',
    want: `error[dir/locked]: locked
  --> install-config.yaml:2:13 (baseDomain)
  |
2 | baseDomain: example.com
  |             ^^^^^^^^^^^
   = hint: try another`,
  },
  {
    name: 'a tab counts as one column',
    at: { file: 'f', line: 6, col: 2, length: 10 },
    want: 'error[dir/locked]: locked\n  --> f:6:2\n  |\n6 |  networking: {}\n  |  ^^^^^^^^^^',
  },
  {
    name: 'a pull secret is not shown',
    at: { file: 'f', path: 'pullSecret', line: 3, col: 13 },
    want: 'error[dir/locked]: locked\n  --> f:3:13 (pullSecret)\n  |\n3 | pullSecret: …',
  },
  {
    name: 'a URL with a password is not shown',
    at: { file: 'f', path: 'proxy.httpProxy', line: 5, col: 14 },
    want: 'error[dir/locked]: locked\n  --> f:5:14 (proxy.httpProxy)\n  |\n5 |   httpProxy: …',
  },
  {
    name: 'a public key is shown',
    at: { file: 'f', line: 8, col: 3, length: 11 },
    want: `error[dir/locked]: locked
  --> f:8:3
  |
8 |   ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIPmjS1O7wJXzLw6e0n0r9mDL8m1m3pYyq0xV5H6mJmEx throwaway
  |   ^^^^^^^^^^^`,
  },
  {
    name: 'a line that is not there',
    at: { file: 'f', line: 99, col: 1 },
    want: 'error[dir/locked]: locked\n  --> f:99:1',
  },
];

describe('renderProblem', () => {
  it.each(cases)('$name', ({ at, hint, want }) => {
    expect(renderProblem(problem('dir/locked', 'locked', { at, hint }), source)).toBe(want);
  });

  it('hides every line of a Secret manifest and of a pull secret written as a block', () => {
    const secret = 'kind: Secret\nstringData:\n  key: hunter2\n';
    const block = 'pullSecret: >-\n  {"x":\n  "aHVudGVyMg"}\nsshKey: x\n';
    for (const [text, line] of [
      [secret, 3],
      [block, 3],
    ] as const) {
      expect(
        renderProblem(problem('dir/locked', 'x', { at: { file: 'f', line, col: 3 } }), { ...source, text }),
      ).not.toMatch(/hunter2|aHVu/);
    }
    expect(
      renderProblem(problem('dir/locked', 'x', { at: { file: 'f', line: 4, col: 1 } }), {
        ...source,
        text: block,
      }),
    ).toContain('sshKey: x');
  });

  it('shows a window of a long line and no control characters', () => {
    const text = `${'  '.repeat(300)}name: "!\u001b[31m`;
    const rendered = renderProblem(
      problem('dir/locked', 'x', { at: { file: 'f', line: 1, col: text.indexOf('n') + 1 } }),
      { ...source, text },
    );
    const [, , , excerpt, caret] = rendered.split('\n');
    expect(excerpt?.[caret?.indexOf('^') ?? 0]).toBe('n');
    expect(rendered).not.toContain('\u001b');
    expect(excerpt?.length).toBeLessThan(110);
  });
});
