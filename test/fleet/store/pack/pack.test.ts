import { cpSync, mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { problemsOf } from '../../../../src/core/result.js';
import { noStandardInput } from '../../../../src/disk/external-files/standard-input.js';
import { cachedInputs } from '../../../../src/disk/read-inputs.js';
import { filesOf } from '../../../../src/fleet/build/site-file-options.js';
import { withFleetVariables, type LoadedFleet } from '../../../../src/fleet/table/check-fleet.js';
import { packedFolder } from '../../../../src/fleet/table/packed-files.js';
import { fleetFilesOf, openFleet } from '../../../../src/fleet/table/read-fleet.js';
import { siteFiles, type FleetFiles } from '../../../../src/fleet/table/site-files.js';
import { withSecrets } from '../../../../src/fleet/table/site-secrets.js';
import { siteFileCollector } from '../../../../src/fleet/store/pack/files-of-sites.js';
import { fetchPack, publishPacks, storePack } from '../../../../src/fleet/store/pack/pack-store.js';
import { fleetIdOf, shardRows, type ShardPack } from '../../../../src/fleet/store/pack/shard-pack.js';
import { ageKeys } from '../../../support/age-keys.js';
import { expectOk } from '../../../support/sound-value.js';
import { snoConfigText } from '../../../support/minimal-config.js';
import { scratchFolder } from '../../../support/scratch.js';
import { fleetFolder, fleetText, noProgress } from '../../files.js';
import { memoryStore } from '../memory-store.js';

const fleetKey = '7b'.repeat(32);
const fleetId = fleetIdOf(fleetKey);
const program = 'build-1';
const recipients = [ageKeys.ours.recipient];
const keys = { identities: [ageKeys.ours.identity], passphrases: [] };
const variables = { SITE_KEY: 'value-of-the-variable' };
const shards = 2;

/** Three sites with a class, an override, a secret, and files outside of the fleet's folder. */
function packedFleet(changes: Readonly<Record<string, string>> = {}): string {
  const outside = join(scratchFolder(), 'pull.json');
  writeFileSync(outside, 'text-of-the-pull-secret');
  return fleetFolder({
    'fleet.yaml': fleetText(
      'classes: ["${hardware}"]\nsecrets: { token: { command: [printf, "token-of-%s", "${name}"] } }\n',
    ),
    'sites.csv':
      'name,ip,hardware\nnorth-1,192.168.126.10,a\nnorth-2,192.168.126.11,b\nnorth-3,192.168.126.12,a\n',
    'base/sno-config.yaml': snoConfigText(
      `hostname: \${name}\nnodeIP: \${ip}\npullSecretFile: ${outside}\nsshKeyFile: env:SITE_KEY\n`,
    ),
    'base/openshift/99-a.yaml': 'kind: ConfigMap\ndata: { a: "${token}" }\n',
    'base/openshift/.hidden': 'a',
    'classes/a/sno-config.yaml': 'sshKeyFile: ../../key-of-class-a\n',
    'classes/b/openshift/99-b.yaml': 'kind: ConfigMap\n',
    'key-of-class-a': 'text-of-the-key',
    'overrides/north-2/sno-config.yaml': 'hostname: other\n',
    ...changes,
  });
}

async function opened(dir: string): Promise<LoadedFleet> {
  return withSecrets(expectOk(openFleet(dir, { outside: { variables, stdin: noStandardInput } })), {
    ...{ dir, isAllowed: false, jobs: 1, showProgress: noProgress },
  });
}

function packsOf(dir: string, fleet: LoadedFleet): readonly ShardPack[] {
  const collect = siteFileCollector(fleet, cachedInputs(dir, {}));
  return Array.from({ length: shards }, (_, index) => {
    const rows = shardRows(fleet, { index, shards });
    const { variables: names, ...packed } = expectOk(collect(rows));
    expect(names).toEqual(index === 0 ? [] : ['SITE_KEY']);
    const { columns } = fleet.table;
    return { index, shards, program, fleetKey, variables, columns, rows, packed };
  });
}

async function stored(store: ReturnType<typeof memoryStore>, packs: readonly ShardPack[]): Promise<void> {
  const made = [];
  for (const pack of packs) made.push(expectOk(await storePack(store, pack, recipients)));
  await publishPacks(
    store,
    fleetKey,
    made.map(({ name }) => name),
  );
}

const access = { shard: { index: 0, shards }, keys, fleetId, program };

const noSources = { variables: {}, stdin: noStandardInput };

function rowOf<T>(rows: readonly T[]): T {
  const [row] = rows;
  if (row === undefined) throw new Error('there is no row');
  return row;
}

/** All paths that sites have in memory or on disk. */
function treeOf({ inputs }: ReturnType<typeof siteFiles>, folder = '.'): Readonly<Record<string, string>> {
  const names = inputs.list(folder);
  if (names === undefined) {
    const read = inputs.read(folder);
    return { [folder]: read.kind === 'file' ? Buffer.from(read.bytes).toString('utf8') : read.kind };
  }
  return Object.assign(
    { [`${folder}/`]: names.join(' ') },
    ...names.map((name) => treeOf({ inputs } as ReturnType<typeof siteFiles>, join(folder, name))),
  ) as Readonly<Record<string, string>>;
}

describe('packs', () => {
  test('give pods the same files, variables and secrets as the folder of the fleet', async () => {
    const dir = packedFleet();
    const fleet = await opened(dir);
    const store = memoryStore();
    await stored(store, packsOf(dir, fleet));
    const { base, overrides, classes, raw } = fleet.fleet;
    const order = { base, overrides, classes: classes, raw, dir, variables };
    const onDisk = filesOf(order);
    for (const index of [0, 1]) {
      const pack = expectOk(await fetchPack(store, { ...access, shard: { index, shards } }));
      const outside = { variables: pack.variables, stdin: noStandardInput };
      const inPack = fleetFilesOf(fleet.fleet, packedFolder(pack.packed, outside));
      expect(pack.rows.map(({ name }) => name)).toEqual(index === 0 ? ['north-1', 'north-3'] : ['north-2']);
      expect([...pack.columns]).toEqual([...fleet.table.columns]);
      for (const row of pack.rows) {
        const own = fleet.rows.find(({ name }) => name === row.name);
        if (own === undefined) throw new Error('a row of another fleet');
        const site = (files: FleetFiles, of: typeof row) =>
          siteFiles(files, withFleetVariables(of, fleet.fleet));
        const [packed, local] = [site(inPack, row), site(onDisk, own)];
        expect(treeOf(packed)).toEqual(treeOf(local));
        expect(treeOf(packed)['openshift/99-a.yaml']).toContain(`token-of-${row.name}`);
        const named = ['pullSecretFile', 'sshKeyFile'].map((field) => {
          const [config] = packed.documentsOf('sno-config.yaml');
          const text =
            config?.kind === 'map' ? config.entries.find(({ key }) => key === field)?.value : undefined;
          const path = text?.kind === 'scalar' ? (JSON.parse(text.yaml) as string) : '';
          const place = path.startsWith('env:')
            ? ({ kind: 'variable', name: path.slice(4) } as const)
            : ({ kind: 'file', path } as const);
          return [packed, local].map(({ inputs }) => {
            const read = inputs.readReference({ field, place });
            return read.kind === 'file' ? Buffer.from(read.bytes).toString('utf8') : read;
          });
        });
        for (const [left, right] of named) expect(left).toEqual(right);
        expect(named.map(([read]) => read)).toEqual([
          'text-of-the-pull-secret',
          index === 0 ? 'text-of-the-key' : 'value-of-the-variable',
        ]);
      }
      // A pack has only the classes and overrides of its sites.
      const paths = [...pack.packed.files.keys()].join(' ');
      expect(paths.includes('classes/a')).toBe(index === 0);
      expect(paths.includes('overrides/north-2')).toBe(index === 1);
    }
  });

  test('contain the files that ClusterInstances provide', async () => {
    const dir = fleetFolder({ 'fleet.yaml': fleetText().replace('sites.csv', 'clusters') });
    cpSync('fixtures/import/ztp', join(dir, 'clusters'), { recursive: true });
    const fleet = expectOk(openFleet(dir));
    const files = expectOk(siteFileCollector(fleet, cachedInputs(dir, {}))(fleet.rows));
    const { columns } = fleet.table;
    const own = { index: 0, shards: 1, program, fleetKey, variables: {}, columns, hasLayers: true } as const;
    const store = memoryStore();
    await stored(store, [{ ...own, rows: fleet.rows, packed: files }]);
    const pack = expectOk(await fetchPack(store, { ...access, shard: { index: 0, shards: 1 } }));
    const inPack = fleetFilesOf(fleet.fleet, packedFolder(pack.packed, noSources));
    const trees = [siteFiles(inPack, rowOf(pack.rows)), siteFiles(fleet.files, rowOf(fleet.rows))].map(
      (site) => treeOf(site),
    );
    expect(trees[0]).toEqual(trees[1]);
    expect(trees[0]?.['install-config.yaml']).toContain('baseDomain');
    expect(pack.rows[0]?.bmc).toEqual(fleet.rows[0]?.bmc);
  });

  test('contain the manifest and the image references that a site names, but not its payload', () => {
    const named = 'imageReferences: ../refs.json\npayload: { file: "${payload}" }\n';
    const dir = fleetFolder({
      'sites.csv': 'name,ip,payload\nnorth-1,192.168.126.10,a.payload\nnorth-2,192.168.126.11,../b.payload\n',
      'base/sno-config.yaml': snoConfigText(`hostname: \${name}\nnodeIP: \${ip}\n${named}`),
      ...{ 'base/a.payload.json': '{ "a": 1 }', 'b.payload.json': '{ "b": 1 }', 'refs.json': '{}' },
      'overrides/north-1/a.payload.json': '{ "c": 1 }',
    });
    // Larger than any file that is read.
    for (const path of ['base/a.payload', 'overrides/north-1/a.payload', 'b.payload']) {
      writeFileSync(join(dir, path), '');
      truncateSync(join(dir, path), 128 * 1024 * 1024);
    }
    const fleet = expectOk(openFleet(dir));
    const files = expectOk(siteFileCollector(fleet, cachedInputs(dir, {}))(fleet.rows));
    expect([...files.files.keys()].toSorted()).toEqual([
      'b.payload.json',
      'base/a.payload.json',
      ...['base/install-config.yaml', 'base/sno-config.yaml', 'fleet.yaml'],
      'overrides/north-1/a.payload.json',
      'refs.json',
    ]);
    const inPack = fleetFilesOf(fleet.fleet, packedFolder(files, noSources));
    for (const row of fleet.rows) {
      const read = (from: FleetFiles) => {
        const { inputs } = siteFiles(from, withFleetVariables(row, fleet.fleet));
        return ['a.payload.json', '../b.payload.json', '../refs.json'].map((path) => inputs.digest(path));
      };
      expect(read(inPack)).toEqual(read(fleet.files));
    }
  });

  test('are encrypted, and their names and their list reveal nothing', async () => {
    const dir = packedFleet();
    const store = memoryStore();
    await stored(store, packsOf(dir, await opened(dir)));
    const all = [...store.objects].map(([name, bytes]) => name + bytes.toString('latin1')).join('\n');
    expect(all).not.toMatch(/north-|token-of|text-of|value-of|192\.168/);
    expect(all).not.toContain(fleetKey);
    const other = { identities: [ageKeys.others.identity], passphrases: [] };
    expect(problemsOf(await fetchPack(store, { ...access, keys: other }))).toMatchObject([
      { code: 'pack/key' },
    ]);
  });

  test('are uploaded again only for a changed shard, and the list last', async () => {
    const dir = packedFleet();
    const store = memoryStore();
    await stored(store, packsOf(dir, await opened(dir)));
    expect(store.written).toHaveLength(shards + 1);
    expect(store.written.at(-1)).toBe('packs/current.json');
    store.written.length = 0;
    await stored(store, packsOf(dir, await opened(dir)));
    expect(store.written).toEqual([]);
    writeFileSync(join(dir, 'overrides/north-2/sno-config.yaml'), 'hostname: third\n');
    await stored(store, packsOf(dir, await opened(dir)));
    expect(store.written).toHaveLength(2);
    const changed = expectOk(await fetchPack(store, { ...access, shard: { index: 1, shards } }));
    expect(
      Buffer.from(changed.packed.files.get('overrides/north-2/sno-config.yaml') ?? '').toString(),
    ).toContain('third');
  });

  test('of an interrupted run are not current', async () => {
    const dir = packedFleet();
    const store = memoryStore();
    await stored(store, packsOf(dir, await opened(dir)));
    const before = expectOk(await fetchPack(store, access));
    writeFileSync(join(dir, 'base/openshift/99-a.yaml'), 'kind: Secret\n');
    for (const pack of packsOf(dir, await opened(dir))) expectOk(await storePack(store, pack, recipients));
    expect(expectOk(await fetchPack(store, access))).toEqual(before);
  });

  const name = (store: ReturnType<typeof memoryStore>, index: number): string => {
    const { packs } = JSON.parse(store.objects.get('packs/current.json')?.toString() ?? '') as {
      packs: string[];
    };
    return `packs/${packs[index] ?? ''}.age`;
  };
  const forger = 'cc'.repeat(32);
  test.each<
    [string, string, (store: ReturnType<typeof memoryStore>, packs: readonly ShardPack[]) => unknown, object?]
  >([
    [
      'no packs',
      'pack/missing',
      (store) => {
        store.objects.clear();
      },
    ],
    ['no pack of this shard', 'pack/missing', (store) => store.objects.delete(name(store, 0))],
    ['another number of shards', 'pack/shards', () => undefined, { shard: { index: 0, shards: 3 } }],
    ['another build', 'pack/program', () => undefined, { program: 'build-2' }],
    [
      'the pack of another shard',
      'pack/damaged',
      (store) => store.objects.set(name(store, 0), store.objects.get(name(store, 1)) ?? Buffer.of()),
    ],
    [
      'a cut pack',
      'pack/damaged',
      (store) =>
        store.objects.set(name(store, 0), store.objects.get(name(store, 0))?.subarray(0, -1) ?? Buffer.of()),
    ],
    [
      'a list that is no list',
      'pack/damaged',
      (store) => store.objects.set('packs/current.json', Buffer.from('{}')),
    ],
    [
      'a list of somebody without the key',
      'pack/damaged',
      (store) => {
        const list = JSON.parse(store.objects.get('packs/current.json')?.toString() ?? '') as {
          digest: string;
        };
        store.objects.set('packs/current.json', Buffer.from(JSON.stringify({ ...list, digest: 'ab' })));
      },
    ],
    [
      'packs of somebody with another key',
      'pack/fleet',
      async (store, packs) => {
        const made = [];
        for (const pack of packs)
          made.push(expectOk(await storePack(store, { ...pack, fleetKey: forger }, recipients)));
        await publishPacks(
          store,
          forger,
          made.map((each) => each.name),
        );
      },
    ],
  ])('%s: %s', async (_what, code, change, own = {}) => {
    const dir = packedFleet();
    const packs = packsOf(dir, await opened(dir));
    const store = memoryStore();
    await stored(store, packs);
    await change(store, packs);
    expect(problemsOf(await fetchPack(store, { ...access, ...own })).map((each) => each.code)).toEqual([
      code,
    ]);
  });

  test('have a limited size', async () => {
    const dir = packedFleet();
    const [pack] = packsOf(dir, await opened(dir));
    if (pack === undefined) throw new Error('there are no packs');
    const store = memoryStore();
    const kept = await storePack(store, pack, recipients, 100);
    expect(problemsOf(kept)).toMatchObject([{ code: 'pack/too-large' }]);
    expect(store.written).toEqual([]);
  });

  test('need every file of the base, and end at links to a parent', async () => {
    const dir = packedFleet();
    symlinkSync('/dev/null', join(dir, 'base/odd.yaml'));
    mkdirSync(join(dir, 'base/extra'));
    symlinkSync('..', join(dir, 'base/extra/loop'));
    const fleet = await opened(dir);
    const { problems } = {
      problems: problemsOf(siteFileCollector(fleet, cachedInputs(dir, {}))(fleet.rows)),
    };
    expect(new Set(problems.map(({ code }) => code))).toEqual(new Set(['pack/file']));
    expect(problems.map(({ message }) => message)).toContain(
      'directories are nested more than 20 levels deep',
    );
  });
});
