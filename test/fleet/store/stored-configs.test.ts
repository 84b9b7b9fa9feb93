import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, onTestFinished, test, vi } from 'vitest';

import type { Problem } from '../../../src/core/problem.js';
import { success } from '../../../src/core/result.js';
import { recordFile, recordName, type SiteRecord } from '../../../src/disk/site-record/site-record.js';
import { sealedName } from '../../../src/disk/state/sealed-outputs.js';
import { noAccess, type StateAccess } from '../../../src/disk/state/state-access.js';
import { ensureFleetKey, findFleetKey } from '../../../src/fleet/store/fleet-key.js';
import { siteStore } from '../../../src/fleet/store/site-store.js';
import { storedConfigs } from '../../../src/fleet/store/stored-configs.js';
import { encryptAge } from '../../../src/formats/age.js';
import { sha256 } from '../../../src/formats/sha256.js';
import { StoreFault } from '../../../src/remote/object-store/store-fault.js';
import { downloadTracker } from '../../../src/serve/download-tracker.js';
import { openBaseIso } from '../../../src/serve/media/base-iso.js';
import { mediaMaker, packedCache } from '../../../src/serve/media/site-media.js';
import { serverCounts } from '../../../src/serve/metrics/server-counts.js';
import { startServer } from '../../../src/serve/server.js';
import { folderConfigs } from '../../../src/serve/site-configs.js';
import { liveConfigName } from '../../../src/serve/site-folders.js';
import { liveIso } from '../../media/support/live-iso.js';
import { ageKeys } from '../../support/age-keys.js';
import { freePort } from '../../support/ports.js';
import { expectOk } from '../../support/sound-value.js';
import { scratchFolder } from '../../support/scratch.js';
import { memoryStore } from './memory-store.js';

const configName = sealedName(liveConfigName);
const encrypted = (text: string): Promise<Buffer> =>
  encryptAge(text, { recipients: [ageKeys.ours.recipient] }).then((bytes) => Buffer.from(bytes));
const ignition = (text: string): string =>
  JSON.stringify({
    ignition: { version: '3.2.0' },
    storage: { files: [{ path: '/etc/x', contents: { source: `data:,${text}` } }] },
  });
const accessOf = (identity: string): StateAccess => ({
  ...noAccess,
  keys: () => Promise.resolve(success({ identities: [identity], passphrases: [] })),
});

