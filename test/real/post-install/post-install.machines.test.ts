import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';

import { throwawayAuthority } from '../../remote/kubernetes/throwaway-tls.js';
import { freePort } from '../../support/ports.js';
import { describeWith } from '../../support/programs.js';
import { home } from '../../shell/post-install/post-install-node.js';
import { liveApi, type LiveApi } from '../cluster/live-api.js';
import { buildTimeoutMs } from '../control-plane/support/tools.js';
import { waitUntil } from '../control-plane/support/wait-until.js';
import { olmDefinitions } from '../support/olm-definitions.js';
import { scriptNode, type WaveObject } from './running-script.js';

const group = 'example.com';

/** A CRD with a schema, as an operator installs it. */
function crd(kind: string, plural: string): object {
  const spec = {
    type: 'object',
    properties: { size: { type: 'integer', minimum: 1 }, note: { type: 'string' } },
  };
  const schema = { openAPIV3Schema: { type: 'object', properties: { spec } } };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { kind, plural, singular: kind.toLowerCase() },
      versions: [{ name: 'v1', served: true, storage: true, schema }],
    },
  };
}

function csv(
  name: string,
  owned: string,
  phase: string,
  labels: Readonly<Record<string, string>> = {},
): object {
  return {
    apiVersion: 'operators.coreos.com/v1alpha1',
    kind: 'ClusterServiceVersion',
    metadata: { name, namespace: 'default', labels },
    spec: { customresourcedefinitions: { owned: [{ name: owned, kind: 'Any', version: 'v1' }] } },
    status: { phase },
  };
}

const instance = (kind: string, name: string, size: number, wave = '20'): WaveObject & { spec: object } => ({
  wave,
  apiVersion: `${group}/v1`,
  kind,
  metadata: { name, namespace: 'default' },
  spec: { size },
});

const configMap = (
  name: string,
  wave: string,
  value = 'a',
  namespace = 'default',
): WaveObject & { data: object } => ({
  wave,
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace },
  data: { value },
});

const patient = { wave: 120, refusal: 120 };

