import { expect, test } from 'vitest';

import type { Difference } from '../../../src/review/diff/difference.js';
import { differencesMarkdown } from '../../../src/review/diff/show-markdown.js';

function changed(name: string, lines: readonly string[]): Difference {
  const hunks = [{ beforeLine: 1, afterLine: 1, lines }];
  return { in: ['node.ign'], kind: 'file', name, change: 'changed', details: [{ what: 'contents', hunks }] };
}

test('folds differences, and escapes their content', () => {
  expect(differencesMarkdown([changed('/etc/<b>@you</b>', ['-a ````', '+</details>'])], 'a`b')).toBe(
    [
      '**1 difference**: <code>a&#96;b</code>',
      '',
      '<details><summary><code>~ file /etc/&#60;b&#62;&#64;you&#60;/b&#62; in node.ign</code></summary>',
      '',
      '`````diff',
      'contents:',
      '@@ line 1 → 1 @@',
      '-a ````',
      '+</details>',
      '`````',
      '',
      '</details>',
      '',
    ].join('\n'),
  );
});

test('a comment has room for them, however many there are and however long', () => {
  const long = Array.from({ length: 2000 }, (_, line) => `+${line} lines`);
  const text = differencesMarkdown(
    Array.from({ length: 40 }, (_, at) => changed(`/etc/${at}`, long)),
    'a and b',
  );
  expect(text.length).toBeLessThan(65_536);
  expect(text).toMatch(/^… and \d+ more lines$/m);
  const [, left = ''] = /… and (\d+) more differences do not fit in this comment\.\n$/.exec(text) ?? [];
  expect(text.match(/^<details>/gm)?.length).toBe(40 - Number(left));
});