/** A server of north-1 and north-2 from a store in memory; `put` stores a site. */
async function served(identity: string = ageKeys.ours.identity) {
  const folder = scratchFolder();
  const path = join(folder, 'live.iso');
  writeFileSync(path, liveIso());
  const stock = expectOk(await openBaseIso({ path, kernelArguments: [] }));
  const store = memoryStore();
  const key = expectOk(
    await ensureFleetKey(store, {
      recipients: [ageKeys.ours.recipient],
      runs: 'alone',
      keys: { identities: [], passphrases: [] },
    }),
  );
  const faults: StoreFault[] = [];
  const reads: string[] = [];
  const failing = {
    ...store,
    read: (name: string, firstBytes?: number) => {
      reads.push(firstBytes === undefined ? name : `${name} ${firstBytes}`);
      const [fault] = faults;
      return fault === undefined ? store.read(name, firstBytes) : Promise.reject(fault);
    },
  };
  let elapsed = 0;
  const configs = storedConfigs({
    open: async () => {
      const keys = { identities: [ageKeys.ours.identity], passphrases: [] };
      const found = await findFleetKey(failing, { outputs: join(folder, 'out'), isReadOnly: true, keys });
      return found.ok
        ? success(found.value === undefined ? undefined : siteStore(failing, found.value))
        : found;
    },
    access: accessOf(identity),
    elapsedMs: () => elapsed,
  });
  const sites = ['north-1', 'north-2'].map((name) => ({
    name,
    dir: join(folder, 'out', name),
    generation: 0,
  }));
  const reported: Problem[] = [];
  const port = await freePort();
  const server = await startServer(
    {
      stock,
      media: mediaMaker(stock, { configs, cache: packedCache(1) }),
      sites: {
        find: (token) => sites.find(({ name }) => name === token),
        all: () => sites,
        state: () => expect.unreachable(),
        refresh: () => Promise.resolve(),
        end: () => undefined,
        isUsed: () => false,
      },
      visits: downloadTracker(),
      counts: serverCounts(),
      page: { fleetName: 'edge', touched: new Set(), configs, findings: () => new Map(), awaited: [] },
      url: new URL(`http://127.0.0.1:${port}`),
      kernelArguments: [],
      limits: {
        ...{ connections: 100, connectionsPerClient: 100, requestsPerSecond: 1000 },
        ...{ idleMs: 60_000, totalMs: 60_000, headMs: 15_000 },
      },
      isOnce: false,
      now: () => new Date(),
      log: () => undefined,
      onProblems: (problems) => reported.push(...problems),
    },
    { host: '127.0.0.1', port },
  );
  onTestFinished(async () => {
    await server.close(0);
    stock.close();
  });
  const put = async (site: string, config: Buffer): Promise<void> => {
    const state = await encrypted('{}');
    const record: SiteRecord = {
      ...{ program: 'p', questions: [], fingerprint: 'f', issued: '2026-11-02T03:04:05Z', warnings: [] },
      state: sha256(state),
      outputs: [{ path: configName, mode: 0o600, sha256: sha256(config) }],
    };
    const files = [
      { path: recordName, mode: 0o600, contents: Buffer.from(recordFile(record).contents) },
      { path: '.sno-install-state.json', mode: 0o600, contents: state },
      { path: configName, mode: 0o600, contents: config },
    ];
    const there = await store.read(`sites/${site}.tar`);
    await siteStore(store, key).keep(site, { record, files }, there ? { tag: there.tag } : 'nothing');
  };
  /** The ISO of the same config in a folder. */
  const isoOfFolder = async (config: Buffer) => {
    const dir = scratchFolder();
    mkdirSync(join(dir, 'site'));
    writeFileSync(join(dir, 'site', configName), config);
    const access = accessOf(ageKeys.ours.identity);
    const media = mediaMaker(stock, { configs: folderConfigs(access), cache: packedCache(1) });
    const { iso } = expectOk(await media.of({ name: 'site', dir: join(dir, 'site') }));
    const bytes = await iso.read(0, iso.bytes);
    return { etag: iso.etag, bytes: Buffer.from(bytes ?? []), area: stock.iso.area };
  };
  const get = async (site: string, init: RequestInit = {}) => {
    const answer = await fetch(`http://127.0.0.1:${port}/${site}/live.iso`, init);
    const body = Buffer.from(await answer.arrayBuffer());
    return { status: answer.status, etag: answer.headers.get('etag'), body, headers: answer.headers };
  };
  return {
    ...{ folder, store, faults, reads, configs, sites, reported, put, get, isoOfFolder },
    later: (ms: number): void => {
      elapsed += ms;
    },
  };
}

test('streams the ISO of the collected outputs, whole, as HEAD and in ranges, and writes no file', async () => {
  const { folder, put, get, isoOfFolder, reported, reads } = await served();
  const configs = [await encrypted(ignition('one')), await encrypted(ignition('two'))] as const;
  await put('north-1', configs[0]);
  await put('north-2', configs[1]);
  const want = await isoOfFolder(configs[0]);

  const whole = await get('north-1');
  expect([whole.status, whole.etag]).toEqual([200, want.etag]);
  expect(whole.body.equals(want.bytes)).toBe(true);
  const head = await get('north-1', { method: 'HEAD' });
  expect([head.status, head.etag, head.headers.get('content-length')]).toEqual([
    200,
    want.etag,
    String(want.bytes.length),
  ]);
  // The other site takes the place in the cache of packed configs.
  const other = await get('north-2');
  expect(other.body.equals((await isoOfFolder(configs[1])).bytes)).toBe(true);
  const { offset } = want.area;
  const range = await get('north-1', { headers: { range: `bytes=${offset + 3}-${offset + 99}` } });
  expect(range.status).toBe(206);
  expect(range.body.equals(want.bytes.subarray(offset + 3, offset + 100))).toBe(true);
  const same = await get('north-1', {
    headers: { 'if-none-match': want.etag, 'cache-control': 'max-age=0' },
  });
  expect(same.status).toBe(304);

  expect(reads.filter((name) => name.startsWith('sites/'))).toEqual([
    ...['sites/north-1.tar 1', 'sites/north-1.tar', 'sites/north-2.tar 1', 'sites/north-2.tar'],
  ]);
  expect(readdirSync(folder)).toEqual(['live.iso']);
  expect(reported).toEqual([]);
});

