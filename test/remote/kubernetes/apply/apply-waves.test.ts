import { describe, expect, it } from 'vitest';

import { postInstallObjects } from '../../../../src/manifests/post-install/post-install-objects.js';
import { applyWaves, type ObjectState } from '../../../../src/remote/kubernetes/apply/apply-waves.js';
import {
  describeObject,
  objectsToApply,
  type ObjectToApply,
} from '../../../../src/remote/kubernetes/apply/object-to-apply.js';
import type { ApiAnswer, ApiRequest, ClusterClient } from '../../../../src/remote/kubernetes/reader.js';
import { waitFor, type WaitResult } from '../../../../src/remote/kubernetes/wait.js';
import { fakeCluster, refused } from '../fake-cluster.js';

const widget =
  '{apiVersion: example.com/v1, kind: Widget, metadata: {name: one, namespace: default}, spec: {size: 1}}';
const secret =
  '{apiVersion: v1, kind: Secret, metadata: {name: token, namespace: default}, stringData: {key: hunter2}}';

function setOf(...texts: readonly string[]): readonly ObjectToApply[] {
  const { objects } = postInstallObjects(
    texts.map((text, index) => ({ file: `post-install/${index + 1}0-a.yaml`, bytes: Buffer.from(text) })),
  );
  return objectsToApply(objects, []);
}

function json(status: number, body: unknown): ApiAnswer {
  return { kind: 'answer', status, body };
}

/** A Status of the API. */
function refusal(
  code: number,
  reason: string,
  message: string,
  details: object = { name: 'one' },
): ApiAnswer {
  return json(code, { kind: 'Status', status: 'Failure', reason, message, details, code });
}

const missing = refusal(404, 'NotFound', 'not found');
const pageMissing = json(404, undefined);
const isInventory = ({ path }: ApiRequest): boolean => path.endsWith('/configmaps/sno-install-inventory');
const isApply = (request: ApiRequest): boolean => request.apply !== undefined && !isInventory(request);
const isStatus = ({ path }: ApiRequest): boolean => path.endsWith('/configmaps/sno-post-install');

type Answer = (request: ApiRequest, seconds: number) => ApiAnswer | undefined;

/** Serves widgets and the core group; `answer` comes first. */
function api(answer: Answer): Answer {
  const kinds = {
    '/api/v1': [
      { name: 'secrets', kind: 'Secret', namespaced: true },
      { name: 'secrets/status', kind: 'Secret', namespaced: true },
    ],
    '/apis/example.com/v1': [{ name: 'widgets', kind: 'Widget', namespaced: true }],
  };
  return (request, seconds) => {
    const own = answer(request, seconds);
    if (own !== undefined) return own;
    if (request.path in kinds) return json(200, { resources: kinds[request.path as keyof typeof kinds] });
    if (request.path.startsWith('/apis/apiextensions') || request.apply === undefined) return missing;
    return json(isStatus(request) ? 200 : 201, {});
  };
}

interface Run {
  readonly outcome: WaitResult;
  readonly lines: readonly string[];
  readonly requests: readonly ApiRequest[];
}

/** Applies a set on a clock that advances only while waiting. */
async function run(set: readonly ObjectToApply[], answer: Answer, isForced = false): Promise<Run> {
  const { reader, clock } = fakeCluster([{ fromSeconds: 0 }]);
  const startMs = clock.nowMs();
  const requests: ApiRequest[] = [];
  const client: ClusterClient = {
    ...reader,
    send: (request) => {
      requests.push(request);
      const said = api(answer)(request, (clock.nowMs() - startMs) / 1000);
      return Promise.resolve(said ?? missing);
    },
  };
  const lines: string[] = [];
  const onChange = ({ object, state, text = '' }: ObjectState): void => {
    lines.push(`${(clock.nowMs() - startMs) / 1000} s ${describeObject(object)} ${state} ${text}`.trim());
  };
  const limits = { waveMs: 3_600_000, rejectionMs: 600_000 };
  const { goal } = applyWaves({ objects: set, isWhole: true, isForced, limits, clock, onChange });
  const stop = new AbortController().signal;
  const outcome = await waitFor(goal, {
    reader: client,
    clock,
    timeoutMs: Infinity,
    stop,
    onMoment: () => undefined,
  });
  return { outcome, lines, requests };
}

