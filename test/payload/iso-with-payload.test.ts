import { copyFileSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';

import { largeMedium } from '../../src/cli/payload/payload-for-iso.js';
import type { DiskImage } from '../../src/formats/disk-image.js';
import { payloadOffset, withPayload } from '../../src/media/payload/appended-payload.js';
import { liveIso } from '../media/support/live-iso.js';
import { snoInProcess, type CommandOutput } from '../support/in-process.js';
import { snoConfigText } from '../support/minimal-config.js';
import { describeWith } from '../support/programs.js';
import { scratchFolder } from '../support/scratch.js';
import { makeRelease, writeStorage } from './made-release.js';
import { payloadPlace } from './payload-place.js';

function imageOf(bytes: Buffer): DiskImage {
  return {
    bytes: bytes.length,
    read: (offset, length) =>
      offset + length > bytes.length ? undefined : bytes.subarray(offset, offset + length),
  };
}

describe('a live image with a payload behind it', () => {
  const [live, payload] = [Buffer.alloc(1_500_000, 'l'), Buffer.alloc(70_000, 'p')];
  const whole = Buffer.concat([live, Buffer.alloc(2 * 1024 ** 2 - live.length), payload]);
  const image = withPayload(imageOf(live), imageOf(payload));

  it('has the payload at the first MiB multiple', () => {
    expect([image.bytes, payloadOffset(live.length), payloadOffset(1024 ** 2)]).toEqual([
      whole.length,
      2 * 1024 ** 2,
      1024 ** 2,
    ]);
  });

  it('is read anywhere as if it were one file', () => {
    fc.assert(
      fc.property(fc.nat(whole.length), fc.nat(300_000), (offset, length) => {
        const end = offset + length;
        const wanted = end > whole.length ? undefined : whole.subarray(offset, end);
        const read = image.read(offset, length);
        expect(read === undefined ? wanted === undefined : wanted?.equals(read)).toBe(true);
      }),
    );
  });
});

it('an ISO from 4 GiB on gets a warning', () => {
  const shown = [4 * 1024 ** 3 - 1, 4 * 1024 ** 3].map((bytes) => largeMedium(bytes).map(({ code }) => code));
  expect(shown).toEqual([[], ['payload/large-medium']]);
});

describeWith(['mksquashfs'], 'create single-node-iso --payload', () => {
  let folder = '';
  beforeAll(async () => {
    folder = scratchFolder();
    const release = await makeRelease({ version: '4.22.1' });
    const { cwd, create } = payloadPlace(release);
    writeStorage(join(cwd, 'mirror'), release);
    expect((await create('--from', 'mirror', '--out', 'x.payload')).code).toBe(0);
    for (const file of ['x.payload', 'x.payload.json']) copyFileSync(join(cwd, file), join(folder, file));
    copyFileSync(join(cwd, 'site1/install-config.yaml'), join(folder, 'install-config.yaml'));
    writeFileSync(join(folder, 'live.iso'), liveIso());
  });

  /** Creates the ISO of a site with this sno-config.yaml. */
  async function createIso(
    body: string,
    ...args: readonly string[]
  ): Promise<CommandOutput & { cwd: string }> {
    const cwd = scratchFolder();
    for (const file of ['x.payload', 'x.payload.json', 'install-config.yaml', 'live.iso'])
      copyFileSync(join(folder, file), join(cwd, file));
    writeFileSync(
      join(cwd, 'sno-config.yaml'),
      snoConfigText(`certificates: {keyAlgorithm: ECDSA-P256}\n${body}`),
    );
    const words = [
      'create',
      'iso',
      '--iso',
      'live.iso',
      '--out',
      'site.iso',
      '--log-level',
      'warn',
      '--force',
    ];
    return { cwd, ...(await snoInProcess([...words, ...args], { cwd })) };
  }

  const withIt = 'payload: {file: x.payload}\n';

  it('appends the payload behind the live image', async () => {
    const { cwd, code, stderr } = await createIso(withIt);
    expect([code, stderr]).toEqual([0, expect.not.stringContaining('payload/')]);
    const [iso, payload] = ['site.iso', 'x.payload'].map((file) => readFileSync(join(cwd, file)));
    const offset = payloadOffset(statSync(join(cwd, 'live.iso')).size);
    expect(payload !== undefined && iso?.subarray(offset).equals(payload)).toBe(true);
    const verified = await snoInProcess(['verify', '--dir', cwd], { cwd });
    expect(verified.code).toBe(0);
    const { medium } = JSON.parse(readFileSync(join(cwd, 'site.iso.receipt.json'), 'utf8')) as {
      readonly medium: object;
    };
    const { fileSystem } = JSON.parse(readFileSync(join(cwd, 'x.payload.json'), 'utf8')) as {
      readonly fileSystem: { readonly sha256: string };
    };
    expect(medium).toMatchObject({ payload: { release: '4.22.1', sha256: fileSystem.sha256 } });
    expect(verified.stdout).toContain(`  with the payload 4.22.1, sha256 ${fileSystem.sha256}\n`);
    const again = await snoInProcess(
      ['create', 'iso', '--iso', 'site.iso', '--out', 'two.iso', '--force', '--payload', 'x.payload'],
      { cwd },
    );
    expect([again.code, again.stderr]).toEqual([
      1,
      expect.stringContaining('error[payload/other]: site.iso already contains a payload'),
    ]);
  });

  it('leaves the payload out for --no-payload', async () => {
    const { cwd, code, stderr } = await createIso(withIt, '--no-payload');
    expect([code, stderr]).toEqual([0, expect.not.stringContaining('payload/')]);
    expect(statSync(join(cwd, 'site.iso')).size).toBe(statSync(join(cwd, 'live.iso')).size);
  });

  it('shows with inspect and verify whether the ISO contains the payload of its config', async () => {
    const { cwd } = await createIso(withIt);
    const shown = async (iso: string): Promise<readonly unknown[]> => {
      const [text, json, verified] = [
        await snoInProcess(['inspect', iso], { cwd }),
        await snoInProcess(['inspect', iso, '-o', 'json'], { cwd }),
        await snoInProcess(['verify', iso], { cwd }),
      ];
      const { medium } = JSON.parse(json.stdout) as {
        readonly medium: { readonly iso: { readonly payload?: unknown } };
      };
      return [
        /^ *Payload is +(.*)$/m.exec(text.stdout)?.[1],
        medium.iso.payload,
        /^ {2}the payload is (.*)$/m.exec(verified.stdout)?.[1],
      ];
    };
    const manifest = readFileSync(join(cwd, 'x.payload.json'), 'utf8');
    const { fileSystem } = JSON.parse(manifest) as { readonly fileSystem: { readonly sha256: string } };
    expect(await shown('site.iso')).toEqual([
      'on this medium',
      { release: '4.22.1', sha256: fileSystem.sha256 },
      'on this medium',
    ]);
    const words = ['create', 'iso', '--iso', 'live.iso', '--out', 'bare.iso', '--no-payload', '--force'];
    expect((await snoInProcess(words, { cwd })).code).toBe(0);
    expect(await shown('bare.iso')).toEqual(['not on this medium', undefined, 'not on this medium']);
    const iso = readFileSync(join(cwd, 'site.iso'));
    const other = iso.toString('latin1').replaceAll(fileSystem.sha256, 'a'.repeat(64));
    // The config in the ISO is compressed, so this changes the manifest only.
    writeFileSync(join(cwd, 'other.iso'), Buffer.from(other, 'latin1'));
    expect((await shown('other.iso'))[0]).toBe('not on this medium, but another one is');
  });

  it('warns of an ISO without the payload of the site, and keeps that of the live ISO', async () => {
    const { cwd } = await createIso(withIt);
    rmSync(join(cwd, 'x.payload'));
    const again = (iso: string): Promise<CommandOutput> =>
      snoInProcess(['create', 'iso', '--iso', iso, '--out', `${iso}.iso`, '--force'], { cwd });
    expect((await again('live.iso')).stderr).toContain(
      'warning[payload/not-on-medium]: the ISO does not contain the payload, because x.payload does not exist\n',
    );
    expect((await again('site.iso')).stderr).not.toContain('payload/');
  });

  it('refuses a damaged payload before the configs are created', async () => {
    const cwd = scratchFolder();
    for (const file of ['x.payload', 'x.payload.json', 'install-config.yaml', 'live.iso'])
      copyFileSync(join(folder, file), join(cwd, file));
    const bytes = readFileSync(join(cwd, 'x.payload'));
    bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1;
    writeFileSync(join(cwd, 'x.payload'), bytes);
    writeFileSync(join(cwd, 'sno-config.yaml'), snoConfigText(withIt));
    const { code, stderr } = await snoInProcess(['create', 'iso', '--iso', 'live.iso', '--force'], { cwd });
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining('error[payload/damaged]: x.payload is damaged'),
    ]);
    expect(existsSync(join(cwd, 'auth'))).toBe(false);
  });

  it('refuses a payload that the configuration does not name', async () => {
    const { code, stderr } = await createIso('hostname: sno\n', '--payload', 'x.payload');
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining('error[payload/other]: sno-config.yaml names no payload'),
    ]);
  });

  it('refuses another payload than that of the site', async () => {
    const cwd = scratchFolder();
    for (const file of ['x.payload', 'install-config.yaml', 'live.iso'])
      copyFileSync(join(folder, file), join(cwd, file));
    const manifest = readFileSync(join(folder, 'x.payload.json'), 'utf8');
    writeFileSync(
      join(cwd, 'z.payload.json'),
      manifest.replace(/"sha256": "[0-9a-f]{8}/, '"sha256": "00000000'),
    );
    writeFileSync(join(cwd, 'sno-config.yaml'), snoConfigText('payload: {file: z.payload}\n'));
    const words = ['create', 'iso', '--iso', 'live.iso', '--force', '--payload', 'x.payload'];
    const { code, stderr } = await snoInProcess(words, { cwd });
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining('x.payload is OpenShift 4.22.1, and is not the payload of the site, z.payload'),
    ]);
  });

  it('refuses a file of another kind', async () => {
    const { code, stderr } = await createIso(withIt, '--payload', 'live.iso');
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining('error[payload/not-a-payload]: live.iso is no payload'),
    ]);
  });
});