test('serves a changed object after five seconds, and a missing one as soon as it exists', async () => {
  const { put, get, isoOfFolder, reported, later, configs, sites } = await served();
  const [before, after] = [await encrypted(ignition('before')), await encrypted(ignition('after'))];
  expect((await get('north-1')).status).toBe(404);
  expect(reported.splice(0).map(({ message }) => message)).toEqual([
    'the store contains no outputs of north-1 yet',
  ]);
  await put('north-1', before);
  later(5000);
  expect(sites.map(configs.wasRead)).toEqual([false, false]);
  const first = await get('north-1');
  expect(sites.map(configs.wasRead)).toEqual([true, false]);
  await put('north-1', after);
  expect((await get('north-1')).etag).toBe(first.etag);
  later(5000);
  const want = await isoOfFolder(after);
  const second = await get('north-1');
  expect(second.etag).toBe(want.etag);
  expect(second.etag).not.toBe(first.etag);
  expect(second.body.equals(want.bytes)).toBe(true);
  expect(reported).toEqual([]);
});

test('an object that changes between the look and the download is served in its new version', async () => {
  const { put, get, isoOfFolder, reported, configs, sites } = await served();
  await put('north-1', await encrypted(ignition('before')));
  const [site] = sites;
  expectOk(await configs.find(site ?? expect.unreachable()));
  const after = await encrypted(ignition('after'));
  await put('north-1', after);
  expect((await get('north-1')).etag).toBe((await isoOfFolder(after)).etag);
  expect(reported).toEqual([]);
});

test('answers 503 while the store does not answer, and goes on afterwards', async () => {
  const { put, get, reported, later, faults } = await served();
  await put('north-1', await encrypted(ignition('one')));
  expect((await get('north-1')).status).toBe(200);
  faults.push(new StoreFault('unreachable', 'timed out', { mayPass: true }));
  later(5000);
  const down = await get('north-1');
  expect([down.status, down.headers.get('retry-after')]).toEqual([503, '10']);
  expect(reported.splice(0).map(({ code }) => code)).toEqual(['store/unreachable']);
  faults.pop();
  expect((await get('north-1')).status).toBe(200);
  expect(reported).toEqual([]);
});

test('answers 404 for another identity and for a damaged archive, and tells why', async () => {
  const { put, get, reported, store } = await served(ageKeys.others.identity);
  await put('north-1', await encrypted(ignition('one')));
  expect((await get('north-1')).status).toBe(404);
  store.objects.set('sites/north-2.tar', store.objects.get('sites/north-1.tar') ?? expect.unreachable());
  expect((await get('north-2')).status).toBe(404);
  expect(reported.map(({ code }) => code)).toEqual(['state/wrong-identity', 'store/damaged']);
});

test('the status page looks at each site once in five minutes, and stops when the store does not answer', async () => {
  const { put, configs, sites, reads, later, faults } = await served();
  await put('north-2', await encrypted(ignition('two')));
  const site = (name: string): readonly string[] => ['fleet-key.age', `sites/${name}.tar 1`];
  const both = [...site('north-1'), ...site('north-2')];
  const watchUntil = (want: readonly string[]): Promise<void> =>
    vi.waitFor(() => {
      configs.watch(sites);
      expect(reads).toEqual(want);
    });
  expect(sites.map(configs.isKnown)).toEqual([false, false]);
  await watchUntil(both);
  await vi.waitFor(() => {
    expect(sites.map(configs.isKnown)).toEqual([false, true]);
  });
  later(299_000);
  await watchUntil(both);
  later(1000);
  faults.push(new StoreFault('unreachable', 'timed out'));
  await watchUntil([...both, 'fleet-key.age']);
  expect(sites.map(configs.isKnown)).toEqual([false, true]);
  faults.pop();
  await watchUntil([...both, 'fleet-key.age', ...both]);
});
