import {
  appendFileSync,
  cpSync,
  existsSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

import { Ajv2020 } from 'ajv/dist/2020.js';
import { beforeAll, describe, expect, it } from 'vitest';

import type { PayloadManifest } from '../../../src/config/schema/payload-schema.js';
import { payloadOffset } from '../../../src/media/payload/appended-payload.js';
import { liveIso } from '../../media/support/live-iso.js';
import { madePayload, type MadePayload } from '../../payload/made-payload.js';
import { snoInProcess, type CommandOutput } from '../../support/in-process.js';
import { scratchFolder } from '../../support/scratch.js';

const names = ['north-1', 'north-2', 'south-1'];
const payload = madePayload(1);

/** A fleet whose sites all name a.payload. ECDSA keys for speed. */
function laidFleet(): string {
  const cwd = scratchFolder();
  cpSync('fixtures/fleet', cwd, { recursive: true });
  appendFileSync(
    join(cwd, 'base/sno-config.yaml'),
    'certificates: {keyAlgorithm: ECDSA-P256}\npayload: { file: ../a.payload }\n',
  );
  cpSync('fixtures/configs/payload/manifests', join(cwd, 'base/manifests'), { recursive: true });
  writeFileSync(join(cwd, 'live.iso'), liveIso());
  writeFileSync(join(cwd, 'a.payload'), payload.bytes);
  writeFileSync(join(cwd, 'a.payload.json'), payload.manifest);
  return cwd;
}

function create(cwd: string, ...more: readonly string[]): Promise<CommandOutput> {
  return snoInProcess(['fleet', 'create', '--iso', 'live.iso', '--jobs', '2', ...more], { cwd });
}

const isoOf = (cwd: string, name: string): string => join(cwd, 'out', name, 'single-node.iso');

/** The bytes behind the live image of a site's ISO. */
function behind(cwd: string, name: string): Buffer {
  return readFileSync(isoOf(cwd, name)).subarray(payloadOffset(liveIso().length));
}

/** The sites whose ISO was written by a run, which has no problems. */
async function written(cwd: string, ...more: readonly string[]): Promise<readonly string[]> {
  const before = names.map((name) => statSync(isoOf(cwd, name)).ino);
  const { code, stderr } = await create(cwd, ...more);
  expect([code, stderr]).toEqual([0, '']);
  return names.filter((name, index) => statSync(isoOf(cwd, name)).ino !== before[index]);
}

const ajv = new Ajv2020({ strict: false, validateFormats: false }).addSchema(
  JSON.parse(readFileSync('docs/output.schema.json', 'utf8')) as object,
  'output',
);

/** Release and SHA-256 of a payload. */
function factsOf({ manifest }: MadePayload): { readonly release: string; readonly sha256: string } {
  const { release, fileSystem } = JSON.parse(manifest) as PayloadManifest;
  return { release: release.version, sha256: fileSystem?.sha256 ?? '' };
}

/** Names of the payloads by the shown part of their SHA-256. */
const hashes = new Map([
  [factsOf(payload).sha256.slice(0, 12), 'one'],
  [factsOf(madePayload(2)).sha256.slice(0, 12), 'two'],
]);

function changeSite(cwd: string, from: string, to: string): void {
  const table = join(cwd, 'sites.csv');
  writeFileSync(table, readFileSync(table, 'utf8').replace(from, to));
}

describe('fleet create --iso with a payload', () => {
  let cwd = '';
  beforeAll(async () => {
    cwd = laidFleet();
    const { code, stderr } = await create(cwd);
    expect([code, stderr]).toEqual([0, '']);
  });

  it('appends it to the ISO of each site, and leaves no other file behind', async () => {
    for (const name of names) {
      expect(behind(cwd, name).equals(payload.bytes)).toBe(true);
      for (const path of [`out/${name}`, `out/${name}/single-node.iso`])
        expect(await snoInProcess(['verify', path], { cwd })).toMatchObject({ code: 0, stderr: '' });
    }
    expect(readdirSync(join(cwd, 'out')).filter((name) => name.startsWith('.sno-install-draft'))).toEqual([]);
  });

  it('writes only ISOs that are outdated', async () => {
    expect(await written(cwd)).toEqual([]);
    changeSite(cwd, '10.1.2.10', '10.1.2.20');
    expect(await written(cwd)).toEqual(['north-2']);
    expect(behind(cwd, 'north-2').equals(payload.bytes)).toBe(true);
  });

  it('writes the same ISO as `create single-node-iso`', async () => {
    const contents = (): unknown =>
      ['', '.receipt.json'].map((suffix) => readFileSync(`${isoOf(cwd, 'north-1')}${suffix}`, 'latin1'));
    const before = contents();
    for (const suffix of ['', '.receipt.json']) rmSync(`${isoOf(cwd, 'north-1')}${suffix}`);
    const { code, stderr } = await snoInProcess(
      ['create', 'iso', 'out/north-1', '--iso', 'live.iso', '--log-level', 'warn'],
      { cwd },
    );
    expect([code, stderr]).toEqual([0, '']);
    expect(contents()).toEqual(before);
  });

  it('keeps and copies the payload of existing ISOs if the file is not on this machine', async () => {
    renameSync(join(cwd, 'a.payload'), join(cwd, 'b.payload'));
    expect(await written(cwd)).toEqual([]);
    changeSite(cwd, '10.1.1.10', '10.1.1.30');
    expect(await written(cwd)).toEqual(['north-1']);
    expect(behind(cwd, 'north-1').equals(payload.bytes)).toBe(true);
    expect(await written(cwd, '--payload', 'b.payload')).toEqual([]);

    rmSync(isoOf(cwd, 'south-1'));
    const { code, stderr } = await create(cwd);
    expect([code, stderr]).toEqual([
      0,
      expect.stringContaining(
        'warning[payload/not-on-medium]: the ISO does not contain the payload, because a.payload does not exist (1 site: south-1)\n',
      ),
    ]);
    expect(await written(cwd, '--payload', 'b.payload')).toEqual(['south-1']);
    renameSync(join(cwd, 'b.payload'), join(cwd, 'a.payload'));
  });

  it('refuses a damaged payload, and leaves the ISOs as they are', async () => {
    const damaged = Buffer.from(payload.bytes);
    damaged[50_000] = 0;
    writeFileSync(join(cwd, 'a.payload'), damaged);
    expect(await written(cwd)).toEqual([]);
    changeSite(cwd, '10.1.1.30', '10.1.1.40');
    const before = readFileSync(isoOf(cwd, 'north-1'));
    const { code, stderr } = await create(cwd);
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(
        /^error\[payload\/damaged\]: a\.payload is damaged: .*SHA-256.*\(1 site: north-1\)\n/,
      ),
    ]);
    expect(readFileSync(isoOf(cwd, 'north-1')).equals(before)).toBe(true);
  });

  it('writes all ISOs again for another payload of the same size', async () => {
    const other = madePayload(2);
    expect(other.bytes.length).toBe(payload.bytes.length);
    writeFileSync(join(cwd, 'a.payload'), other.bytes);
    expect(await create(cwd)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(
        'error[payload/other]: a.payload is not the payload whose manifest 3 sites (north-1, north-2, south-1) have\n',
      ) as string,
    });
    writeFileSync(join(cwd, 'a.payload.json'), other.manifest);
    expect(await written(cwd)).toEqual(names);
    expect(behind(cwd, 'north-2').equals(other.bytes)).toBe(true);
  });

  it('writes ISOs without it for --no-payload', async () => {
    expect(await written(cwd, '--no-payload')).toEqual(names);
    expect(statSync(isoOf(cwd, 'north-1')).size).toBe(liveIso().length);
  });

  it('`fleet status` shows the payload of each ISO', async () => {
    const isoRows = async (): Promise<unknown> => {
      const { code, stdout, stderr } = await snoInProcess(['fleet', 'status'], { cwd });
      const rows = stdout
        .replace(/^The first.*\n/m, '')
        .replaceAll(/\(([0-9a-f]{12})\)/g, (_, hash: string) => `(${hashes.get(hash) ?? hash})`);
      return [code, rows.slice(rows.indexOf('SITES  ISO')), stderr.split('\n')[0]];
    };
    const missing =
      'warning[payload/not-on-medium]: the ISO does not contain the payload of the site (1 site: north-1)';
    expect((await create(cwd, '--only', 'north-2', '--only', 'south-1')).code).toBe(0);
    expect(await isoRows()).toEqual([
      0,
      'SITES  ISO\n    1  without a payload, but the site installs from 4.22.0 (two): north-1\n    2  payload 4.22.0 (two)\n',
      missing,
    ]);
    writeFileSync(join(cwd, 'a.payload'), payload.bytes);
    writeFileSync(join(cwd, 'a.payload.json'), payload.manifest);
    expect((await create(cwd, '--only', 'south-1')).code).toBe(0);
    expect((await snoInProcess(['fleet', 'create'], { cwd })).code).toBe(0);
    expect(await isoRows()).toEqual([
      1,
      [
        'SITES  ISO',
        '    1  without a payload, but the site installs from 4.22.0 (one): north-1',
        '    1  payload 4.22.0 (two), but the site installs from 4.22.0 (one): north-2',
        '    1  payload 4.22.0 (one)\n',
      ].join('\n'),
      missing,
    ]);
    const { stdout } = await snoInProcess(['fleet', 'status', '-o', 'json'], { cwd });
    const status = JSON.parse(stdout) as { readonly ok: boolean; readonly sites: readonly unknown[] };
    ajv.validate('output#/$defs/fleetStatus', status);
    expect(ajv.errors).toBeNull();
    const [one, two] = [factsOf(payload), factsOf(madePayload(2))];
    expect([status.ok, status.sites]).toMatchObject([
      false,
      [{ iso: { expected: one } }, { iso: { payload: two, expected: one } }, { iso: { payload: one } }],
    ]);
  });
});

it.each<[string, readonly string[], number, RegExp]>([
  [
    'no site names a payload',
    ['--payload', 'a.payload'],
    1,
    /error\[payload\/other\]: the selected sites name no/,
  ],
  ['a file of another kind', ['--payload', 'live.iso'], 1, /error\[payload\/other\]/],
  ['the live ISO has a payload', [], 1, /error\[payload\/other\]: live\.iso already contains a payload/],
])('%s: nothing is created', async (name, args, code, stderr) => {
  const cwd = laidFleet();
  cpSync('fixtures/fleet/base', join(cwd, 'base'), { recursive: true });
  if (args.length === 0) {
    const live = liveIso();
    const gap = Buffer.alloc(payloadOffset(live.length) - live.length);
    writeFileSync(join(cwd, 'live.iso'), Buffer.concat([live, gap, payload.bytes]));
  }
  const result = await create(cwd, ...args);
  expect([name, result.code, result.stderr]).toEqual([name, code, expect.stringMatching(stderr)]);
  expect(existsSync(join(cwd, 'out'))).toBe(false);
});
