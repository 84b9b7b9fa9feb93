import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeAll, expect, test } from 'vitest';

import { liveIso } from '../../media/support/live-iso.js';
import { ageKeys } from '../../support/age-keys.js';
import { sno } from '../../support/command.js';
import { describeWith } from '../../support/programs.js';
import { serving, urlsIn } from '../../support/serving.js';
import { buildTimeoutMs, hasGo, toolFolder } from '../control-plane/support/tools.js';
import { startedStore } from './started-store.js';
import { storedFleet } from './stored-fleet.js';
import { scaledMs } from '../../support/time-scale.js';

const storeUrl = 's3://sites/spring';
const patient = { timeout: scaledMs(60_000), interval: 200 };

/** Paths below a folder, without the files of `serve` itself. */
function pathsIn(dir: string): readonly string[] {
  return readdirSync(dir, { recursive: true, encoding: 'utf8' })
    .filter((name) => !name.startsWith('.sno-install-serve.json'))
    .toSorted();
}

async function bodyOf(url: string): Promise<{ readonly etag: string | null; readonly bytes: Buffer }> {
  const answer = await fetch(url);
  expect(answer.status).toBe(200);
  return { etag: answer.headers.get('etag'), bytes: Buffer.from(await answer.arrayBuffer()) };
}

describeWith([hasGo ? 'bash' : 'go'], 'serve with a real S3 store (versitygw)', () => {
  beforeAll(async () => {
    await toolFolder('versitygw');
  }, buildTimeoutMs);

  test('streams what a folder of collected sites gives, writes no output, and survives an outage', async () => {
    const store = await startedStore();
    const maker = storedFleet(2);
    const inStore = (...args: readonly string[]): number | null =>
      sno(['fleet', ...args, '--dir', maker.dir, '--store', storeUrl], { variables: store.variables }).code;
    expect(inStore('create', '--shard', '0/2')).toBe(0);

    // Another machine: the table and an identity, no outputs and no fleet key.
    const { dir, identity } = storedFleet(2);
    writeFileSync(join(dir, 'live.iso'), liveIso());
    const before = pathsIn(dir);
    const options = ['--fleet', dir, '--http', '--iso', join(dir, 'live.iso'), '--identity', identity];
    const stored = [...options, '--store', storeUrl];
    const server = await serving(dir, stored, store.variables);
    const { sites, metrics } = urlsIn(dir, server.url, stored);
    const [first = '', second = ''] = sites.map(({ iso }) => iso);
    const phases = async (): Promise<readonly string[]> => {
      const answer = await fetch(metrics.url, { headers: { authorization: `Bearer ${metrics.token}` } });
      const text = await answer.text();
      return text.split('\n').filter((line) => /phase="(?:no-outputs|made|fetched)"/.test(line));
    };
    const phase = (name: string, sitesIn: number): unknown =>
      expect.stringMatching(new RegExp(`phase="${name}".* ${sitesIn}$`));
    await expect
      .poll(phases, patient)
      .toEqual([phase('no-outputs', 1), phase('created', 1), phase('fetched', 0)]);

    const streamed = await bodyOf(first);
    const status = async (url: string): Promise<number> => (await fetch(url, { method: 'HEAD' })).status;
    expect(await status(second)).toBe(404);

    await store.stop();
    await expect.poll(() => status(first), patient).toBe(503);
    expect(server.said()).toContain('error[store/unreachable]');
    await store.start();
    await expect.poll(() => status(first), patient).toBe(200);
    expect(inStore('create', '--shard', '1/2')).toBe(0);
    await expect.poll(() => status(second), patient).toBe(200);
    expect(pathsIn(dir)).toEqual(before);
    expect(await server.stop()).toBe(0);

    expect(inStore('collect')).toBe(0);
    const folder = ['--fleet', maker.dir, '--http', '--iso', join(dir, 'live.iso'), '--identity', identity];
    const collected = await serving(maker.dir, folder);
    const want = await bodyOf(urlsIn(maker.dir, collected.url, folder).sites[0]?.iso ?? '');
    expect(streamed.etag).toBe(want.etag);
    expect(streamed.bytes.equals(want.bytes)).toBe(true);
  });

  test('does not start with an identity of another fleet', async () => {
    const store = await startedStore();
    const { dir } = storedFleet(1, { 'other.txt': `${ageKeys.others.identity}\n` });
    const variables = { ...store.variables };
    expect(sno(['fleet', 'create', '--dir', dir, '--store', storeUrl], { variables }).code).toBe(0);
    const other = storedFleet(1, { 'other.txt': `${ageKeys.others.identity}\n` }).dir;
    writeFileSync(join(other, 'live.iso'), liveIso());
    const args = ['--http', '--iso', join(other, 'live.iso'), '--identity', join(other, 'other.txt')];
    const { code, stderr } = sno(
      ['serve', '--fleet', other, '--store', storeUrl, '--listen', '127.0.0.1:1', ...args],
      { variables },
    );
    expect(code).toBe(1);
    expect(stderr).toContain('error[store/key]: no identity decrypts fleet-key.age of the store');
  });
});
