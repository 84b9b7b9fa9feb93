import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';

import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';

import {
  postInstallObjects,
  type PostInstallObject,
} from '../../../src/manifests/post-install/post-install-objects.js';
import { olmDefinitions } from '../support/olm-definitions.js';
import { applyWaves, type ObjectState } from '../../../src/remote/kubernetes/apply/apply-waves.js';
import { dryRunGoal, type DryRunState } from '../../../src/remote/kubernetes/apply/dry-run.js';
import {
  describeObject,
  objectsToApply,
  type ObjectToApply,
} from '../../../src/remote/kubernetes/apply/object-to-apply.js';
import type { Clock } from '../../../src/remote/kubernetes/clock.js';
import { connect } from '../../../src/remote/kubernetes/kubernetes-client.js';
import type { ClusterClient } from '../../../src/remote/kubernetes/reader.js';
import { waitFor, type WaitResult } from '../../../src/remote/kubernetes/wait.js';
import { throwawayAuthority } from '../../remote/kubernetes/throwaway-tls.js';
import { fleetFolder } from '../../fleet/files.js';
import { sno } from '../../support/command.js';
import { freePort } from '../../support/ports.js';
import { describeWith } from '../../support/programs.js';
import { scratchFolder } from '../../support/scratch.js';
import { startedCommand } from '../../support/started-command.js';
import { expectOk } from '../../support/sound-value.js';
import { buildTimeoutMs } from '../control-plane/support/tools.js';
import { waitUntil } from '../control-plane/support/wait-until.js';
import { liveApi, type LiveApi } from './live-api.js';
import { bootstrapSite, createOpenShift } from './running-cluster.js';

/** The clock runs 60 times faster: ten minutes take ten seconds. */
const haste = 60;

const hastyClock: Clock = {
  nowMs: () => performance.now() * haste,
  present: () => new Date('2026-01-02T03:04:05Z'),
  sleep: async (durationMs) => {
    await pause(durationMs / haste);
  },
};

const limits = { waveMs: 15 * 60_000, rejectionMs: 10 * 60_000 };

/** Post-install manifests by file name. */
function setOf(
  files: Readonly<Record<string, string>>,
  manifests: Readonly<Record<string, string>> = {},
): readonly ObjectToApply[] {
  const read = (texts: Readonly<Record<string, string>>): readonly PostInstallObject[] => {
    const { objects, problems } = postInstallObjects(
      Object.entries(texts).map(([name, text]) => ({
        file: `post-install/${name}`,
        bytes: Buffer.from(text),
      })),
    );
    expect(problems).toEqual([]);
    return objects;
  };
  return objectsToApply(read(files), read(manifests));
}

function configMap(name: string, data: Readonly<Record<string, string>>, namespace = 'default'): string {
  return JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace }, data });
}

/** A namespaced CRD with a required field `spec.size`, an integer. */
function crd(group: string, kind: string): object {
  const plural = `${kind.toLowerCase()}s`;
  const spec = { type: 'object', required: ['size'], properties: { size: { type: 'integer' } } };
  const openAPIV3Schema = { type: 'object', properties: { spec } };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { kind, plural, singular: kind.toLowerCase() },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } }],
    },
  };
}

function custom(group: string, kind: string, name: string, spec: object = { size: 3 }): string {
  return JSON.stringify({
    apiVersion: `${group}/v1`,
    kind,
    metadata: { name, namespace: 'default' },
    spec,
  });
}

interface Started {
  readonly outcome: Promise<WaitResult>;
  /** Changes of all objects so far: `ConfigMap default/a created`. */
  readonly lines: readonly string[];
  readonly says: (text: string) => Promise<void>;
}

