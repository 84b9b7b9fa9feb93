import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { beforeAll, expect, test } from 'vitest';

import { sha256 } from '../../../src/formats/sha256.js';
import { sno, type CommandResult } from '../../support/command.js';
import { selfSigned } from '../../support/openssl.js';
import { describeWith } from '../../support/programs.js';
import { buildTimeoutMs, hasGo, toolFolder } from '../control-plane/support/tools.js';
import { waitUntil } from '../control-plane/support/wait-until.js';
import { startedStore, type StartedStore } from './started-store.js';
import { clusterOf, expectLocalRunToMakeTheSame, stored, storedFleet } from './stored-fleet.js';

const url = 's3://sites/spring';
const variables = { SOURCE_DATE_EPOCH: String(Date.parse('2026-11-02T03:04:05Z') / 1000) };

interface CollectResult {
  readonly problems: readonly { readonly code: string; readonly sites: readonly string[] }[];
  readonly sites: readonly { readonly name: string; readonly result: string; readonly receipt?: string }[];
}

function resultOf({ stdout }: Pick<CommandResult, 'stdout'>): CollectResult {
  return JSON.parse(stdout) as CollectResult;
}

function results(result: Pick<CommandResult, 'stdout'>): readonly string[] {
  return resultOf(result).sites.map(({ name, result: what }) => `${name} ${what}`);
}

/** Runs a fleet command with that store and JSON output. */
function inStore(store: StartedStore, dir: string, args: readonly string[]): CommandResult {
  return sno(['fleet', ...args, '--dir', dir, '--store', url, '--output', 'json'], {
    variables: { ...variables, ...store.variables },
  });
}

const often = { pauseMs: 20, tries: 10_000 };

/** Starts a fleet command with that store in the background, with text output. */
function startedInStore(
  store: StartedStore,
  dir: string,
  args: readonly string[],
): {
  readonly kill: (signal: NodeJS.Signals) => void;
  readonly exited: Promise<CommandResult>;
  readonly said: (words: string) => Promise<true>;
} {
  const child = spawn(
    process.execPath,
    [resolve('dist/cli.js'), 'fleet', ...args, '--dir', dir, '--store', url],
    { env: { PATH: process.env['PATH'], HOME: '/nonexistent', ...variables, ...store.variables } },
  );
  const printed = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name].on('data', (text: Buffer) => {
      printed[name] += text.toString();
    });
  const exited = once(child, 'close').then(() => ({
    code: child.exitCode,
    signal: child.signalCode,
    ...printed,
  }));
  const said = (words: string): Promise<true> =>
    waitUntil(words, () => Promise.resolve(printed.stderr.includes(words) ? true : undefined), often);
  return { kill: (signal) => child.kill(signal), exited, said };
}