function problemsOf({ outcome }: Run): readonly string[] {
  return outcome.kind === 'failed'
    ? outcome.problems.map(({ code, message }) => `${code}: ${message}`)
    : [outcome.kind];
}

describe('applying in waves', () => {
  it('sends the object as the node does, without force', async () => {
    const { requests } = await run(setOf(widget), () => undefined);
    expect(requests.filter(isApply)).toEqual([
      {
        path: '/apis/example.com/v1/namespaces/default/widgets/one',
        query: { fieldManager: 'sno-install', fieldValidation: 'Strict' },
        apply:
          'apiVersion: example.com/v1\nkind: Widget\nmetadata:\n  name: one\n  namespace: default\nspec:\n  size: 1\n',
      },
      {
        path: '/api/v1/namespaces/kube-system/configmaps/sno-post-install',
        query: { fieldManager: 'sno-install', force: 'true' },
        apply: expect.stringContaining('status: complete') as unknown,
      },
    ]);
  });

  it('sends nothing to an API without the kinds of OpenShift', async () => {
    const proxy = '{apiVersion: config.openshift.io/v1, kind: Proxy, metadata: {name: cluster}}';
    const result = await run(setOf(widget, proxy), () => undefined);
    expect(problemsOf(result)).toEqual([
      'apply/not-openshift: the API does not serve the group config.openshift.io',
    ]);
    expect(result.requests.filter(({ apply }) => apply !== undefined)).toEqual([]);
  });

  it('writes the inventory first, and warns if it cannot', async () => {
    const { requests } = await run(setOf(widget), () => undefined);
    expect(requests.find(({ apply }) => apply !== undefined)).toEqual({
      path: '/api/v1/namespaces/kube-system/configmaps/sno-install-inventory',
      query: { fieldManager: 'sno-install', force: 'true' },
      apply: expect.stringContaining('Widget.example.com default/one') as unknown,
    });
    const { outcome } = await run(setOf(widget), (request) =>
      isInventory(request) ? refusal(403, 'Forbidden', 'configmaps is forbidden') : undefined,
    );
    expect(outcome).toMatchObject({
      kind: 'reached',
      warnings: [
        {
          code: 'apply/inventory',
          message: 'the list of applied objects cannot be read or written: configmaps is forbidden',
        },
      ],
    });
  });

  it('takes over fields of other managers with --force-conflicts', async () => {
    const { requests } = await run(setOf(widget), () => undefined, true);
    expect(requests.filter(isApply)[0]?.query).toEqual({
      fieldManager: 'sno-install',
      fieldValidation: 'Strict',
      force: 'true',
    });
  });

  it('waits for an aggregated API whose discovery answers 503', async () => {
    const down = json(503, undefined);
    const { lines } = await run(setOf(widget), ({ path }, seconds) =>
      path === '/apis/example.com/v1' && seconds < 60 ? down : undefined,
    );
    expect(lines).toEqual([
      '0 s Widget default/one waiting kind Widget of example.com/v1 (HTTP 503)',
      '60 s Widget default/one created',
    ]);
  });

  describe('with a Subscription that brings the kind', () => {
    const olm = '/apis/operators.coreos.com/v1alpha1';
    const crdPath = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/widgets.example.com';
    const crd = { status: { conditions: [{ type: 'Established', status: 'True' }] } };
    const set = setOf(widget).map((object) => ({ ...object, subscriptions: ['ns/widgets'] }));
    const subscription = (status: object): object => ({
      metadata: { namespace: 'ns', name: 'widgets' },
      status,
    });
    const csv = (status: object, owned = 'others.example.com', namespace = 'ns'): object => ({
      metadata: { namespace, name: 'widgets.v1' },
      spec: { customresourcedefinitions: { owned: [{ name: owned }] } },
      status,
    });
    const installed = subscription({ installedCSV: 'widgets.v1' });
    const failed = { phase: 'Failed', reason: 'InstallCheckFailed', message: 'install\ntimeout' };
    const manual = subscription({
      installPlanRef: { name: 'install-x7k2p' },
      conditions: [
        { type: 'InstallPlanPending', status: 'True', reason: 'RequiresApproval' },
        { type: 'PackageDeprecated', status: 'True', message: 'use another' },
        { type: 'CatalogSourcesUnhealthy', status: 'False', reason: 'AllCatalogSourcesHealthy' },
      ],
    });

    /** Until the second minute the lists are those given; then the operator is installed. */
    const olmApi =
      ({ subscriptions = [], csvs = [] }: Lists): Answer =>
      ({ path }, seconds) => {
        const isLate = seconds >= 60;
        if (path === crdPath) return json(200, crd);
        if (path === `${olm}/subscriptions`)
          return json(200, { items: isLate ? [installed] : subscriptions });
        return path === `${olm}/clusterserviceversions`
          ? json(200, { items: isLate ? [csv({ phase: 'Succeeded' })] : csvs })
          : undefined;
      };
    interface Lists {
      readonly subscriptions?: readonly object[];
      readonly csvs?: readonly object[];
    }

    it.each<{ readonly name: string; readonly given: Lists; readonly want: string }>([
      { name: 'the Subscription', given: {}, want: 'Subscription ns/widgets' },
      {
        name: 'its ClusterServiceVersion',
        given: { subscriptions: [subscription({})] },
        want: 'the ClusterServiceVersion of Subscription ns/widgets',
      },
      {
        name: 'a ClusterServiceVersion in its namespace',
        given: { subscriptions: [installed], csvs: [csv({ phase: 'Succeeded' }, undefined, 'other')] },
        want: 'the ClusterServiceVersion of Subscription ns/widgets',
      },
      {
        name: 'the approval of its InstallPlan',
        given: { subscriptions: [manual] },
        want: 'the ClusterServiceVersion of Subscription ns/widgets (InstallPlan install-x7k2p waits for approval)',
      },
      {
        name: 'a failed ClusterServiceVersion',
        given: { subscriptions: [installed], csvs: [csv(failed)] },
        want: 'CSV widgets.v1 of Subscription ns/widgets (phase Failed, InstallCheckFailed: install timeout)',
      },
    ])('waits for $name, although the CRD is Established', async ({ given, want }) => {
      const { outcome, lines } = await run(set, olmApi(given));
      expect([outcome.kind, ...lines]).toEqual([
        'reached',
        `0 s Widget default/one waiting ${want}`,
        '60 s Widget default/one created',
      ]);
    });

    it('does not wait for it if the owner of the CRD is installed', async () => {
      const { lines } = await run(
        set,
        olmApi({ csvs: [csv({ phase: 'Succeeded' }, 'widgets.example.com')] }),
      );
      expect(lines).toEqual(['0 s Widget default/one created']);
    });

    it('names the state of the operator if the kind is not served', async () => {
      const result = await run(set, ({ path }) => {
        if (path === '/apis/example.com/v1') return pageMissing;
        return path === `${olm}/subscriptions` ? json(200, { items: [manual] }) : undefined;
      });
      expect(problemsOf(result)).toEqual([
        'apply/not-served: Widget default/one is not applied: kind Widget of example.com/v1 is not served (Subscription ns/widgets has no ClusterServiceVersion (InstallPlan install-x7k2p waits for approval))',
      ]);
    });
  });

  it('applies the other objects of a wave while one waits, and stops after the wave', async () => {
    const set = setOf(`${widget}\n---\n${secret}`, secret.replace('token', 'later'));
    const result = await run(set, ({ path }) => (path === '/apis/example.com/v1' ? pageMissing : undefined));
    expect(result.lines).toEqual([
      '0 s Widget default/one waiting kind Widget of example.com/v1',
      '0 s Secret default/token created',
      '3600 s Widget default/one failed kind Widget of example.com/v1 is not served',
    ]);
    expect(problemsOf(result)).toEqual([
      'apply/not-served: Widget default/one is not applied: kind Widget of example.com/v1 is not served',
    ]);
    expect(result.requests.filter(isStatus)).toEqual([]);
  });

  it('tries again after HTTP 429', async () => {
    const busy: ApiAnswer = { kind: 'fault', fault: { kind: 'error-answer', detail: 'HTTP 429' } };
    const { outcome, lines } = await run(setOf(widget), (request, seconds) =>
      isApply(request) && seconds < 10 ? busy : undefined,
    );
    expect(outcome.kind).toBe('reached');
    expect(lines).toEqual([
      '0 s Widget default/one waiting the API to accept it (no answer: HTTP 429)',
      '10 s Widget default/one created',
    ]);
  });

  it('fails an object ten minutes after its first rejection', async () => {
    const result = await run(setOf(widget), (request) =>
      isApply(request)
        ? refusal(500, 'InternalError', 'failed calling\nwebhook "x":  token=hunter2')
        : undefined,
    );
    expect(result.lines.at(-1)).toMatch(/^600 s Widget default\/one failed/);
    expect(problemsOf(result)).toEqual([
      'apply/rejected: Widget default/one is not applied: failed calling webhook "x": token=[redacted]',
    ]);
  });

  it('waits until an object is deleted, and creates it again', async () => {
    const path = '/apis/example.com/v1/namespaces/default/widgets/one';
    const leaving = json(200, { metadata: { deletionTimestamp: '2026-01-02T03:04:05Z' } });
    const { lines } = await run(setOf(widget), (request, seconds) =>
      request.path === path && request.apply === undefined && seconds < 10 ? leaving : undefined,
    );
    expect(lines).toEqual([
      '0 s Widget default/one waiting the API to accept it (the object in the cluster is being deleted)',
      '10 s Widget default/one created',
    ]);
  });

  it('counts the ten minutes anew after the API was away', async () => {
    const result = await run(setOf(widget), (request, seconds) => {
      if (seconds > 300 && seconds <= 1500) return { kind: 'fault', fault: refused };
      return isApply(request) && seconds < 1600 ? refusal(500, 'InternalError', 'no webhook') : undefined;
    });
    expect(result.outcome.kind).toBe('reached');
  });

  it('names the managers and fields of a conflict', async () => {
    const cause = (manager: string, field: string): object => ({
      reason: 'FieldManagerConflict',
      message: `conflict with "${manager}" using v1 at 2026-01-02T03:04:05Z`,
      field,
    });
    const causes = [cause('kubectl', '.spec.a'), cause('operator', '.spec.b'), cause('kubectl', '.spec.c')];
    const result = await run(setOf(widget), (request) =>
      isApply(request)
        ? refusal(409, 'Conflict', 'Apply failed with 3 conflicts', { name: 'one', causes })
        : undefined,
    );
    expect(problemsOf(result)).toEqual([
      'apply/conflict: Widget default/one is not applied: conflict with field manager kubectl: .spec.a, .spec.c; conflict with field manager operator: .spec.b',
    ]);
    expect(result.lines).toHaveLength(1);
    expect(result.lines[0]).toMatch(/^0 s Widget default\/one failed /);
  });

  it('shows only reason and code of an answer about a Secret', async () => {
    const result = await run(setOf(secret), (request) =>
      isApply(request)
        ? refusal(422, 'Invalid', 'Secret "token" is invalid: data[key]: "hunter2"')
        : undefined,
    );
    expect(problemsOf(result)).toEqual([
      'apply/rejected: Secret default/token is not applied: Invalid (HTTP 422)',
    ]);
    expect(JSON.stringify([result.lines, result.outcome])).not.toContain('hunter2');
  });

  it('waits again when the kind is not served any more', async () => {
    const { lines } = await run(setOf(widget), (request, seconds) =>
      isApply(request) && seconds < 5 ? pageMissing : undefined,
    );
    expect(lines).toEqual([
      '0 s Widget default/one waiting kind Widget of example.com/v1',
      '5 s Widget default/one created',
    ]);
  });

  it('stops at once when the certificate of the API has expired', async () => {
    const expired: ApiAnswer = { kind: 'fault', fault: { kind: 'certificate-expired', detail: 'expired' } };
    const result = await run(setOf(widget), () => expired);
    expect(problemsOf(result)).toEqual([
      'cluster/certificate-expired: the certificate of https://api.site1.example.com:6443 has expired',
    ]);
    expect(result.requests).toHaveLength(1);
  });

  it('fails the wave when the API is away for the whole time', async () => {
    const result = await run(setOf(widget), () => ({ kind: 'fault', fault: refused }));
    expect(problemsOf(result)).toEqual([
      'apply/not-served: Widget default/one is not applied: the API does not answer: connection refused',
    ]);
  });

  it('warns if the status cannot be written', async () => {
    const { outcome } = await run(setOf(widget), (request) =>
      isStatus(request) ? refusal(403, 'Forbidden', 'configmaps is forbidden') : undefined,
    );
    expect(outcome).toMatchObject({
      kind: 'reached',
      warnings: [
        {
          code: 'apply/status',
          severity: 'warning',
          message:
            'all objects are applied, but ConfigMap kube-system/sno-post-install cannot be written: configmaps is forbidden',
        },
      ],
    });
  });
});
