import { describe, expect, it } from 'vitest';

import { splitDocuments } from '../../../src/manifests/edits/documents.js';

describe('splitDocuments', () => {
  it.each([
    { name: 'nothing', given: '', want: [] },
    { name: 'blanks and comments', given: '\n# a\n---\n\t# b\n', want: [] },
    { name: 'one document', given: 'a: 1\n', want: [{ text: 'a: 1\n', line: 1 }] },
    { name: 'one document without a last newline', given: 'a: 1', want: [{ text: 'a: 1', line: 1 }] },
    {
      name: 'one document with separators around it stays whole',
      given: '# head\n---\na: 1\n---\n# tail\n',
      want: [{ text: '# head\n---\na: 1\n---\n# tail\n', line: 1 }],
    },
    {
      name: 'one document behind a blank one is taken out of its file',
      given: '---\n---\na: 1\n',
      want: [{ text: 'a: 1\n', line: 3 }],
    },
    {
      name: 'two documents',
      given: 'a: 1\n---\nb: 2\n',
      want: [
        { text: 'a: 1\n', line: 1 },
        { text: 'b: 2\n', line: 3 },
      ],
    },
    {
      name: 'blank documents between others',
      given: '---\na: 1\n---\n\n---\n# c\n---\nb: 2',
      want: [
        { text: 'a: 1\n', line: 2 },
        { text: 'b: 2', line: 8 },
      ],
    },
    {
      name: 'CRLF',
      given: 'a: 1\r\n---\r\nb: 2\r\n',
      want: [
        { text: 'a: 1\r\n', line: 1 },
        { text: 'b: 2\r\n', line: 3 },
      ],
    },
    {
      name: 'a separator with a comment, and one with the document on its line',
      given: 'a: 1\n--- # second\nb: 2\n--- {c: 3}\n',
      want: [
        { text: 'a: 1\n', line: 1 },
        { text: 'b: 2\n', line: 3 },
        { text: '--- {c: 3}\n', line: 4 },
      ],
    },
    {
      name: 'dashes that separate nothing',
      given: 'a: |\n  ---\nb: ---\n---x: 1\n',
      want: [{ text: 'a: |\n  ---\nb: ---\n---x: 1\n', line: 1 }],
    },
  ])('$name', ({ given, want }) => {
    expect(splitDocuments(given)).toEqual(want);
  });

  it('stays quick over a million blank lines', () => {
    const given = `${' \n'.repeat(1_000_000)}a: 1\n`;
    expect(splitDocuments(given)).toEqual([{ text: given, line: 1 }]);
  });
});