describeWith([hasGo ? 'bash' : 'go', 'openssl', 'tar'], 'a fleet in a real S3 store (versitygw)', () => {
  beforeAll(async () => {
    await toolFolder('versitygw');
    await toolFolder('age');
  }, buildTimeoutMs);

  test('shards generate each site once, and a local run with the same random values writes the same bytes', async () => {
    const store = await startedStore();
    const { dir, identity } = storedFleet(3);
    const first = inStore(store, dir, ['create', '--shard', '0/2']);
    expect([first.code, first.stderr, results(first)]).toEqual([0, '', ['site-0 made', 'site-2 made']]);

    const early = inStore(store, dir, ['collect']);
    expect([early.code, results(early)]).toEqual([
      1,
      ['site-0 collected', 'site-1 missing', 'site-2 collected'],
    ]);
    expect(resultOf(early).problems).toMatchObject([{ code: 'store/site-missing', sites: ['site-1'] }]);

    expect(results(inStore(store, dir, ['create', '--shard', '1/2']))).toEqual(['site-1 made']);
    const again = inStore(store, dir, ['create']);
    const all = ['site-0', 'site-1', 'site-2'];
    expect([again.code, results(again)]).toEqual([0, all.map((name) => `${name} unchanged`)]);
    const late = inStore(store, dir, ['collect']);
    expect([late.code, results(late)]).toEqual([
      0,
      ['site-0 unchanged', 'site-1 collected', 'site-2 unchanged'],
    ]);
    expect(stored(store)).toEqual(all);
    expect(sno(['fleet', 'status', '--dir', dir], { variables })).toMatchObject({ code: 0, stderr: '' });
    const receipts = all.map((name) => join(dir, 'out', name));
    expect(sno(['verify', ...receipts], { variables })).toMatchObject({ code: 0 });

    await expectLocalRunToMakeTheSame({ dir, identity }, storedFleet(3).dir, variables);
  });

  test('no object shows a value of a record, a receipt or the key', async () => {
    const store = await startedStore();
    const { dir, identity } = storedFleet(1);
    expect(inStore(store, dir, ['create', '--shard', '0/1']).code).toBe(0);
    expect(inStore(store, dir, ['collect']).code).toBe(0);
    const key = readFileSync(join(dir, 'out/.sno-install-fleet-key'), 'utf8').trim();
    const readable = ['.sno-install-site.json', 'receipt.json', 'metadata.json'].map((name) =>
      readFileSync(join(dir, 'out/site-0', name), 'utf8'),
    );
    const hidden = [key, Buffer.from(key, 'hex').toString('latin1')].concat(
      readable.flatMap((text) => text.match(/[0-9a-f-]{20,}|\d{4}-\d\d-\d\dT[^"]+|read [a-z/.-]+/g) ?? []),
    );
    const names = readdirSync(join(store.bucket, 'spring'), { recursive: true, encoding: 'utf8' });
    expect(names.toSorted()).toEqual(['fleet-key.age', 'sites', 'sites/site-0.tar']);
    const objects = names
      .filter((name) => name !== 'sites')
      .map((name) => readFileSync(join(store.bucket, 'spring', name), 'latin1'));
    expect(hidden.length).toBeGreaterThan(20);
    expect(hidden.filter((each) => objects.some((bytes) => bytes.includes(each)))).toEqual([]);

    // Without the kept key, an identity is needed.
    rmSync(join(dir, 'out/.sno-install-fleet-key'));
    const closed = inStore(store, dir, ['collect']);
    expect([closed.code, resultOf(closed).problems.map(({ code }) => code)]).toEqual([1, ['store/key']]);
    const open = inStore(store, dir, ['collect', '--identity', identity]);
    expect([open.code, results(open)]).toEqual([0, ['site-0 unchanged']]);
  });

  test('the archive of another site is damage: neither collected nor replaced', async () => {
    const store = await startedStore();
    const { dir } = storedFleet(2);
    expect(inStore(store, dir, ['create']).code).toBe(0);
    const [own, other] = ['site-0', 'site-1'].map((name) => join(store.bucket, `spring/sites/${name}.tar`));
    copyFileSync(other ?? '', own ?? '');
    const before = readFileSync(own ?? '');
    const collected = inStore(store, dir, ['collect']);
    expect([collected.code, results(collected)]).toEqual([1, ['site-0 failed', 'site-1 collected']]);
    expect(resultOf(collected).problems).toMatchObject([{ code: 'store/damaged', sites: ['site-0'] }]);
    expect(existsSync(join(dir, 'out/site-0'))).toBe(false);
    expect(results(inStore(store, dir, ['create']))).toEqual(['site-0 failed', 'site-1 unchanged']);
    expect(readFileSync(own ?? '').equals(before)).toBe(true);
  });

  test('an older archive of the same site is not collected over a newer one', async () => {
    const store = await startedStore();
    const { dir, identity } = storedFleet(1);
    const tar = join(store.bucket, 'spring/sites/site-0.tar');
    expect(inStore(store, dir, ['create']).code).toBe(0);
    const older = readFileSync(tar);
    // 31 days later the certificates have expired.
    const later = { ...store, variables: { ...store.variables, SOURCE_DATE_EPOCH: '1796526245' } };
    expect(results(inStore(later, dir, ['create', '--identity', identity]))).toEqual(['site-0 made']);
    expect(results(inStore(later, dir, ['collect']))).toEqual(['site-0 collected']);
    const before = readFileSync(join(dir, 'out/site-0/receipt.json'));
    writeFileSync(tar, older);
    const back = inStore(later, dir, ['collect']);
    expect([back.code, resultOf(back).problems]).toMatchObject([
      1,
      [{ code: 'store/rollback', sites: ['site-0'] }],
    ]);
    expect(readFileSync(join(dir, 'out/site-0/receipt.json')).equals(before)).toBe(true);
  });

  test('generates a site with a changed line again from its keys, if its state can be decrypted', async () => {
    const store = await startedStore();
    const { dir, identity } = storedFleet(2);
    expect(inStore(store, dir, ['create']).code).toBe(0);
    expect(inStore(store, dir, ['collect']).code).toBe(0);
    const before = clusterOf(dir, 'site-1');
    const table = join(dir, 'sites.csv');
    writeFileSync(table, readFileSync(table, 'utf8').replace('192.168.126.11', '192.168.126.77'));

    const stale = inStore(store, dir, ['collect']);
    expect([stale.code, results(stale)]).toEqual([1, ['site-0 unchanged', 'site-1 stale']]);
    expect(resultOf(stale).problems).toMatchObject([{ code: 'store/site-stale', sites: ['site-1'] }]);
    const closed = inStore(store, dir, ['create']);
    expect([closed.code, results(closed)]).toEqual([1, ['site-0 unchanged', 'site-1 failed']]);
    const open = inStore(store, dir, ['create', '--identity', identity]);
    expect([open.code, results(open)]).toEqual([0, ['site-0 unchanged', 'site-1 made']]);
    const fresh = inStore(store, dir, ['collect']);
    expect([fresh.code, results(fresh)]).toEqual([0, ['site-0 unchanged', 'site-1 collected']]);
    expect(clusterOf(dir, 'site-1')).toBe(before);
  });

  test('two runs of one shard, one of them killed, and a third leave every site with the keys of the first that kept it', async () => {
    const store = await startedStore();
    const { dir } = storedFleet(6);
    const [one, other] = [startedInStore(store, dir, ['create']), startedInStore(store, dir, ['create'])];
    await waitUntil(
      'two sites are stored',
      () => Promise.resolve(stored(store).length >= 2 ? true : undefined),
      often,
    );
    one.kill('SIGKILL');
    expect((await one.exited).signal).toBe('SIGKILL');
    expect((await other.exited).code).toBe(0);
    const bytes = (): readonly string[] =>
      stored(store).map((name) => sha256(readFileSync(join(store.bucket, `spring/sites/${name}.tar`))));
    const before = bytes();
    const third = inStore(store, dir, ['create']);
    expect(results(third)).toEqual(stored(store).map((name) => `${name} unchanged`));
    expect([before.length, bytes()]).toEqual([6, before]);
    const collected = inStore(store, dir, ['collect']);
    expect(collected).toMatchObject({ code: 0, stderr: '' });
    expect(resultOf(collected).sites.map(({ receipt }) => receipt)).toEqual(
      resultOf(third).sites.map(({ receipt }) => receipt),
    );
  });

  test('waits for a store that does not answer for a while; after SIGTERM each site is complete or not started', async () => {
    const store = await startedStore();
    const { dir } = storedFleet(24);
    const run = startedInStore(store, dir, ['create', '--jobs', '1']);
    const has = (count: number): Promise<true> =>
      waitUntil(
        `${count} sites are stored`,
        () => Promise.resolve(stored(store).length >= count ? true : undefined),
        often,
      );
    await has(1);
    await store.stop();
    const atStop = stored(store).length;
    await run.said('retrying');
    expect(stored(store)).toHaveLength(atStop);
    await store.start();
    await has(atStop + 1);
    run.kill('SIGTERM');
    const exit = await run.exited;
    const kept = stored(store);
    expect(exit).toMatchObject({ code: 143 });
    expect(exit.stdout).toContain(`${String(kept.length).padStart(5)}  created\n`);
    expect(exit.stderr).toContain('not started; run the same command again to continue');

    const next = inStore(store, dir, ['create']);
    expect(next.code).toBe(0);
    expect(
      resultOf(next).sites.flatMap(({ name, result }) => (result === 'unchanged' ? [name] : [])),
    ).toEqual(kept);
  });

  test('does not collect changed objects or overwrite sites with other keys', async () => {
    const store = await startedStore();
    const { dir } = storedFleet(2);
    expect(inStore(store, dir, ['create']).code).toBe(0);
    expect(inStore(store, dir, ['collect', '--only', 'site-0']).code).toBe(0);
    const tar = join(store.bucket, 'spring/sites/site-1.tar');
    expect(spawnSync('tar', ['--list', '--file', tar]).stdout.toString().split('\n')[0]).toBe(
      '.sno-install-site.sealed',
    );
    const whole = readFileSync(tar);
    for (const at of [600, 100_000, whole.length - 9000]) {
      const bytes = Buffer.from(whole);
      bytes[at] = (bytes[at] ?? 0) ^ 1;
      writeFileSync(tar, bytes);
      const damaged = inStore(store, dir, ['collect']);
      expect([damaged.code, resultOf(damaged).problems.map(({ code }) => code)], String(at)).toEqual([
        1,
        ['store/damaged'],
      ]);
    }
    writeFileSync(tar, whole.subarray(0, 100_000));
    expect(resultOf(inStore(store, dir, ['collect'])).problems.map(({ code }) => code)).toEqual([
      'store/damaged',
    ]);
    expect(existsSync(join(dir, 'out/site-1'))).toBe(false);

    // A site folder with other keys, made by a local run, is not overwritten.
    rmSync(join(dir, 'out/site-0'), { recursive: true });
    writeFileSync(tar, whole);
    expect(sno(['fleet', 'create', '--dir', dir], { variables })).toMatchObject({ code: 0 });
    const before = clusterOf(dir, 'site-0');
    const refused = inStore(store, dir, ['collect']);
    expect(resultOf(refused).problems.map(({ code }) => code)).toEqual(['store/other-site']);
    expect(clusterOf(dir, 'site-0')).toBe(before);
  });

  test('trusts AWS_CA_BUNDLE, and reports rejected credentials and missing buckets', async () => {
    const { certPath, keyPath } = selfSigned();
    const store = await startedStore({ scheme: 'https', extra: ['--cert', certPath, '--key', keyPath] });
    const { dir } = storedFleet(1);
    const untrusted = inStore(store, dir, ['collect']);
    expect([untrusted.code, resultOf(untrusted).problems]).toMatchObject([
      3,
      [
        {
          code: 'store/unreachable',
          message: 'the store does not answer: certificate is self-signed',
        },
      ],
    ]);
    const trusting = { ...store, variables: { ...store.variables, AWS_CA_BUNDLE: certPath } };
    expect(results(inStore(trusting, dir, ['create']))).toEqual(['site-0 made']);
    const stranger = {
      ...trusting,
      variables: { ...trusting.variables, AWS_SECRET_ACCESS_KEY: 'another-secret' },
    };
    const messages = [
      inStore(stranger, dir, ['create']),
      sno(['fleet', 'collect', '--dir', dir, '--store', 's3://other/spring', '--output', 'json'], {
        variables: { ...variables, ...trusting.variables },
      }),
    ].map((result) => [result.code, resultOf(result).problems]);
    expect(messages).toMatchObject([
      [
        1,
        [{ code: 'store/refused', message: 'the store refused the request: the secret access key is wrong' }],
      ],
      [1, [{ message: 'the store refused the request: the bucket does not exist' }]],
    ]);
  });
});
