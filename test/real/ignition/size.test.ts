import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { cpioArchive, cpioType } from '../../../src/formats/cpio.js';
import { xzEncode } from '../../../src/formats/xz.js';
import { embeddedSize } from '../../../src/ignition/embedded-size.js';
import { describeWith, pathOfProgram } from '../../support/programs.js';
import { seededBytes } from '../../support/seeded-keys.js';
import { scratchFolder } from '../../support/scratch.js';

/** Text similar to a config: some of it repeats, some is as random as a key. */
function textOf(length: number): string {
  const keys = seededBytes('embedded size', length).toString('base64').match(/.{64}/g) ?? [];
  const lines = keys.map((key, index) => `{"path":"/opt/openshift/tls/${index}.key","source":"${key}"}\n`);
  return lines.join('').slice(0, length);
}

/** The archive that embeds a config. */
function archiveOf(text: string): Buffer {
  return cpioArchive([{ path: 'config.ign', mode: cpioType.file | 0o600, contents: Buffer.from(text) }]);
}

describeWith(['xz'], 'the encoder beside the program xz', () => {
  const lengths = [0, 1, 4095, 4096, 4097, 100_000, 262_144, 1_100_000];
  const unpack = (packed: Buffer): Buffer =>
    spawnSync(pathOfProgram('xz') ?? '', ['-dc'], { input: packed, maxBuffer: 2 ** 26 }).stdout;

  it.each(lengths)('at its best gives as many bytes for %i, which xz unpacks', async (length) => {
    const input = Buffer.from(textOf(length));
    const packed = await xzEncode(input, 'best');
    const theirs = spawnSync(pathOfProgram('xz') ?? '', ['-9', '--check=crc32', '-T1', '-c'], {
      input,
      maxBuffer: 2 ** 26,
    });
    expect(packed.length).toBe(theirs.stdout.length);
    expect(unpack(packed).equals(input)).toBe(true);
  });

  it.each(lengths)('in haste gives no fewer for %i, which xz unpacks too', async (length) => {
    const input = Buffer.from(textOf(length));
    const encode = xzEncode;
    const [hasty, best] = [await encode(input, 'fast'), await encode(input, 'best')];
    expect(hasty.length).toBeGreaterThanOrEqual(best.length);
    expect(unpack(hasty).equals(input)).toBe(true);
  });
});

describeWith(['xz', 'cpio'], 'the archive that a live ISO embeds', () => {
  it('unpacks to the config', () => {
    const text = textOf(50_001);
    const folder = scratchFolder();
    const archive = archiveOf(text);
    const { status, stdout } = spawnSync(pathOfProgram('cpio') ?? '', ['-i', '-v', '--quiet'], {
      cwd: folder,
      input: archive,
      encoding: 'utf8',
    });
    expect({ status, stdout, names: readdirSync(folder) }).toEqual({
      status: 0,
      stdout: '',
      names: ['config.ign'],
    });
    expect(readFileSync(join(folder, 'config.ign'), 'utf8') === text).toBe(true);
  });

  it('is hardly longer, compressed, than the one cpio and xz make', async () => {
    // Long enough for its size to be computed exactly.
    const text = textOf(450_003);
    const folder = join(scratchFolder(), 'tree');
    mkdirSync(folder);
    writeFileSync(join(folder, 'config.ign'), text, { mode: 0o600 });
    const pack = 'printf "config.ign\\n" | cpio -o -H newc --quiet | xz -9 --check=crc32 -T1 -c | wc -c';
    const theirs = Number(spawnSync('sh', ['-c', pack], { cwd: folder, encoding: 'utf8' }).stdout);
    // cpio pads to 512 bytes and adds an inode number and a time. Our estimate includes a second xz block.
    const size = await embeddedSize(text, xzEncode);
    const difference = size.bytes - theirs;
    expect(size.isExact).toBe(true);
    expect(difference).toBeGreaterThanOrEqual(0);
    expect(difference).toBeLessThanOrEqual(64);
  });

  it('of a config with room to spare is given a bound, which the size itself keeps', async () => {
    const encode = xzEncode;
    for (const length of [10, 5_000, 50_000, 150_000]) {
      const text = textOf(length);
      const bound = await embeddedSize(text, encode);
      const exact = (await encode(archiveOf(text), 'best')).length + 56;
      expect(bound.isExact).toBe(false);
      expect(bound.bytes).toBeGreaterThanOrEqual(exact);
      expect(bound.bytes).toBeLessThan(exact * 1.35 + 128);
    }
  });
});
