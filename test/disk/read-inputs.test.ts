import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { inputsOf, unkeptInputs } from '../../src/disk/read-inputs.js';
import type { Inputs } from '../../src/graph/context.js';
import { scratchFolder } from '../support/scratch.js';

/** What a file says before and after it is changed, as the same inputs read it. */
function readTwice(open: (dir: string) => Inputs): readonly string[] {
  const dir = scratchFolder();
  const inputs = open(dir);
  return ['one', 'two'].map((text) => {
    writeFileSync(join(dir, 'site.yaml'), text);
    const read = inputs.read('site.yaml');
    return read.kind === 'file' ? Buffer.from(read.bytes).toString() : read.kind;
  });
}

describe('files of the user', () => {
  it('are what they were when they were read first, for all of a run', () => {
    expect(readTwice((dir) => inputsOf(dir, {}))).toEqual(['one', 'one']);
  });

  it('of many sites are not kept', () => {
    expect(readTwice((dir) => unkeptInputs(dir))).toEqual(['one', 'two']);
  });

  it('that were written before are known by their hashes', () => {
    const inputs = inputsOf(scratchFolder(), { 'b.ign': 'ab', 'a.ign': 'cd' });
    expect(inputs.writtenPaths()).toEqual(['a.ign', 'b.ign']);
    expect([inputs.written('b.ign'), inputs.written('c.ign')]).toEqual(['ab', undefined]);
    expect([inputs.read('a.ign').kind, inputs.list('nothing')]).toEqual(['absent', undefined]);
  });
});
