import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import fc from 'fast-check';
import { expect, it } from 'vitest';

import { indexTar } from '../../../src/formats/tar/tar-index.js';
import type { DiskImage } from '../../../src/formats/disk-image.js';
import { describeWith } from '../../support/programs.js';
import { scratchFolder } from '../../support/scratch.js';

const long = `docker/registry/v2/repositories/${'openshift/'.repeat(12)}release/_layers/sha256/${'a'.repeat(64)}/link`;
const files = { 'a.txt': 'first', [long]: 'sha256:1', 'deep/empty': '', 'deep/large': 'x'.repeat(3000) };

function archive(format: string): Buffer {
  const folder = scratchFolder();
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const names = ['a.txt', 'docker', 'deep'];
  const { status } = spawnSync('tar', [`--format=${format}`, '-cf', 'x.tar', ...names], { cwd: folder });
  expect(status).toBe(0);
  return readFileSync(join(folder, 'x.tar'));
}

function imageOf(bytes: Buffer): DiskImage {
  const read = (offset: number, length: number): Buffer | undefined =>
    offset + length > bytes.length ? undefined : bytes.subarray(offset, offset + length);
  return { bytes: bytes.length, read };
}

describeWith(['tar'], 'the index of an archive', () => {
  it.each(['gnu', 'pax'])('has all files of the %s format, with long names', (format) => {
    const bytes = archive(format);
    const found = indexTar(imageOf(bytes))?.map(
      ({ path, offset, length }) => [path, bytes.toString('utf8', offset, offset + length)] as const,
    );
    expect(Object.fromEntries(found ?? [])).toEqual(files);
  });

  it('does not exist for an archive that ends early, or for another file', () => {
    const bytes = archive('pax');
    fc.assert(
      fc.property(fc.nat(bytes.indexOf('xxx') + 2999), (end) => {
        expect(indexTar(imageOf(bytes.subarray(0, end)))).toBeUndefined();
      }),
    );
    expect(indexTar(imageOf(Buffer.alloc(4096)))).toBeUndefined();
    expect(indexTar(imageOf(Buffer.from('x'.repeat(4096))))).toBeUndefined();
  });
});
