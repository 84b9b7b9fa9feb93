import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';

import { afterAll, beforeAll, expect, it } from 'vitest';

import type { Clock } from '../../../src/core/clock.js';
import { connect } from '../../../src/remote/kubernetes/kubernetes-client.js';
import { siteWaiter } from '../../../src/remote/kubernetes/many/wait-for-sites.js';
import type { ClusterClient } from '../../../src/remote/kubernetes/reader.js';
import { upgradeOperation } from '../../../src/fleet/upgrade/upgrade-operation.js';
import { parseTarget, targetRelease } from '../../../src/fleet/upgrade/read-target.js';
import type { TargetRelease } from '../../../src/remote/kubernetes/upgrade/cluster-version.js';
import { fleetFolder } from '../../fleet/files.js';
import { describeWith } from '../../support/programs.js';
import { expectOk } from '../../support/sound-value.js';
import { buildTimeoutMs } from '../control-plane/support/tools.js';
import { waitUntil } from '../control-plane/support/wait-until.js';
import { liveApi, type LiveApi } from './live-api.js';
import { conditions, configObject, node, openShiftKinds, pool, statusPatch } from './objects.js';
import { fakeCvo, type CvoStep, type FakeCvo } from './fake-cvo.js';

/** Makes 100 seconds of a second, so that time limits pass. */
const fast: Clock = {
  nowMs: () => performance.now() * 100,
  present: () => new Date(Date.now() + performance.now() * 100),
  sleep: (ms) => pause(Math.min(ms, 200)),
};

const repository = 'quay.io/openshift-release-dev/ocp-release';
const digestOf = (character: string): string => `sha256:${character.repeat(64)}`;
const installed = { image: `${repository}@${digestOf('a')}`, version: '4.20.3' };

function target(character: string, version: string): TargetRelease {
  const reference = expectOk(parseTarget(`${repository}:${version}-x86_64@${digestOf(character)}`));
  return targetRelease(reference, digestOf(character));
}

const folder = mkdtempSync(join(tmpdir(), 'upgrade-'));
let api: LiveApi;
let client: ClusterClient;
const stop = new AbortController().signal;

async function operatorIs(states: Readonly<Record<string, readonly [string, string?]>>): Promise<void> {
  const healthy = { Available: ['True'], Degraded: ['False'], Progressing: ['False'] } as const;
  await api.kubectl(statusPatch('clusteroperator', 'etcd', conditions({ ...healthy, ...states })));
}

interface Upgraded {
  readonly start: object;
  readonly end?: object;
  readonly texts: readonly string[];
  readonly cvo: FakeCvo;
}

async function upgrade(
  release: TargetRelease,
  steps: readonly CvoStep[],
  timeoutMs = 3 * 3_600_000,
): Promise<Upgraded> {
  await api.kubectl([
    'patch',
    'clusterversion',
    'version',
    '--type=merge',
    `--patch=${JSON.stringify(earlier)}`,
  ]);
  const cvo = fakeCvo(api, installed, () => ({ version: release.version?.text ?? '', steps }));
  const texts: string[] = [];
  const operation = upgradeOperation({
    target: release,
    connect: () => Promise.resolve({ ok: true, value: client, warnings: [] }),
    wait: siteWaiter({ clock: fast, jobs: 4, sites: 1 }),
    onWarnings: (_, warnings) => texts.push(...warnings.map(({ code }) => code)),
  });
  try {
    await waitUntil('the operator', settled, { pauseMs: 100 });
    const start = await operation.start('north-1', stop);
    if (!start.ok) return { start, texts, cvo };
    const end = await operation.wait('north-1', stop, timeoutMs, (text) => {
      if (texts.at(-1) !== text) texts.push(text);
    });
    return { start, end, texts, cvo };
  } finally {
    await cvo.stop();
  }
}

/** An earlier request of another administrator, by version. */
const earlier = {
  spec: {
    clusterID: '7b2cbf9e-2b1b-4c6e-9c11-6a1a2b3c4d5e',
    desiredUpdate: { version: '4.20.3', image: installed.image },
  },
};

async function settled(): Promise<true | undefined> {
  const { status } = await read();
  return status?.history?.[0]?.image === installed.image &&
    status.observedGeneration === (await read()).metadata.generation
    ? true
    : undefined;
}

interface Read {
  readonly metadata: { readonly generation: number };
  readonly spec: { readonly desiredUpdate?: object };
  readonly status?: {
    readonly observedGeneration?: number;
    readonly history?: readonly { readonly image: string }[];
  };
}

async function read(): Promise<Read> {
  return JSON.parse(await api.kubectl(['get', 'clusterversion', 'version', '-o', 'json'])) as Read;
}

