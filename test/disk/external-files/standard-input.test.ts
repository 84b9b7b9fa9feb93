import { describe, expect, it } from 'vitest';

import { noStandardInput, standardInput } from '../../../src/disk/external-files/standard-input.js';
import { replaceFsCalls, failing } from '../../support/other-system.js';

/** Until the test ends, each read of standard input returns the next of these texts. `reads` counts the reads. */
function comes(...texts: readonly string[]): { readonly reads: () => number } {
  let reads = 0;
  replaceFsCalls(() => ({
    readSync: ((file: number, into: Buffer, offset: number) => {
      const text = file === 0 ? (texts[reads] ?? '') : 'of another file';
      reads += 1;
      return into.write(text, offset);
    }) as never,
  }));
  return { reads: () => reads };
}

const textOf = (text: string): object => ({ kind: 'file', bytes: Buffer.from(text) });
const unreadable = (reason: string): object => ({ kind: 'unreadable', reason });

describe('the standard input', () => {
  it('is read to its end', () => {
    comes('an\u00ef', 'dentity', '\n');
    expect(standardInput()('--identity')).toEqual(textOf('an\u00efdentity\n'));
  });

  it('may be empty', () => {
    comes();
    expect(standardInput()('--identity')).toEqual(textOf(''));
  });

  it('is read once, on first use', () => {
    const { reads } = comes('text');
    const stdin = standardInput();
    expect(reads()).toBe(0);
    expect([stdin('pullSecret'), stdin('pullSecret')]).toEqual([textOf('text'), textOf('text')]);
    expect(reads()).toBe(2);
  });

  it('belongs to the first reader; others get an error with its name', () => {
    comes('text');
    const stdin = standardInput();
    expect(['--state', 'pullSecret', '--state'].map(stdin)).toEqual([
      textOf('text'),
      unreadable('--state has already read it'),
      textOf('text'),
    ]);
  });

  it.each([
    ['EIO', 'input/output error'],
    ['EISDIR', 'it is a folder, not a file'],
    ['EAGAIN', 'EAGAIN'],
  ])('is not read again after error %s', (code, reason) => {
    replaceFsCalls(() => ({ readSync: failing(code) }));
    const stdin = standardInput();
    expect([stdin('--state'), stdin('sshKey')]).toEqual([
      unreadable(reason),
      unreadable('--state has already read it'),
    ]);
    comes('text');
    expect(stdin('--state')).toEqual(unreadable(reason));
  });

  it('is rejected above the size limit', () => {
    replaceFsCalls(() => ({ readSync: ((_file: number, into: Buffer) => into.length) as never }));
    expect(standardInput()('--state')).toEqual(unreadable('it is larger than 67108864 bytes'));
  });
});

it('reports a run without stdin', () => {
  comes('text');
  expect(noStandardInput('--state')).toEqual(unreadable('it is not read here'));
});
