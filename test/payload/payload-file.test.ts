import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';

import { readPayloadFile } from '../../src/media/payload/payload-file.js';
import type { CommandOutput } from '../support/in-process.js';
import { snoInProcess } from '../support/in-process.js';
import { describeWith } from '../support/programs.js';
import { scratchFolder } from '../support/scratch.js';
import { makeRelease, writeStorage } from './made-release.js';
import { payloadPlace } from './payload-place.js';

describeWith(['mksquashfs'], 'a payload', () => {
  let payload = Buffer.alloc(0);
  let manifest = '';
  beforeAll(async () => {
    const release = await makeRelease();
    const { cwd, create } = payloadPlace(release);
    writeStorage(join(cwd, 'mirror'), release);
    expect((await create('--from', 'mirror', '--out', 'x.payload')).code).toBe(0);
    payload = readFileSync(join(cwd, 'x.payload'));
    manifest = readFileSync(join(cwd, 'x.payload.json'), 'utf8');
  });

  /** Runs a command on a payload with these bytes, beside which its manifest lies. */
  function run(words: readonly string[], bytes: Buffer, beside = manifest): Promise<CommandOutput> {
    const cwd = scratchFolder();
    writeFileSync(join(cwd, 'x.payload'), bytes);
    writeFileSync(join(cwd, 'x.payload.json'), beside);
    return snoInProcess([...words, 'x.payload', '--log-level', 'warn'], { cwd });
  }

  it('is whole after its creation', async () => {
    const { code, stderr } = await run(['verify'], payload);
    expect([code, stderr]).toEqual([0, '']);
  });

  it('is shown with its release and its other images', async () => {
    const { stdout } = await run(['inspect', '-o', 'json'], payload);
    const { payload: shown } = JSON.parse(stdout) as { payload: unknown };
    expect(shown).toEqual(JSON.parse(manifest));
  });

  it('is found in the partition of a disk image', async () => {
    const cwd = scratchFolder();
    const sno = (...words: readonly string[]): Promise<CommandOutput> =>
      snoInProcess([...words, '--log-level', 'warn'], { cwd });
    writeFileSync(join(cwd, 'x.payload'), payload);
    expect(await sno('payload', 'write', 'x.payload', 'disk.img')).toMatchObject({ code: 0, stderr: '' });
    expect(await sno('verify', 'disk.img')).toMatchObject({ code: 0, stderr: '' });
    const { stdout } = await sno('inspect', 'disk.img', '-o', 'json');
    const { payload: shown } = JSON.parse(stdout) as { payload: unknown };
    expect(shown).toEqual(JSON.parse(manifest));

    const disk = readFileSync(join(cwd, 'disk.img'));
    disk[2 ** 20 + 5000] = (disk[2 ** 20 + 5000] ?? 0) ^ 1;
    writeFileSync(join(cwd, 'disk.img'), disk);
    const { code, stderr } = await sno('verify', 'disk.img');
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining('error[payload/damaged]: disk.img is damaged'),
    ]);
  });

  it('with one other byte is not whole', async () => {
    for (const at of [100, payload.length >> 1]) {
      const changed = Buffer.from(payload);
      changed[at] = (changed[at] ?? 0) ^ 1;
      const { code, stderr } = await run(['verify'], changed);
      expect([at, code, stderr]).toEqual([
        at,
        1,
        expect.stringContaining('does not have the SHA-256 of its manifest'),
      ]);
    }
  });

  it('with the manifest of another payload beside it is refused', async () => {
    const { code, stderr } = await run(['verify'], payload, manifest.replace('4.22.0', '4.22.1'));
    expect([code, stderr]).toEqual([1, expect.stringContaining('it is the manifest of another payload')]);
  });

  it('that is cut anywhere is refused without reading its images', () => {
    const trailer = payload.indexOf('{\n  "apiVersion"', payload.length - 8192);
    fc.assert(
      fc.property(fc.nat(trailer + Buffer.byteLength(manifest) - 2), (end) => {
        const bytes = payload.subarray(0, end);
        const read = (offset: number, length: number): Buffer | undefined =>
          offset + length > bytes.length ? undefined : bytes.subarray(offset, offset + length);
        const found = readPayloadFile({ bytes: bytes.length, read }, 'x.payload');
        const codes = found.ok ? ['ok'] : found.problems.map(({ code }) => code);
        const allowed = ['payload/not-a-payload', 'payload/damaged', 'payload/manifest'];
        expect(codes.every((code) => allowed.includes(code))).toBe(true);
      }),
    );
  });
});