describeWith(['go', 'kubectl'], 'the version operator of a real kube-apiserver', () => {
  beforeAll(async () => {
    api = await liveApi(folder);
    await api.start();
    await api.kubectl(['apply', '-f', '-'], openShiftKinds);
    const created = async (object: object): Promise<true | undefined> =>
      api.kubectl(['apply', '-f', '-'], object).then(
        () => true as const,
        () => undefined,
      );
    for (const object of [
      configObject('ClusterVersion', 'version'),
      configObject('ClusterOperator', 'etcd'),
      pool,
      node,
      ...['openshift-config', 'openshift-config-managed'].map((name) => ({
        apiVersion: 'v1',
        kind: 'Namespace',
        metadata: { name },
      })),
    ])
      await waitUntil('the kinds', () => created(object), { pauseMs: 200 });
    await operatorIs({});
    await api.kubectl(
      statusPatch('machineconfigpool', 'master', conditions({ Updated: ['True'], Degraded: ['False'] })),
    );
    const mco = 'machineconfiguration.openshift.io';
    const annotations = [`${mco}/currentConfig=a`, `${mco}/desiredConfig=a`, `${mco}/state=Done`];
    await api.kubectl(['annotate', 'node', 'sno1', ...annotations]);
    client = expectOk(
      await connect({ path: 'kubeconfig', text: api.kubeconfig(), present: () => new Date(), stop }),
    );
  }, buildTimeoutMs);

  afterAll(async () => {
    await api.close();
    rmSync(folder, { recursive: true });
  });

  it('an upgrade that fails for a while, and an API server that restarts', async () => {
    const release = target('b', '4.20.8');
    const { start, end, texts } = await upgrade(release, [
      { kind: 'retrieving' },
      { kind: 'retrieving' },
      { kind: 'retrieving' },
      { kind: 'accept' },
      { kind: 'failing', message: 'Cluster operator etcd is degraded' },
      { kind: 'failing', message: 'Cluster operator etcd is degraded' },
      { kind: 'failing', message: 'Cluster operator etcd is degraded' },
      {
        kind: 'run',
        run: async () => {
          await api.stop();
          await pause(1500);
          await api.start();
        },
      },
      { kind: 'progress', message: 'Working towards 4.20.8: 700 of 900 done (77% complete)' },
      { kind: 'progress', message: 'Working towards 4.20.8: 800 of 900 done (88% complete)' },
      { kind: 'complete' },
    ]);
    expect(start).toEqual({ ok: true });
    expect(end).toEqual({ ok: true });
    expect((await read()).spec.desiredUpdate).toEqual({ image: release.image, force: false });
    const all = texts.join('\n');
    expect(all).toContain('upgrade/signature');
    expect(all).toContain('Retrieving and verifying payload');
    expect(all).toContain('failing: Cluster operator etcd is degraded');
    expect(all).toContain('connection refused');
  });

  it('a release that the operator does not accept is withdrawn', async () => {
    const cause =
      'The update cannot be verified: unable to verify sha256 against keyrings: verifier-public-key-redhat';
    const { end, cvo } = await upgrade(target('c', '4.20.9'), [
      { kind: 'retrieving' },
      { kind: 'refuse', reason: 'Retrieving payload failed', cause },
    ]);
    expect(end).toMatchObject({ ok: false, cause: expect.stringContaining(cause) as string });
    expect(JSON.stringify(end)).not.toContain('image=');
    expect(cvo.requested).toEqual([target('c', '4.20.9').image]);
    expect((await read()).spec.desiredUpdate).toBeUndefined();
  });

  it('a release that is accepted after a refused try', async () => {
    const { end } = await upgrade(target('d', '4.20.10'), [
      { kind: 'refuse', reason: 'Retrieving payload failed', cause: 'context deadline exceeded' },
      { kind: 'refuse', reason: 'Retrieving payload failed', cause: 'context deadline exceeded' },
      { kind: 'accept' },
      { kind: 'complete' },
    ]);
    expect(end).toEqual({ ok: true });
  });

  it('an update that does not end is reported and goes on', async () => {
    const release = target('e', '4.20.11');
    const { end } = await upgrade(
      release,
      [{ kind: 'accept' }, { kind: 'failing', message: 'Cluster operator ingress is not available' }],
      600_000,
    );
    expect(end).toMatchObject({
      ok: false,
      cause: expect.stringContaining('Cluster operator ingress') as string,
    });
    expect((await read()).spec.desiredUpdate).toMatchObject({ image: release.image });
  });

  it('a request that somebody replaces', async () => {
    const patch = JSON.stringify({ spec: { desiredUpdate: { image: `${repository}@${digestOf('9')}` } } });
    const { end } = await upgrade(target('f', '4.20.12'), [
      { kind: 'retrieving' },
      {
        kind: 'run',
        run: async () => {
          await api.kubectl(['patch', 'clusterversion', 'version', '--type=merge', `--patch=${patch}`]);
        },
      },
    ]);
    expect(end).toMatchObject({ ok: false, cause: expect.stringContaining('was replaced by') as string });
  });

  it('the checks before a request', async () => {
    await operatorIs({ Degraded: ['True', 'members are unhealthy'] });
    const gates = {
      'ack-4.20-kube-1.34-api-removals': 'Kubernetes 1.34 removes APIs',
      'ack-4.19-old': 'past',
    };
    const configMap = (namespace: string, name: string, data: object): object => ({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { namespace, name },
      data,
    });
    await api.kubectl(['apply', '-f', '-'], configMap('openshift-config-managed', 'admin-gates', gates));
    const refused = await upgrade(target('b', '4.21.0'), [{ kind: 'accept' }]);
    expect(refused.start).toEqual({
      ok: false,
      cause:
        'operator etcd is Degraded: members are unhealthy; not acknowledged: ack-4.20-kube-1.34-api-removals: Kubernetes 1.34 removes APIs',
    });
    expect(refused.cvo.requested).toEqual([]);
    await operatorIs({});
    const acks = { 'ack-4.20-kube-1.34-api-removals': 'true' };
    await api.kubectl(['apply', '-f', '-'], configMap('openshift-config', 'admin-acks', acks));
    const done = await upgrade(target('b', '4.21.0'), [{ kind: 'accept' }, { kind: 'complete' }]);
    expect(done.end).toEqual({ ok: true });
    const older = await upgrade(target('0', '4.20.1'), [{ kind: 'accept' }]);
    expect(older.start).toMatchObject({ cause: '4.20.1 is older than the current release 4.20.3' });
    const far = await upgrade(target('0', '4.22.0'), [{ kind: 'accept' }]);
    expect(far.start).toMatchObject({
      cause: expect.stringContaining('more than one minor release') as string,
    });
  });

  it('an upgrade of a fleet that is killed, goes on, and stops at a site that fails', async () => {
    const folder = fleetFolder({ 'rollout.yaml': 'canary: { only: [north-1] }\nwave: 1\n' });
    const texts = [api.kubeconfig(), api.kubeconfig({ caPem: api.clientAuthority.certPem })];
    for (const [index, text] of texts.entries()) {
      const auth = join(folder, `out/north-${index + 1}/auth`);
      mkdirSync(auth, { recursive: true });
      writeFileSync(join(auth, 'kubeconfig'), text, { mode: 0o600 });
    }
    const release = target('7', '4.20.13');
    let isHeld = true;
    await api.kubectl([
      'patch',
      'clusterversion',
      'version',
      '--type=merge',
      `--patch=${JSON.stringify(earlier)}`,
    ]);
    const held: CvoStep = {
      kind: 'run',
      run: () =>
        waitUntil('the kill', () => Promise.resolve(isHeld ? undefined : true), { pauseMs: 50 }).then(
          () => undefined,
        ),
    };
    const cvo = fakeCvo(api, installed, () => ({
      version: '4.20.13',
      steps: [{ kind: 'accept' }, held, { kind: 'complete' }],
    }));
    try {
      await waitUntil('the operator', settled, { pauseMs: 100 });
      const to = ['--to', `${repository}:4.20.13-x86_64@${release.digest}`];
      const check = await upgradeCommand(folder, [...to, '--preflight']);
      expect(JSON.parse(check.stdout)).toMatchObject({
        state: 'not-reached',
        sites: [
          { name: 'north-1', state: 'reached', changes: 'now 4.20.3' },
          { name: 'north-2', state: 'not-reached' },
        ],
      });
      expect(cvo.requested).toEqual([]);
      const first = upgradeProcess(folder, to);
      await waitUntil(
        'the request',
        () => Promise.resolve(stateOf(folder)?.sites['north-1']?.state === 'waiting' ? true : undefined),
        { pauseMs: 100 },
      );
      first.kill('SIGKILL');
      isHeld = false;
      const second = await upgradeCommand(folder, to);
      expect(second.code).toBe(1);
      expect(JSON.parse(second.stdout)).toMatchObject({
        ok: false,
        operation: 'upgrade',
        until: release.image,
        state: 'stopped',
        sites: [
          { name: 'north-1', wave: 'canary', state: 'done', attempts: 1 },
          {
            name: 'north-2',
            wave: '1',
            state: 'failed',
            cause: expect.stringContaining('unknown authority') as string,
          },
        ],
      });
      expect(cvo.requested).toEqual([release.image]);
      // Nothing is sent to a site that is done, and a failed one waits for --retry-failed.
      const third = await upgradeCommand(folder, to);
      expect(JSON.parse(third.stdout)).toMatchObject({
        sites: [
          { state: 'done', attempts: 1 },
          { state: 'failed', attempts: 1 },
        ],
      });
    } finally {
      await cvo.stop();
    }
  });
});

function upgradeProcess(folder: string, args: readonly string[]): ReturnType<typeof spawn> {
  const argv = ['fleet', 'upgrade', folder, ...args, '--output', 'json'];
  return spawn(process.execPath, [resolve('dist/cli.js'), ...argv], { stdio: ['ignore', 'pipe', 'ignore'] });
}

async function upgradeCommand(
  folder: string,
  args: readonly string[],
): Promise<{ readonly code: number; readonly stdout: string }> {
  const running = upgradeProcess(folder, args);
  let stdout = '';
  running.stdout?.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  const [code] = (await once(running, 'close')) as [number];
  return { code, stdout };
}

function stateOf(
  folder: string,
): { readonly sites: Readonly<Record<string, { readonly state: string }>> } | undefined {
  try {
    return JSON.parse(readFileSync(join(folder, 'out/upgrade.json'), 'utf8')) as ReturnType<typeof stateOf>;
  } catch {
    return undefined;
  }
}
