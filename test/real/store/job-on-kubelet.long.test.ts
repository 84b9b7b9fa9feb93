import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { expect, test } from 'vitest';

import { sha256 } from '../../../src/formats/sha256.js';
import { sno } from '../../support/command.js';
import { nodeUnderTest, waitForNode } from '../control-plane/aio/node.js';
import { runProgram, type ProgramResult } from '../control-plane/support/run-program.js';
import { describeWithMachine, machineTimeoutMs } from '../control-plane/support/tools.js';
import { waitUntil } from '../control-plane/support/wait-until.js';
import { jobPods, shardProcess } from './job-pods.js';
import { productImage, productImageContents, productUser } from './product-image.js';
import { refusingStore } from './refusing-store.js';
import { startedStore, type StartedStore } from './started-store.js';
import { expectLocalRunToMakeTheSame, stored, storedFleet, type StoredFleet } from './stored-fleet.js';

/** Documented in docs/testing.md. */
const sites = Number(process.env['FLEET_JOB_SITES'] ?? '24');
const shards = 8;
const namespace = 'sites';
const variables = { SOURCE_DATE_EPOCH: String(Date.parse('2026-11-02T03:04:05Z') / 1000) };
const names = Array.from({ length: sites }, (_, index) => `site-${index}`);

/** Beyond the size of a ConfigMap. */
const manifest = (name: string): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: ${name}, namespace: default }\ndata:\n  a: ${'a'.repeat(600_000)}\n`;
const manifests = Object.fromEntries(
  ['site-0', 'site-1'].map((name) => [`overrides/${name}/openshift/99-a.yaml`, manifest(name)]),
);

const often = { pauseMs: 100, tries: 36_000 };

interface CollectResult {
  readonly secrets: readonly {
    readonly name: string;
    readonly keys: readonly { readonly key: string }[];
  }[];
  readonly sites: readonly { readonly name: string; readonly result: string; readonly receipt?: string }[];
}

describeWithMachine('the Job of a fleet on a real kubelet', () => {
  const address = '192.168.126.10';
  const node = nodeUnderTest({
    config: { install: {}, sno: { nodeIP: address } },
    network: { address, prefix: 24, gateway: '192.168.126.1' },
    issuedAt: new Date(Date.now() - 60 * 60_000),
    images: async () => ({ [productImage]: await productImageContents() }),
  });
  const { kubectl } = node;
  const within = (): readonly string[] => ['nsenter', '--target', `${node.machine().pid}`, '--net'];
  const process = (): ReturnType<typeof shardProcess> => shardProcess(node, namespace);
  const podNamed = async (name: string) => (await jobPods(node, namespace)).find((pod) => pod.name === name);

  test(
    'generates every site once despite killed and deleted pods, store errors and a power failure',
    async () => {
      await waitForNode(node);
      const store = await startedStore({ at: address, within });
      const fleet = storedFleet(sites, manifests);
      await start(store, fleet);

      await waitUntil('a site is stored', () => some(stored(store).length > 0), often);
      const killed = await waitUntil('a pod that was killed', async () => {
        const found = await process();
        if (found === undefined) return undefined;
        await node.machine().run(['kill', '-KILL', found.pid]);
        const pod = await waitUntil('its end', () => endOf(found.pod));
        return pod.exitCode === 137 ? found : undefined;
      });
      // Requirements of the restricted level of Pod Security: no root, no capabilities, a seccomp filter.
      expect(killed.status).toMatchObject({
        Uid: Array.from({ length: 4 }, () => productUser).join(' '),
        CapEff: '0000000000000000',
        NoNewPrivs: '1',
        Seccomp: '2',
      });

      await store.stop();
      const refusing = await refusingStore(within(), { at: address, port: store.port });
      const kept = digestsOf(store);
      // It logs at most once per half minute.
      const waiting = await waitUntil('a pod that waits for the store for a minute', async () => {
        const found = await process();
        if (found === undefined) return undefined;
        const said = await kubectl(['logs', '--namespace', namespace, found.pod]);
        return said.split('503 (SlowDown)); retrying').length > 3 ? found.pod : undefined;
      });
      await kubectl(['delete', 'pod', '--namespace', namespace, '--wait=false', waiting]);
      await waitUntil('the deleted pod is gone', async () => some((await podNamed(waiting)) === undefined));
      await waitUntil('a pod in its place', process);
      await refusing.stop();
      await node.bootAgain();
      await store.start();
      await waitForNode(node);
      await waitUntil('the Job has ended', jobFinished, { pauseMs: 1000, tries: 7200 });

      const pods = await jobPods(node, namespace);
      const succeeded = pods.filter(({ phase }) => phase === 'Succeeded').map(({ index }) => Number(index));
      expect(succeeded.toSorted((one, other) => one - other)).toEqual(
        Array.from({ length: shards }, (_, index) => index),
      );
      expect(stored(store)).toEqual(names.toSorted());
      expect(digestsOf(store)).toMatchObject(kept);
      await expectWhole(store, fleet);
    },
    4 * machineTimeoutMs,
  );

  /** Packs the fleet, creates the Secrets that the Job requires, then the Job. */
  async function start(store: StartedStore, { dir, identity }: StoredFleet): Promise<void> {
    const level = { 'pod-security.kubernetes.io/enforce': 'restricted' };
    const metadata = { name: namespace, labels: level };
    await kubectl(['create', '--filename=-'], { apiVersion: 'v1', kind: 'Namespace', metadata });
    const kubeconfig = join(dir, 'admin.kubeconfig');
    writeFileSync(
      kubeconfig,
      node.laid().site.kubeconfig.replace(/server: .*/, 'server: https://localhost:6443'),
    );
    const packed = await command(store, dir, ['pack', '--shards', `${shards}`]);
    expect(packed).toMatchObject({ code: 0, stderr: '' });
    const words = ['job', '--shards', `${shards}`, '--image', productImage, '--namespace', namespace];
    const listed = await command(store, dir, words);
    expect(listed).toMatchObject({ code: 0, stderr: '' });
    const { secrets } = JSON.parse(listed.stdout) as CollectResult;
    const values: Readonly<Record<string, string>> = {
      ...store.variables,
      identity: readFileSync(identity, 'utf8'),
    };
    for (const { name, keys } of secrets) {
      const data = Object.fromEntries(
        keys.map(({ key }) => [key, Buffer.from(values[key] ?? '').toString('base64')]),
      );
      const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name, namespace }, data };
      await kubectl(['create', '--filename=-'], secret);
    }
    const applied = await command(store, dir, [...words, '--apply', '--kubeconfig', kubeconfig]);
    expect(applied).toMatchObject({ code: 0, stderr: '' });
  }

  /** Runs a fleet command in the network of the machine, with that store. */
  function command(store: StartedStore, dir: string, words: readonly string[]): Promise<ProgramResult> {
    const environment = { ...variables, ...store.variables, HOME: '/nonexistent' };
    return runProgram([
      ...[...within(), 'env', '--ignore-environment'],
      ...Object.entries(environment).map(([name, value]) => `${name}=${value}`),
      ...[globalThis.process.execPath, resolve('dist/cli.js'), 'fleet', ...words, '--dir', dir],
      ...['--store', 's3://sites/spring', '--output', 'json'],
    ]);
  }

  async function endOf(name: string): ReturnType<typeof podNamed> {
    const pod = await podNamed(name);
    return pod?.exitCode === undefined ? undefined : pod;
  }

  async function jobFinished(): Promise<true | undefined> {
    const path = '--output=jsonpath={range .status.conditions[?(@.status=="True")]}{.type} {end}';
    const conditions = await kubectl(['get', 'job', '--namespace', namespace, 'sno-install-fleet', path]);
    if (conditions.includes('Failed')) throw new Error(`the Job failed: ${await allLogs()}`);
    return conditions.includes('Complete') ? true : undefined;
  }

  async function allLogs(): Promise<string> {
    const pods = await jobPods(node, namespace);
    const logs = await Promise.all(
      pods.map(async (pod) => {
        const { stdout } = await node
          .machine()
          .kubectl(node.laid().site.kubeconfig, ['logs', '--namespace', namespace, pod.name]);
        return `${JSON.stringify(pod)}\n${stdout}`;
      }),
    );
    return logs.join('\n');
  }

  /**
   * Checks that `collect` gets all sites, that `verify` accepts their receipts, and that a local run with the same generated values
   * makes the same files.
   */
  async function expectWhole(store: StartedStore, fleet: ReturnType<typeof storedFleet>): Promise<void> {
    const collected = await command(store, fleet.dir, ['collect']);
    expect(collected).toMatchObject({ code: 0, stderr: '' });
    expect(
      (JSON.parse(collected.stdout) as CollectResult).sites.map(({ name, result }) => `${name} ${result}`),
    ).toEqual(names.map((name) => `${name} collected`));
    expect(sno(['fleet', 'status', '--dir', fleet.dir], { variables })).toMatchObject({ code: 0 });
    const receipts = names.map((name) => join(fleet.dir, 'out', name));
    expect(sno(['verify', ...receipts], { variables })).toMatchObject({ code: 0 });
    await expectLocalRunToMakeTheSame(fleet, storedFleet(sites, manifests).dir, variables);
  }
});

/** The SHA-256 of each stored object. */
function digestsOf(store: StartedStore): Readonly<Record<string, string>> {
  return Object.fromEntries(
    stored(store).map((name) => [name, sha256(readFileSync(join(store.bucket, `spring/sites/${name}.tar`)))]),
  );
}

function some(isTrue: boolean): Promise<true | undefined> {
  return Promise.resolve(isTrue ? true : undefined);
}
