import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { expect, test } from 'vitest';

import { minimalInstallConfig, snoConfigText } from '../../support/minimal-config.js';
import { nodeUnderTest, waitForNode } from '../control-plane/aio/node.js';
import { runProgram, type ProgramResult } from '../control-plane/support/run-program.js';
import { describeWithMachine, machineTimeoutMs } from '../control-plane/support/tools.js';
import { waitUntil } from '../control-plane/support/wait-until.js';
import { jobPods } from './job-pods.js';
import { productImage, productImageContents } from './product-image.js';
import { startedStore, type StartedStore } from './started-store.js';
import { stored, storedFleet, type StoredFleet } from './stored-fleet.js';

/** Documented in docs/testing.md. */
const sites = Number(process.env['FLEET_RUN_SITES'] ?? '20000');
const shards = Math.min(40, sites);
/** Sites that each pod creates: all of them would take hours. */
const perShard = Number(process.env['FLEET_RUN_PER_SHARD'] ?? '25');
const namespace = 'sites';
const variables = { SOURCE_DATE_EPOCH: String(Date.parse('2026-11-02T03:04:05Z') / 1000) };
const run = (index: number): boolean => index < shards * perShard;
const chosen = Array.from({ length: sites }, (_, index) => index)
  .filter(run)
  .map(nameOf);

function nameOf(index: number): string {
  return `site-${index}`;
}

/** A table with addresses in 10.0.0.0/10; the column `run` selects the sites that the pods create. */
function fleetOfRun(): StoredFleet {
  const rows = Array.from({ length: sites }, (_, index) => {
    const [high, low] = [Math.floor(index / 250), (index % 250) + 2];
    const ip = `10.${Math.floor(high / 250)}.${high % 250}.${low}`;
    return `${nameOf(index)},${ip},${run(index) ? 'yes' : 'no'}\n`;
  });
  return storedFleet(0, {
    'sites.csv': `name,ip,run\n${rows.join('')}`,
    'base/install-config.yaml': minimalInstallConfig
      .replace('name: site1', 'name: ${name}')
      .replace('192.168.126.0/24', '10.0.0.0/10'),
    'base/sno-config.yaml': snoConfigText(
      'hostname: ${name}\nnodeIP: ${ip}\ncertificates: { keyAlgorithm: ECDSA-P256 }\n',
    ),
  });
}

interface CollectResult {
  readonly secrets: readonly { readonly name: string; readonly keys: readonly { readonly key: string }[] }[];
  readonly sites: readonly { readonly name: string; readonly result: string }[];
}

describeWithMachine('a large fleet on a real kubelet', () => {
  const address = '192.168.126.10';
  const node = nodeUnderTest({
    config: { install: {}, sno: { nodeIP: address } },
    network: { address, prefix: 24, gateway: '192.168.126.1' },
    issuedAt: new Date(Date.now() - 60 * 60_000),
    images: async () => ({ [productImage]: await productImageContents() }),
  });
  const { kubectl } = node;
  const within = (): readonly string[] => ['nsenter', '--target', `${node.machine().pid}`, '--net'];

  test(
    'is packed, created in 40 shards, and collected',
    async () => {
      await waitForNode(node);
      const store = await startedStore({ at: address, within });
      const fleet = fleetOfRun();
      const packed = await timed('pack', () => command(store, fleet, ['pack', '--shards', `${shards}`]));
      expect(packed).toMatchObject({ code: 0, stderr: '' });
      console.log(packed.stdout);
      await timed('job', async () => {
        await start(store, fleet);
        await waitUntil('the Job has ended', jobFinished, { pauseMs: 1000, tries: 7200 });
      });
      expect(stored(store)).toEqual(chosen.toSorted());
      const pods = await jobPods(node, namespace);
      expect(pods.filter(({ phase }) => phase === 'Succeeded')).toHaveLength(shards);
      const collected = await timed('collect', () =>
        command(store, fleet, ['collect', '--where', 'run=yes']),
      );
      expect(collected).toMatchObject({ code: 0, stderr: '' });
      const { sites: siteResults } = JSON.parse(collected.stdout) as CollectResult;
      expect(siteResults.map(({ name, result }) => `${name} ${result}`)).toEqual(
        chosen.map((name) => `${name} collected`),
      );
    },
    8 * machineTimeoutMs,
  );

  /** Creates the Secrets that the Job requires, then the Job. */
  async function start(store: StartedStore, fleet: StoredFleet): Promise<void> {
    const metadata = { name: namespace, labels: { 'pod-security.kubernetes.io/enforce': 'restricted' } };
    await kubectl(['create', '--filename=-'], { apiVersion: 'v1', kind: 'Namespace', metadata });
    const kubeconfig = join(fleet.dir, 'admin.kubeconfig');
    const { site } = node.laid();
    writeFileSync(kubeconfig, site.kubeconfig.replace(/server: .*/, 'server: https://localhost:6443'));
    const words = ['job', '--shards', `${shards}`, '--image', productImage, '--namespace', namespace];
    const selected = [...words, '--where', 'run=yes', '--apply', '--kubeconfig', kubeconfig];
    const listed = await command(store, fleet, words);
    const values: Readonly<Record<string, string>> = {
      ...store.variables,
      identity: readFileSync(fleet.identity, 'utf8'),
    };
    for (const { name, keys } of (JSON.parse(listed.stdout) as CollectResult).secrets) {
      const stringData = Object.fromEntries(keys.map(({ key }) => [key, values[key] ?? '']));
      const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name, namespace }, stringData };
      await kubectl(['create', '--filename=-'], secret);
    }
    expect(await command(store, fleet, selected)).toMatchObject({ code: 0, stderr: '' });
  }

  /** Runs a fleet command in the network of the machine. */
  function command(
    store: StartedStore,
    { dir }: StoredFleet,
    words: readonly string[],
  ): Promise<ProgramResult> {
    const environment = { ...variables, ...store.variables, HOME: '/nonexistent' };
    return runProgram([
      ...[...within(), 'env', '--ignore-environment'],
      ...Object.entries(environment).map(([name, value]) => `${name}=${value}`),
      ...[globalThis.process.execPath, resolve('dist/cli.js'), 'fleet', ...words, '--dir', dir],
      ...['--store', 's3://sites/spring', '--output', 'json'],
    ]);
  }

  async function jobFinished(): Promise<true | undefined> {
    const path = '--output=jsonpath={range .status.conditions[?(@.status=="True")]}{.type} {end}';
    const conditions = await kubectl(['get', 'job', '--namespace', namespace, 'sno-install-fleet', path]);
    if (conditions.includes('Failed')) throw new Error('the Job failed; see kubectl logs');
    return conditions.includes('Complete') ? true : undefined;
  }
});

/** Prints the seconds of a step, to be recorded in bench/README.md. */
async function timed<T>(step: string, work: () => Promise<T>): Promise<T> {
  const startMs = performance.now();
  try {
    return await work();
  } finally {
    console.log(`${step}: ${((performance.now() - startMs) / 1000).toFixed(1)} s`);
  }
}