describeWith(['go', 'kubectl'], 'apply to the real kube-apiserver', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sno-install-apply-'));
  let api: LiveApi;
  let client: ClusterClient;
  beforeAll(async () => {
    api = await liveApi(folder);
    await api.start();
    client = expectOk(
      await connect({
        path: 'auth/kubeconfig',
        text: api.kubeconfig(),
        stop: new AbortController().signal,
        present: () => new Date(),
      }),
    );
  }, buildTimeoutMs);
  afterAll(async () => {
    await api.close();
    rmSync(folder, { recursive: true, force: true });
  });

  function start(objects: readonly ObjectToApply[]): Started {
    const lines: string[] = [];
    const onChange = ({ object, state, text }: ObjectState): void => {
      lines.push([describeObject(object), state, ...(text === undefined ? [] : [text])].join(' '));
    };
    const run = applyWaves({ objects, isWhole: true, limits, clock: hastyClock, onChange });
    const stop = new AbortController().signal;
    const outcome = waitFor(run.goal, {
      reader: client,
      clock: hastyClock,
      timeoutMs: Infinity,
      stop,
      onMoment: () => undefined,
    });
    const says = async (wanted: string): Promise<void> => {
      await waitUntil(
        `"${wanted}"`,
        () => {
          if (lines.some((line) => line.includes(wanted))) return Promise.resolve(true);
          throw new Error(lines.join('\n'));
        },
        { pauseMs: 50 },
      );
    };
    return { outcome, lines, says };
  }

  async function createOlm(): Promise<void> {
    for (const definition of olmDefinitions) {
      await api.kubectl(['apply', '--server-side', '--filename=-'], definition);
      await api.kubectl([
        'wait',
        '--for=condition=Established',
        '--timeout=60s',
        'crd',
        definition.metadata.name,
      ]);
    }
  }

  async function dryRun(
    objects: readonly ObjectToApply[],
    isForced = false,
  ): Promise<readonly DryRunState[]> {
    let done: readonly DryRunState[] = [];
    const goal = dryRunGoal({ objects, isForced }, ({ states }) => (done = states));
    expect(await goal.look(client, new Date())).toMatchObject({ kind: 'reached' });
    return done;
  }

  const statusOf = async (): Promise<Readonly<Record<string, string>>> => {
    const text = await api.kubectl([
      'get',
      'configmap',
      'sno-post-install',
      '--namespace=kube-system',
      '-ojson',
    ]);
    return (JSON.parse(text) as { readonly data: Readonly<Record<string, string>> }).data;
  };

  it('creates, leaves unchanged and configures, and reports the set as complete', async () => {
    const before = setOf({ '10-a.yaml': configMap('first', { a: '1' }), 'z.yaml': configMap('second', {}) });
    const first = start(before);
    expect(await first.outcome).toMatchObject({ kind: 'reached', warnings: [] });
    expect(first.lines).toEqual(['ConfigMap default/first created', 'ConfigMap default/second created']);
    expect(await statusOf()).toEqual({
      status: 'complete',
      wave: 'last',
      waves: '2/2',
      waiting: '',
      failed: '',
      updated: '2026-01-02T03:04:05Z',
    });

    const again = start(before);
    await again.outcome;
    expect(again.lines).toEqual(['ConfigMap default/first unchanged', 'ConfigMap default/second unchanged']);

    const changed = start(
      setOf({ '10-a.yaml': configMap('first', { a: '2' }), 'z.yaml': configMap('second', {}) }),
    );
    await changed.outcome;
    expect(changed.lines).toEqual([
      'ConfigMap default/first configured',
      'ConfigMap default/second unchanged',
    ]);
  });

  it('leaves objects unchanged that kubectl applied as sno-install, as the node does', async () => {
    const set = setOf({ '10-a.yaml': configMap('by-node', { a: '1' }) });
    await api.kubectl(
      ['apply', '--server-side', '--field-manager=sno-install', '--filename=-'],
      JSON.parse(configMap('by-node', { a: '1' })) as object,
    );
    const { outcome, lines } = start(set);
    await outcome;
    expect(lines).toEqual(['ConfigMap default/by-node unchanged']);
  });

  it('waits for a kind that appears later, and for the operator that owns it', async () => {
    const group = 'late.example.com';
    const set = setOf({
      '10-late.yaml': custom(group, 'Late', 'one'),
      '20-next.yaml': configMap('after-late', {}),
    });
    const { outcome, lines, says } = start(set);
    await says('Late default/one waiting kind Late of late.example.com/v1');
    await createOlm();
    const csv = (name: string, phase: string, labels = {}): object => ({
      apiVersion: 'operators.coreos.com/v1alpha1',
      kind: 'ClusterServiceVersion',
      metadata: { name, namespace: 'default', labels },
      spec: { customresourcedefinitions: { owned: [{ name: `lates.${group}` }] } },
      status: { phase },
    });
    await waitUntil('the ClusterServiceVersion', () =>
      api.kubectl(['create', '--filename=-'], csv('late.v1', 'Installing')),
    );
    await api.kubectl(['create', '--filename=-'], csv('late.copy', 'Pending', { 'olm.copiedFrom': 'x' }));
    await api.kubectl(['create', '--filename=-'], crd(group, 'Late'));
    await says('Late default/one waiting CSV late.v1 (phase Installing)');
    const installed = '--patch={"status":{"phase":"Succeeded"}}';
    await api.kubectl(['patch', 'clusterserviceversion', 'late.v1', '--type=merge', installed]);

    expect(await outcome).toMatchObject({ kind: 'reached' });
    expect(lines.at(-2)).toBe('Late default/one created');
    expect(lines.at(-1)).toBe('ConfigMap default/after-late created');
  });

  it('waits for the Subscription of manifests/ although the CRD is Established', async () => {
    await createOlm();
    const group = 'prompt.example.com';
    const subscription = {
      apiVersion: 'operators.coreos.com/v1alpha1',
      kind: 'Subscription',
      metadata: { name: 'prompt', namespace: 'default' },
      spec: { name: 'prompt-operator' },
    };
    await api.kubectl(['create', '--filename=-'], crd(group, 'Prompt'));
    await api.kubectl(['wait', '--for=condition=Established', '--timeout=60s', `crd/prompts.${group}`]);
    const { outcome, lines, says } = start(
      setOf({ '10-a.yaml': custom(group, 'Prompt', 'one') }, { 'a.yaml': JSON.stringify(subscription) }),
    );
    await says('Prompt default/one waiting Subscription default/prompt');
    await api.kubectl(['create', '--filename=-'], {
      ...subscription,
      status: {
        installPlanRef: { name: 'install-x7k2p' },
        conditions: [{ type: 'InstallPlanPending', status: 'True', reason: 'RequiresApproval' }],
      },
    });
    await says('Subscription default/prompt (InstallPlan install-x7k2p waits for approval)');
    await api.kubectl(['create', '--filename=-'], {
      apiVersion: 'operators.coreos.com/v1alpha1',
      kind: 'ClusterServiceVersion',
      metadata: { name: 'prompt.v1', namespace: 'default' },
      status: { phase: 'Failed', reason: 'InstallCheckFailed', message: 'install timeout' },
    });
    const patch = (kind: string, name: string, status: object): Promise<string> =>
      api.kubectl(['patch', kind, name, '--type=merge', `--patch=${JSON.stringify({ status })}`]);
    await patch('subscriptions.operators.coreos.com', 'prompt', {
      installedCSV: 'prompt.v1',
      conditions: [],
    });
    await says(
      'CSV prompt.v1 of Subscription default/prompt (phase Failed, InstallCheckFailed: install timeout)',
    );
    await patch('clusterserviceversion', 'prompt.v1', { phase: 'Succeeded' });

    expect(await outcome).toMatchObject({ kind: 'reached' });
    expect(lines.at(-1)).toBe('Prompt default/one created');
  });

  it('fails when the kind is never served; later waves are not applied', async () => {
    const { outcome, lines } = start(
      setOf({
        '1-a.yaml': `${custom('never.example.com', 'Never', 'one')}\n---\n${configMap('same-wave', {})}`,
        '2-b.yaml': configMap('later-wave', {}),
      }),
    );
    expect(await outcome).toMatchObject({
      kind: 'failed',
      problems: [
        {
          code: 'apply/not-served',
          message: 'Never default/one is not applied: kind Never of never.example.com/v1 is not served',
          at: { file: 'post-install/1-a.yaml' },
        },
      ],
    });
    expect(lines).toEqual([
      'Never default/one waiting kind Never of never.example.com/v1',
      'ConfigMap default/same-wave created',
      'Never default/one failed kind Never of never.example.com/v1 is not served',
    ]);
  });

  it('tries again until a webhook accepts the object', async () => {
    const webhook = await throwawayAuthority('webhook-signer');
    const pair = await webhook.issue({ commonName: 'webhook', names: ['localhost'] });
    const port = await freePort();
    await api.kubectl(['create', '--filename=-'], {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingWebhookConfiguration',
      metadata: { name: 'late-webhook' },
      webhooks: [
        {
          name: 'late.example.com',
          admissionReviewVersions: ['v1'],
          sideEffects: 'None',
          timeoutSeconds: 2,
          rules: [
            { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] },
          ],
          matchConditions: [{ name: 'own', expression: "object.metadata.name == 'guarded'" }],
          clientConfig: {
            url: `https://localhost:${port}/`,
            caBundle: Buffer.from(webhook.certPem).toString('base64'),
          },
        },
      ],
    });
    onTestFinished(async () => {
      await api.kubectl(['delete', 'validatingwebhookconfiguration', 'late-webhook']);
    });
    const { outcome, says, lines } = start(setOf({ 'a.yaml': configMap('guarded', { a: '1' }) }));
    await says('failed calling webhook "late.example.com"');
    const server = allowing(pair);
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    server.listen(port, 'localhost');

    expect(await outcome).toMatchObject({ kind: 'reached' });
    expect(lines.at(-1)).toBe('ConfigMap default/guarded created');
  });

  it('names the other field manager and the fields of a conflict', async () => {
    await start(setOf({ 'a.yaml': configMap('shared', { a: '1', b: '1', c: '1' }) })).outcome;
    const patch = '--patch={"data":{"a":"2","b":"2"}}';
    await api.kubectl(['patch', 'configmap', 'shared', '--type=merge', patch]);
    const set = setOf({ 'a.yaml': configMap('shared', { a: '1', b: '1', c: '1' }) });

    expect(await start(set).outcome).toMatchObject({
      kind: 'failed',
      problems: [
        {
          code: 'apply/conflict',
          message:
            'ConfigMap default/shared is not applied: conflict with field manager kubectl-patch: .data.a, .data.b',
          hint: expect.stringContaining('--force-conflicts') as unknown,
        },
      ],
    });
  });

  it('fails with the answer of the API for an invalid object and a missing namespace, without the values of a Secret', async () => {
    const group = 'strict.example.com';
    await api.kubectl(['create', '--filename=-'], crd(group, 'Strict'));
    await api.kubectl(['wait', '--for=condition=Established', '--timeout=60s', `crd/stricts.${group}`]);
    const { outcome, lines } = start(
      setOf({
        '1-a.yaml': custom(group, 'Strict', 'bad', { size: 'big' }),
        '1-b.yaml': configMap('homeless', {}, 'nowhere'),
        '1-c.yaml':
          '{apiVersion: v1, kind: Secret, metadata: {name: bad, namespace: default}, data: {key: "hunter2-is-not-base64"}}',
        '1-d.yaml': custom(group, 'Strict', 'unknown', { size: 1, colour: 'red' }),
      }),
    );
    const result = await outcome;
    expect(
      result.kind === 'failed' && result.problems.map(({ code, message }) => `${code} ${message}`),
    ).toEqual([
      'apply/rejected Strict default/bad is not applied: failed to create typed patch object (default/bad; strict.example.com/v1, Kind=Strict): .spec.size: expected numeric (int or float), got string',
      'apply/rejected ConfigMap nowhere/homeless is not applied: namespaces "nowhere" not found',
      'apply/rejected Secret default/bad is not applied: HTTP 500',
      'apply/rejected Strict default/unknown is not applied: failed to create typed patch object (default/unknown; strict.example.com/v1, Kind=Strict): .spec.colour: field not declared in schema',
    ]);
    expect(lines.join('\n')).not.toContain('hunter2');
  });

  it('survives a restart of the API in the middle', async () => {
    const { outcome, says } = start(
      setOf({ '1-a.yaml': configMap('before', {}), '2-b.yaml': configMap('after', {}, 'made-later') }),
    );
    await says('namespaces "made-later" not found');
    await api.stop();
    await pause(3_000);
    await api.start();
    await api.kubectl(['create', 'namespace', 'made-later']);

    expect(await outcome).toMatchObject({ kind: 'reached' });
  });

  describe('a dry run', () => {
    it('changes nothing, and does not wait for kinds and namespaces that do not exist', async () => {
      const set = setOf({
        '1-a.yaml': '{apiVersion: v1, kind: Namespace, metadata: {name: planned}}',
        '1-b.yaml': configMap('in-planned', {}, 'planned'),
        '2-c.yaml': custom('unserved.example.com', 'Unserved', 'one'),
        '2-d.yaml': configMap('first', { a: '3' }),
        '2-e.yaml': configMap('second', {}),
      });
      const states = await dryRun(set);
      expect(states.map((each) => [each.state, 'text' in each ? each.text : ''])).toEqual([
        ['created', ''],
        ['not-checked', 'namespace planned does not exist'],
        ['not-checked', 'kind Unserved of unserved.example.com/v1 is not served'],
        ['configured', ''],
        ['unchanged', ''],
      ]);
      await expect(api.kubectl(['get', 'namespace', 'planned'])).rejects.toThrow('not found');
      expect((await dryRun(set)).map(({ state }) => state)[3]).toBe('configured');
    });

    it('reports a conflict, and the result of taking the fields over if forced', async () => {
      const set = setOf({ 'a.yaml': configMap('shared', { a: '1', b: '1', c: '1' }) });
      expect(await dryRun(set)).toMatchObject([{ state: 'failed', cause: { code: 'apply/conflict' } }]);
      expect(await dryRun(set, true)).toMatchObject([
        {
          state: 'configured',
          before: { data: { a: '2' } },
          after: { data: { a: '1' } },
          conflict: 'conflict with field manager kubectl-patch: .data.a, .data.b',
        },
      ]);
    });
  });

  describe('the command', () => {
    // The cluster has the objects of the installation.
    beforeAll(async () => {
      await createOpenShift(api);
      await bootstrapSite(api, site({}));
      const inventory = ['configmap', 'sno-install-inventory', '--namespace=kube-system'];
      await api.kubectl(['delete', ...inventory, '--ignore-not-found']);
    }, buildTimeoutMs);

    /** The result without the objects of the installation, which are unchanged, and those of other tests. */
    function postInstallOf({ code, stdout }: ReturnType<typeof sno>): readonly [number | null, string] {
      const lines = stdout
        .split('\n')
        .filter(
          (line) => !/^\S+ (?:cluster|99-|openshift-config)\S* unchanged| left: no manifest/.test(line),
        );
      return [code, lines.join('\n').replace(/\d+ s\)/, 'N s)')];
    }

    const secret = (value: string): string =>
      `{apiVersion: v1, kind: Secret, metadata: {name: token, namespace: default}, stringData: {key: ${value}}}`;

    /** A site whose kubeconfig is that of the API. */
    function site(files: Readonly<Record<string, string>>): string {
      const dir = scratchFolder();
      copyFileSync('fixtures/configs/minimal/install-config.yaml', join(dir, 'install-config.yaml'));
      mkdirSync(join(dir, 'auth'));
      mkdirSync(join(dir, 'post-install'));
      writeFileSync(join(dir, 'auth/kubeconfig'), api.kubeconfig(), { mode: 0o600 });
      for (const [name, text] of Object.entries(files)) writeFileSync(join(dir, 'post-install', name), text);
      return dir;
    }

    function severitiesIn(stderr: string): readonly string[] {
      return [...new Set([...stderr.matchAll(/^(error|warning)\[/gm)].map(([, severity = '']) => severity))];
    }

    it('applies, finds no drift, and shows a later change without the value of a Secret', async () => {
      const dir = site({
        '10-a.yaml': configMap('drifting', { a: '1' }),
        '20-b.yaml': secret('hunter2-old'),
      });
      const first = sno(['apply', dir]);
      expect([first.code, severitiesIn(first.stderr)]).toEqual([0, ['warning']]);
      expect(postInstallOf(first)[1]).toBe(
        'ConfigMap default/drifting created\nSecret default/token created\n12 objects: 2 created, 10 unchanged (after N s)\n',
      );
      const same = sno(['apply', dir, '--diff']);
      expect([same.code, same.stdout]).toEqual([
        0,
        expect.stringMatching(/^No differences: .* against https:.*\.\n$/),
      ]);
      await api.kubectl(['patch', 'configmap', 'drifting', '--type=merge', '--patch={"data":{"a":"2"}}']);
      await api.kubectl([
        'patch',
        'secret',
        'token',
        '--type=merge',
        '--patch={"stringData":{"key":"hunter2-new"}}',
      ]);
      const drift = sno(['apply', dir, '--diff']);
      expect([drift.code, severitiesIn(drift.stderr)]).toEqual([1, ['warning']]);
      expect(drift.stdout).toContain('~ object ConfigMap default/drifting\n');
      expect(drift.stdout).toContain(
        '    conflict: field manager kubectl-patch: .data.a\n    data.a: 2 → 1\n',
      );
      expect(drift.stdout).toContain('~ object Secret default/token\n');
      expect(drift.stdout).toContain('data.key: differs in hidden content');
      const json = sno(['apply', dir, '--diff', '--output', 'json']);
      for (const { stdout, stderr } of [drift, json])
        expect(stdout + stderr).not.toMatch(/hunter2|aHVudGVyMi|unter2/);
      expect(JSON.parse(json.stdout)).toMatchObject({ ok: false, equal: false });
      expect(await api.kubectl(['get', 'configmap', 'drifting', '-ojsonpath={.data.a}'])).toBe('2');
    });

    it('applies one wave, and rejects a wave that does not exist', async () => {
      const dir = site({ '10-a.yaml': configMap('wave-10', {}), '20-b.yaml': configMap('wave-20', {}) });
      const { code, stdout } = sno(['apply', dir, '--wave', '20', '--output', 'json']);
      expect(code).toBe(0);
      expect(JSON.parse(stdout)).toMatchObject({
        ok: true,
        state: 'applied',
        objects: [{ wave: '20', source: 'post-install/20-b.yaml#1', name: 'wave-20', state: 'created' }],
      });
      await expect(api.kubectl(['get', 'configmap', 'wave-10'])).rejects.toThrow('not found');
      const wrong = sno(['apply', dir, '--wave', '30']);
      expect([wrong.code, wrong.stderr]).toEqual([
        2,
        expect.stringContaining('the waves are manifests, 10, 20'),
      ]);
    });

    it('prints the result of a dry run', () => {
      const dir = site({ 'a.yaml': configMap('dry', {}), 'b.yaml': custom('dry.example.com', 'Dry', 'one') });
      expect(postInstallOf(sno(['apply', dir, '--dry-run', 'server', '--wave', 'last']))).toEqual([
        0,
        'ConfigMap default/dry created (server dry run)\n' +
          'Dry default/one not checked: kind Dry of dry.example.com/v1 is not served (server dry run)\n' +
          '2 objects: 1 created, 1 not checked (after N s)\n',
      ]);
    });

    it('reports the set as complete to wait-for, and a failure of the node', async () => {
      const dir = site({ '10-a.yaml': configMap('awaited', {}) });
      expect(sno(['apply', dir]).code).toBe(0);
      const wait = ['wait-for', 'post-install-complete', dir, '--timeout', '1s'];
      const complete = sno(wait);
      expect([complete.code, complete.stdout.split(' (after')[0]]).toEqual([
        0,
        'post-install complete: the manifests in post-install/ are applied',
      ]);
      const failed = 'post-install/10-a.yaml#1: ConfigMap default/awaited: no';
      const patch = JSON.stringify({ data: { status: 'failed', wave: '10', failed } });
      await api.kubectl([
        'patch',
        'configmap',
        'sno-post-install',
        '--namespace=kube-system',
        '--type=merge',
        `--patch=${patch}`,
      ]);
      const { code, stderr } = sno(wait);
      expect([code, stderr]).toEqual([1, expect.stringContaining(`manifests failed: ${failed}`)]);
      expect(stderr).toContain('cluster/post-install-failed');
      expect(sno(['apply', dir]).code).toBe(0);
      expect(sno(wait).code).toBe(0);
    });

    it('ends cleanly at Ctrl-C, and continues in the next run', async () => {
      const dir = site({
        '1-a.yaml': configMap('kept', {}),
        '2-b.yaml': custom('stopped.example.com', 'Stopped', 'one'),
      });
      const { pid, exited } = startedCommand(['apply', dir, '--output', 'json']);
      await waitUntil('the first wave', () => api.kubectl(['get', 'configmap', 'kept']), { pauseMs: 100 });
      process.kill(pid(), 'SIGINT');
      const { code, stdout, stderr } = await exited;
      expect(code).toBe(130);
      expect(stderr).not.toContain('error');
      expect(JSON.parse(stdout)).toMatchObject({
        ok: false,
        problems: [{ code: 'post-install/kind-unknown' }, { code: 'post-install/served-kind' }],
        state: 'stopped',
      });
      const { objects } = JSON.parse(stdout) as { readonly objects: readonly object[] };
      expect(objects.slice(-2)).toMatchObject([{ name: 'kept', state: 'created' }, { name: 'one' }]);
      const again = sno(['apply', dir, '--wave', '1']);
      expect([again.code, again.stdout]).toEqual([
        0,
        expect.stringMatching(/^ConfigMap default\/kept unchanged\n/),
      ]);
    });

    it('applies a wave of a fleet, and reports the site that fails', () => {
      const fleet = fleetFolder({
        'base/post-install/10-a.yaml': configMap('of-${name}', { site: '${name}' }),
        'overrides/north-2/post-install/10-b.yaml': custom('fleet.example.com', 'Fleet', 'one'),
      });
      for (const name of ['north-1', 'north-2']) {
        mkdirSync(join(fleet, 'out', name, 'auth'), { recursive: true });
        writeFileSync(join(fleet, 'out', name, 'auth/kubeconfig'), api.kubeconfig(), { mode: 0o600 });
      }
      const { code, stdout, stderr } = sno(['fleet', 'apply', fleet, '--wave', '10', '--timeout', '1s']);
      expect([code, stdout.replace(/ \(after .*\)/, '')]).toEqual([
        1,
        'SITES  LAST WORD\n' +
          '    1  applied, 1 created (north-1)\n' +
          '    1  not reached: Fleet default/one is not applied: kind Fleet of fleet.example.com/v1 is not served (north-2)\n' +
          '\n' +
          'applied: 2 sites: 1 reached, 1 not reached\n',
      ]);
      expect(stderr).toContain('overrides/north-2/post-install/10-b.yaml');
      const json = sno(['fleet', 'apply', fleet, '--only', 'north-1', '--wave', '10', '--output', 'json']);
      expect(json.code).toBe(0);
      expect(JSON.parse(json.stdout)).toMatchObject({
        condition: 'applied',
        state: 'reached',
        sites: [{ name: 'north-1', state: 'reached', changes: '1 unchanged' }],
      });
      const unknown = sno(['fleet', 'apply', fleet, '--wave', '11']);
      expect([unknown.code, unknown.stderr]).toEqual([
        2,
        expect.stringContaining('the waves are manifests, 10'),
      ]);
    });

    it('applies nothing if the input has problems', async () => {
      const dir = site({
        'a.yaml': configMap('not-this', {}),
        'b.yaml': '{apiVersion: v1, kind: ConfigMap}',
      });
      const { code, stderr } = sno(['apply', dir]);
      expect([code, stderr]).toEqual([1, expect.stringContaining('post-install/b.yaml')]);
      await expect(api.kubectl(['get', 'configmap', 'not-this'])).rejects.toThrow('not found');
    });

    it('fails after --timeout with the objects that wait', () => {
      const dir = site({
        '1-a.yaml': custom('absent.example.com', 'Absent', 'one'),
        '2-b.yaml': configMap('never', {}),
      });
      const failed = sno(['apply', dir, '--timeout', '1s']);
      expect(postInstallOf(failed)).toEqual([
        1,
        'Absent default/one waiting for kind Absent of absent.example.com/v1\n' +
          'Absent default/one failed: kind Absent of absent.example.com/v1 is not served\n' +
          '12 objects: 10 unchanged, 1 failed, 1 not applied (after N s); wave 1 failed, 2 not applied\n',
      ]);
      expect(failed.stderr).toContain('apply/not-served');
    });
  });
});

/** A webhook that admits everything. */
function allowing({ certPem, keyPem }: { readonly certPem: string; readonly keyPem: string }): Server {
  return createServer({ cert: certPem, key: keyPem }, (request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => {
      const { uid } = (JSON.parse(text) as { readonly request: { readonly uid: string } }).request;
      const review = {
        apiVersion: 'admission.k8s.io/v1',
        kind: 'AdmissionReview',
        response: { uid, allowed: true },
      };
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(review));
    });
  });
}