describeWith(['go', 'kubectl', 'jq'], 'sno-post-install.sh before the real kube-apiserver', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sno-install-post-'));
  let api: LiveApi;
  beforeAll(async () => {
    api = await liveApi(folder);
    await api.start();
  }, buildTimeoutMs);
  afterAll(async () => {
    await api.close();
    rmSync(folder, { recursive: true, force: true });
  });
  beforeEach(async () => {
    await api.kubectl([
      'delete',
      'configmap',
      'sno-post-install',
      '--namespace=kube-system',
      '--ignore-not-found',
    ]);
  });

  const create = (object: object): Promise<string> => api.kubectl(['create', '--filename=-'], object);
  const createOlm = async (): Promise<void> => {
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
  };
  const applyAs = (manager: string, object: object): Promise<string> =>
    api.kubectl(['apply', '--server-side', `--field-manager=${manager}`, '--filename=-'], object);
  const get = async (resource: string, name: string, namespace = 'default'): Promise<Served> =>
    JSON.parse(
      await api.kubectl([
        'get',
        resource,
        name,
        `--namespace=${namespace}`,
        '--output=json',
        '--show-managed-fields',
      ]),
    ) as Served;
  const status = async (): Promise<Readonly<Record<string, string>>> =>
    (await get('configmap', 'sno-post-install', 'kube-system')).data ?? {};

  it('applies a kind that an operator serves later, after its ClusterServiceVersion has succeeded', async () => {
    await createOlm();
    const node = scriptNode(
      api,
      [configMap('first', '10'), instance('Early', 'one', 1), configMap('end', 'last')],
      patient,
    );
    const running = node.start();
    await running.says('Early default/one: kind Early of example.com/v1 is not served');
    const waiting = await waitUntil('the status', async () => {
      const data = await status();
      return data['waiting'] === '' ? undefined : data;
    });
    expect(waiting).toMatchObject({
      status: 'running',
      wave: '20',
      waves: '1/3',
      waiting: 'Early default/one: kind Early of example.com/v1 is not served',
    });
    await create(csv('early.v1', `earlies.${group}`, 'Installing'));
    await create(csv('early.v1-copy', `earlies.${group}`, 'Failed', { 'olm.copiedFrom': 'other' }));
    await create(crd('Early', 'earlies'));
    await running.says('ClusterServiceVersion early.v1 is in phase Installing, not Succeeded');
    expect(await names('earlies')).toEqual([]);
    const phase = '--patch={"status":{"phase":"Succeeded"}}';
    await api.kubectl([
      'patch',
      'clusterserviceversions.operators.coreos.com',
      'early.v1',
      '--type=merge',
      phase,
    ]);

    expect([await running.exited, running.log()]).toEqual([0, expect.stringContaining('are removed now')]);
    expect(await status()).toMatchObject({
      status: 'complete',
      wave: 'last',
      waves: '3/3',
      waiting: '',
      failed: '',
    });
    const { metadata, spec } = await get('earlies', 'one');
    expect(spec).toEqual({ size: 1 });
    expect(metadata.managedFields).toMatchObject([{ manager: 'sno-install', operation: 'Apply' }]);
    // systemd removes the folder below /run when the service ends.
    const left = node.list().filter((path) => path.includes('post-install') && !path.startsWith('/run/'));
    expect(left).toEqual([]);
  });

  it('waits for the ClusterServiceVersion of its Subscription although the CRD is Established', async () => {
    await createOlm();
    await create(crd('Prompt', 'prompts'));
    const node = scriptNode(
      api,
      [{ ...instance('Prompt', 'one', 1), subscriptions: 'default/prompt' }],
      patient,
    );
    const running = node.start();
    await running.says('Prompt default/one: Subscription default/prompt does not exist');
    await create({
      apiVersion: 'operators.coreos.com/v1alpha1',
      kind: 'Subscription',
      metadata: { name: 'prompt', namespace: 'default' },
      status: {
        installPlanRef: { name: 'install-x7k2p' },
        conditions: [{ type: 'InstallPlanPending', status: 'True', reason: 'RequiresApproval' }],
      },
    });
    await running.says('has no ClusterServiceVersion (InstallPlan install-x7k2p waits for approval)');
    await create(csv('prompt.v1', 'others.example.com', 'Failed'));
    const patch = (kind: string, name: string, status: object): Promise<string> =>
      api.kubectl([
        'patch',
        `${kind}.operators.coreos.com`,
        name,
        '--type=merge',
        `--patch=${JSON.stringify({ status })}`,
      ]);
    await patch('clusterserviceversions', 'prompt.v1', {
      reason: 'InstallCheckFailed',
      message: 'install timeout',
    });
    await patch('subscriptions', 'prompt', { installedCSV: 'prompt.v1', conditions: [] });
    await running.says(
      'ClusterServiceVersion prompt.v1 of Subscription default/prompt is in phase Failed (InstallCheckFailed: install timeout), not Succeeded',
    );
    expect(await names('prompts')).toEqual([]);
    await patch('clusterserviceversions', 'prompt.v1', { phase: 'Succeeded' });
    expect(await running.exited).toBe(0);
    expect(await names('prompts')).toEqual(['one']);
  });

  it('tries again while a webhook does not answer', async () => {
    await create(crd('Hooked', 'hookeds'));
    const port = await freePort();
    const authority = await throwawayAuthority('webhook-signer');
    const { certPem, keyPem } = await authority.issue({ commonName: 'webhook', names: ['localhost'] });
    await create(webhook('hookeds', `https://localhost:${port}/`, authority.certPem));
    const running = scriptNode(api, [instance('Hooked', 'one', 1)], patient).start();
    await running.says(
      'Hooked default/one: Error from server (InternalError): Internal error occurred: failed calling webhook "hookeds.example.com": failed to call webhook: Post "https://localhost:',
    );
    expect(running.log()).toContain('connect: connection refused');

    const server = createServer({ cert: certPem, key: keyPem }, (request, response) => {
      let body = '';
      request.on('data', (part: Buffer) => (body += part.toString()));
      request.on('end', () => {
        const { request: review } = JSON.parse(body) as { request: { uid: string } };
        response.setHeader('content-type', 'application/json');
        const answer = { uid: review.uid, allowed: true };
        response.end(
          JSON.stringify({ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response: answer }),
        );
      });
    }).listen(port, 'localhost');
    await once(server, 'listening');
    expect(await running.exited).toBe(0);
    server.close();
    server.closeAllConnections();
    expect((await get('hookeds', 'one')).spec).toEqual({ size: 1 });
  });

  it('does not overwrite the fields of another manager', async () => {
    await create(crd('Shared', 'shareds'));
    const unowned = { ...instance('Shared', 'one', 7), wave: undefined };
    await applyAs('other', unowned);
    const running = scriptNode(api, [instance('Shared', 'one', 1)], patient).start();
    await running.says(
      'Shared default/one: error: Apply failed with 1 conflict: conflict with "other": .spec.size\n',
    );
    expect(await running.exited).toBe(1);
    expect((await get('shareds', 'one')).spec).toEqual({ size: 7 });
  });

  it('continues after a kill in the middle, and applies no object again', async () => {
    const node = scriptNode(api, [configMap('before', '10'), instance('Late', 'one', 1)], patient);
    const first = node.start();
    await first.says('kind Late of example.com/v1 is not served');
    await first.kill();
    // Another manager takes over a field that a second apply would conflict with.
    await api.kubectl([
      'patch',
      'configmap',
      'before',
      '--field-manager=other',
      '--type=merge',
      '--patch={"data":{"value":"b"}}',
    ]);
    const second = node.start();
    await second.says('kind Late of example.com/v1 is not served');
    await create(crd('Late', 'lates'));
    expect(await second.exited).toBe(0);
    expect((await get('configmap', 'before')).data).toEqual({ value: 'b' });
    expect((await get('lates', 'one')).spec).toEqual({ size: 1 });
  });

  it('continues when the API server was away', async () => {
    const node = scriptNode(api, [configMap('around', '10'), instance('Away', 'one', 1)], patient);
    const running = node.start();
    await running.says('kind Away of example.com/v1 is not served');
    await api.stop();
    await running.says('The connection to the server 127.0.0.1:');
    await api.start();
    await create(crd('Away', 'aways'));
    expect(await running.exited).toBe(0);
    expect(await status()).toMatchObject({ status: 'complete' });
  });

  it('waits for a namespace, which another controller creates', async () => {
    const running = scriptNode(api, [configMap('inside', '10', 'a', 'later')], patient).start();
    await running.says('ConfigMap later/inside: Error from server (NotFound): namespaces "later" not found');
    await api.kubectl(['create', 'namespace', 'later']);
    expect(await running.exited).toBe(0);
  });

  it('fails objects that stay invalid, applies the others of the wave, and no later wave', async () => {
    await create(crd('Checked', 'checkeds'));
    const canary = 'canary-91c2';
    const secret = {
      wave: '20',
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'login', namespace: 'default' },
      type: canary.toUpperCase(),
      stringData: { [`${canary}!`]: canary },
    };
    const unknown = { ...instance('Checked', 'unknown', 1), spec: { size: 1, colour: 'red' } };
    const objects = [
      instance('Checked', 'invalid', 0),
      unknown,
      secret,
      instance('Never', 'one', 1),
      instance('Checked', 'valid', 1),
      configMap('after', '30'),
    ];
    const node = scriptNode(api, objects, { wave: 5, refusal: 3 });
    const running = node.start();
    expect([await running.exited, running.log()]).toEqual([
      1,
      expect.stringContaining('later waves are not applied'),
    ]);
    const { failed = '', ...rest } = await status();
    expect(rest).toMatchObject({ status: 'failed', wave: '20', waves: '0/2', waiting: '' });
    expect(failed.split('\n').toSorted()).toEqual([
      'post-install/20-files.yaml#1: Checked default/invalid: The Checked "invalid" is invalid: spec.size: Invalid value: 0: spec.size in body should be greater than or equal to 1',
      'post-install/20-files.yaml#2: Checked default/unknown: Error from server: failed to create typed patch object (default/unknown; example.com/v1, Kind=Checked): .spec.colour: field not declared in schema',
      'post-install/20-files.yaml#3: Secret default/login: the API server answered Invalid',
      'post-install/20-files.yaml#4: Never default/one: kind Never of example.com/v1 is not served',
    ]);
    expect(await names('checkeds')).toEqual(['valid']);
    expect(await names('configmaps')).not.toContain('after');
    expect(running.log().toLowerCase()).not.toContain(canary);
    expect(node.console()).toContain('Post-install manifests of wave 20 failed: ');

    // The mended cluster: a restart continues with the failed objects.
    await create(crd('Never', 'nevers'));
    for (const name of ['invalid', 'unknown', 'login'])
      node.write(
        `${home}/objects/${fileNamed(node.list(), name)}`,
        JSON.stringify({ ...configMap(name, ''), wave: undefined }),
      );
    expect(await node.start().exited).toBe(0);
    expect(await names('configmaps')).toContain('after');
    expect(node.console()).toBe('');
  });

  const names = async (resource: string): Promise<readonly string[]> =>
    (
      await api.kubectl([
        'get',
        resource,
        '--namespace=default',
        '--output=jsonpath={.items[*].metadata.name}',
      ])
    )
      .split(' ')
      .filter((name) => name !== '');
});

interface Served {
  readonly metadata: { readonly managedFields: readonly object[] };
  readonly spec?: object;
  readonly data?: Readonly<Record<string, string>>;
}

function webhook(resource: string, url: string, caPem: string): object {
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingWebhookConfiguration',
    metadata: { name: resource },
    webhooks: [
      {
        name: `${resource}.${group}`,
        clientConfig: { url, caBundle: Buffer.from(caPem).toString('base64') },
        rules: [
          {
            apiGroups: [group],
            apiVersions: ['v1'],
            operations: ['CREATE', 'UPDATE'],
            resources: [resource],
          },
        ],
        admissionReviewVersions: ['v1'],
        sideEffects: 'None',
        failurePolicy: 'Fail',
      },
    ],
  };
}

/** The object file of this name. */
function fileNamed(paths: readonly string[], name: string): string {
  const found = paths.find((path) => path.includes('/objects/') && path.endsWith(`-${name}.yaml`));
  if (found === undefined) throw new Error(`no file of ${name}`);
  return found.slice(found.lastIndexOf('/') + 1);
}
