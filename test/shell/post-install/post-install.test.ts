import { rmSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { describeWith } from '../../support/programs.js';
import { postInstallFileRows } from '../disk/node-files.js';
import {
  crd,
  established,
  fileOf,
  home,
  postInstallNode,
  script,
  type ListedObject,
  type PostInstallNode,
} from './post-install-node.js';

const namespace: ListedObject = { wave: '10', apiVersion: 'v1', kind: 'Namespace', name: 'openshift-ptp' };
const ptp: ListedObject = {
  wave: '20',
  apiVersion: 'ptp.openshift.io/v1',
  kind: 'PtpConfig',
  namespace: 'openshift-ptp',
  name: 'grandmaster',
};
const secret: ListedObject = { ...namespace, kind: 'Secret', namespace: 'default', name: 'login' };
const last: ListedObject = {
  ...namespace,
  wave: 'last',
  kind: 'ConfigMap',
  namespace: 'default',
  name: 'end',
};

const ptpCrd = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/ptpconfigs.ptp.openshift.io';
const csvs = '/apis/operators.coreos.com/v1alpha1/clusterserviceversions?labelSelector=%21olm.copiedFrom';

/** Shapes of operator-framework/api, operators/v1alpha1 ClusterServiceVersion. */
function csv(name: string, phase: string, owned = 'ptpconfigs.ptp.openshift.io'): object {
  return {
    metadata: { name },
    spec: { customresourcedefinitions: { owned: [{ name: owned, kind: 'PtpConfig', version: 'v1' }] } },
    status: { phase },
  };
}

const subscriptions = '/apis/operators.coreos.com/v1alpha1/subscriptions';
const ptpSubscription = 'openshift-ptp/ptp-operator';

/** Shapes of operator-framework/api, operators/v1alpha1 Subscription. */
function subscription(status: object, name = 'ptp-operator'): object {
  return { metadata: { namespace: 'openshift-ptp', name }, status };
}

function csvWith(status: object, owned?: string): object {
  const all = csv('ptp-operator.v4.16', '', owned) as { readonly metadata: object };
  return { ...all, metadata: { namespace: 'openshift-ptp', ...all.metadata }, status };
}

/** A node whose API serves the core kinds and PtpConfig. */
function nodeWith(...objects: readonly ListedObject[]): PostInstallNode {
  const node = postInstallNode(objects);
  node.serve('v1', { Namespace: 'namespaces', Secret: 'secrets', ConfigMap: 'configmaps' });
  node.serve('ptp.openshift.io/v1', { PtpConfig: 'ptpconfigs' });
  node.answerTo(ptpCrd, established);
  return node;
}

function lastPublished(node: PostInstallNode): Readonly<Record<string, string>> | undefined {
  return node.published().at(-1);
}

/** Paths of the list that still exist. */
function leftOf(node: PostInstallNode): readonly string[] {
  return postInstallFileRows
    .filter(({ mode }) => mode !== 'preset')
    .map(({ path }) => path)
    .filter((path) => node.has(path));
}

describeWith(['bash', 'jq'], script, () => {
  test('applies the waves in order, reports them, and removes its files', () => {
    const node = nodeWith(namespace, ptp, last);
    const { status, stderr, stdout } = node.apply();
    expect({ status, stdout }).toEqual({
      status: 0,
      stdout: 'nothing of the installation is left on this node\n',
    });
    expect(node.applied()).toEqual([
      '0001-namespace-openshift-ptp.yaml',
      '0002-ptpconfig-grandmaster.yaml',
      '0003-configmap-end.yaml',
    ]);
    expect(node.published().map(({ status, wave, waves }) => [status, wave, waves])).toEqual([
      ['running', '10', '0/3'],
      ['running', '20', '1/3'],
      ['running', 'last', '2/3'],
      ['complete', 'last', '3/3'],
    ]);
    expect(lastPublished(node)).toEqual({
      status: 'complete',
      wave: 'last',
      waves: '3/3',
      waiting: '',
      failed: '',
      updated: '2026-01-02T03:04:05Z',
    });
    expect(stderr).toContain('applied post-install/20-files.yaml#2: PtpConfig openshift-ptp/grandmaster\n');
    expect(leftOf(node)).toEqual([]);
    expect(node.has(home)).toBe(false);
    expect(node.read('etc/systemd/system-preset/20-ignition.preset')).toBe('enable kubelet.service\n');
    expect(node.calls('systemd-run')).toEqual([
      '--quiet --no-block --collect --property=After=sno-post-install.service systemctl daemon-reload',
    ]);
    expect(node.console()).toBe('');
  });

  test('waits for a kind that is served minutes later', () => {
    const node = nodeWith(ptp, { ...ptp, name: 'second' });
    node.serve('ptp.openshift.io/v1', { PtpConfig: 'ptpconfigs' }, 25_000);
    node.killAt('sleep', 2);
    expect(node.apply().signal).toBe('SIGKILL');
    const waiting = 'kind PtpConfig of ptp.openshift.io/v1 is not served';
    expect(lastPublished(node)?.['waiting']).toBe(
      `PtpConfig openshift-ptp/grandmaster: ${waiting}\nPtpConfig openshift-ptp/second: ${waiting}`,
    );
    expect(node.console()).toBe(
      `Post-install manifests: wave 20 waits for 2 of its objects, first: PtpConfig openshift-ptp/grandmaster: ${waiting}\n`,
    );
    // One request per group/version in a pass.
    const requests = node.requestedPaths().filter((path) => path === '/apis/ptp.openshift.io/v1');
    expect(requests).toHaveLength(3);

    rmSync(join(node.stub, 'kill'), { recursive: true });
    expect(node.apply().status).toBe(0);
    expect(node.applied()).toHaveLength(2);
    expect(leftOf(node)).toEqual([]);
  });

  test.each([
    {
      name: 'a CRD that is not Established',
      given: (node: PostInstallNode, at?: number) => {
        node.answerTo(ptpCrd, at === undefined ? crd : established);
      },
      want: 'the CRD ptpconfigs.ptp.openshift.io is not Established',
    },
    {
      name: 'an operator that is not installed',
      given: (node: PostInstallNode, at?: number) => {
        const phase = at === undefined ? 'Installing' : 'Succeeded';
        node.answerTo(csvs, {
          items: [csv('other.v1', 'Failed', 'others.example.com'), csv('ptp-operator.v4.16', phase)],
        });
      },
      want: 'ClusterServiceVersion ptp-operator.v4.16 is in phase Installing, not Succeeded',
    },
    {
      name: 'an operator without a phase',
      given: (node: PostInstallNode, at?: number) => {
        node.answerTo(csvs, { items: [csv('ptp-operator.v4.16', at === undefined ? '' : 'Succeeded')] });
      },
      want: 'ClusterServiceVersion ptp-operator.v4.16 is in phase None, not Succeeded',
    },
  ])('waits for $name', ({ given, want }) => {
    const node = nodeWith(ptp);
    given(node);
    node.killAt('sleep', 0);
    expect(node.apply().signal).toBe('SIGKILL');
    expect(node.applied()).toEqual([]);
    expect(lastPublished(node)?.['waiting']).toBe(`PtpConfig openshift-ptp/grandmaster: ${want}`);
    given(node, 0);
    rmSync(join(node.stub, 'kill'), { recursive: true });
    expect(node.apply().status).toBe(0);
    expect(node.applied()).toHaveLength(1);
  });

  const installed = subscription({ installedCSV: 'ptp-operator.v4.16' });
  const unowned = 'others.example.com';
  const deprecated = { type: 'PackageDeprecated', status: 'True', reason: '', message: 'use another' };

  test.each([
    {
      name: 'that does not exist',
      given: { subscriptions: [subscription({ installedCSV: 'ptp-operator.v4.16' }, 'other')] },
      want: 'Subscription openshift-ptp/ptp-operator does not exist',
    },
    {
      name: 'without a ClusterServiceVersion',
      given: { subscriptions: [subscription({ conditions: [deprecated] })] },
      want: 'Subscription openshift-ptp/ptp-operator has no ClusterServiceVersion',
    },
    {
      name: 'whose ClusterServiceVersion is of another namespace',
      given: {
        subscriptions: [installed],
        csvs: [
          {
            ...csvWith({ phase: 'Succeeded' }, unowned),
            metadata: { namespace: 'a', name: 'ptp-operator.v4.16' },
          },
        ],
      },
      want: 'Subscription openshift-ptp/ptp-operator has no ClusterServiceVersion',
    },
    {
      name: 'with an InstallPlan that nobody approved',
      given: {
        subscriptions: [
          subscription({
            currentCSV: 'ptp-operator.v4.16',
            installPlanRef: { name: 'install-x7k2p' },
            conditions: [
              { type: 'InstallPlanPending', status: 'True', reason: 'RequiresApproval' },
              deprecated,
            ],
          }),
        ],
      },
      want: 'Subscription openshift-ptp/ptp-operator has no ClusterServiceVersion (InstallPlan install-x7k2p waits for approval)',
    },
    {
      name: 'that cannot be resolved',
      given: {
        subscriptions: [
          subscription({
            conditions: [
              { type: 'CatalogSourcesUnhealthy', status: 'False', reason: 'AllCatalogSourcesHealthy' },
              {
                type: 'ResolutionFailed',
                status: 'True',
                reason: 'ConstraintsNotSatisfiable',
                message: 'no operators found\nin channel stable',
              },
            ],
          }),
        ],
      },
      want: 'Subscription openshift-ptp/ptp-operator has no ClusterServiceVersion (ResolutionFailed: ConstraintsNotSatisfiable: no operators found in channel stable)',
    },
    {
      name: 'with a failed ClusterServiceVersion that does not own the CRD',
      given: {
        subscriptions: [installed],
        csvs: [
          csvWith({ phase: 'Failed', reason: 'InstallCheckFailed', message: 'install timeout' }, unowned),
        ],
      },
      want: 'ClusterServiceVersion ptp-operator.v4.16 of Subscription openshift-ptp/ptp-operator is in phase Failed (InstallCheckFailed: install timeout), not Succeeded',
    },
    {
      name: 'with a failed ClusterServiceVersion',
      given: {
        subscriptions: [installed],
        csvs: [csvWith({ phase: 'Failed', reason: 'InstallCheckFailed', message: 'install timeout' })],
      },
      want: 'ClusterServiceVersion ptp-operator.v4.16 is in phase Failed (InstallCheckFailed: install timeout), not Succeeded',
    },
  ])('waits for a Subscription $name, although the CRD is Established', ({ given, want }) => {
    const node = nodeWith({ ...ptp, subscriptions: ptpSubscription });
    node.answerTo(subscriptions, { items: given.subscriptions });
    if (given.csvs !== undefined) node.answerTo(csvs, { items: given.csvs });
    node.killAt('sleep', 0);
    expect(node.apply().signal).toBe('SIGKILL');
    expect(node.applied()).toEqual([]);
    expect(lastPublished(node)?.['waiting']).toBe(`PtpConfig openshift-ptp/grandmaster: ${want}`);

    node.answerTo(subscriptions, { items: [installed] });
    node.answerTo(csvs, { items: [csvWith({ phase: 'Succeeded' }, unowned)] });
    rmSync(join(node.stub, 'kill'), { recursive: true });
    expect(node.apply().status).toBe(0);
    expect(node.applied()).toHaveLength(1);
  });

  test.each([
    {
      name: 'of each of its Subscriptions',
      subscriptions: `openshift-ptp/a,${ptpSubscription}`,
      csvs: [csvWith({ phase: 'Succeeded' }, unowned)],
      want: 'Subscription openshift-ptp/a does not exist',
    },
    {
      name: 'that owns the CRD, whatever its Subscriptions are',
      subscriptions: 'openshift-ptp/a',
      csvs: [csvWith({ phase: 'Succeeded' })],
      want: undefined,
    },
  ])('needs the ClusterServiceVersion $name', ({ subscriptions: names, csvs: given, want }) => {
    const node = nodeWith({ ...ptp, subscriptions: names });
    node.answerTo(subscriptions, { items: [installed] });
    node.answerTo(csvs, { items: given });
    node.killAt('sleep', 0);
    node.apply();
    expect(node.applied()).toHaveLength(want === undefined ? 1 : 0);
    if (want !== undefined) expect(lastPublished(node)?.['waiting']).toContain(want);
  });

  test('names the InstallPlan of the operator if its kind is not served', () => {
    const node = nodeWith({ ...ptp, subscriptions: ptpSubscription });
    node.serve('ptp.openshift.io/v1', { Other: 'others' });
    const conditions = [{ type: 'InstallPlanPending', status: 'True', reason: 'RequiresApproval' }];
    node.answerTo(subscriptions, {
      items: [subscription({ installPlanRef: { name: 'install-x7k2p' }, conditions })],
    });
    expect(node.apply().status).toBe(1);
    expect(lastPublished(node)?.['failed']).toBe(
      'post-install/20-files.yaml#1: PtpConfig openshift-ptp/grandmaster: kind PtpConfig of ptp.openshift.io/v1 is not served (Subscription openshift-ptp/ptp-operator has no ClusterServiceVersion (InstallPlan install-x7k2p waits for approval))',
    );
  });

  test('fails a kind that is not served within the limit of its wave, applies the others, and starts no later wave', () => {
    const node = nodeWith(ptp, { ...namespace, wave: '20' }, last);
    node.serve('ptp.openshift.io/v1', { Other: 'others' });
    const { status, stderr } = node.apply();
    expect(status).toBe(1);
    expect(node.applied()).toEqual(['0002-namespace-openshift-ptp.yaml']);
    const failed =
      'post-install/20-files.yaml#1: PtpConfig openshift-ptp/grandmaster: kind PtpConfig of ptp.openshift.io/v1 is not served';
    expect(lastPublished(node)).toMatchObject({
      status: 'failed',
      wave: '20',
      waves: '0/2',
      failed,
      waiting: '',
    });
    expect(stderr).toContain(`gave up: ${failed}\n`);
    expect(stderr).toContain('wave 20: 1 objects failed; later waves are not applied\n');
    expect(node.console()).toBe(
      `Post-install manifests of wave 20 failed: ${failed}. Correct them and run sno-install apply, or systemctl restart sno-post-install.service.\n`,
    );
    expect(leftOf(node)).toContain('/usr/local/bin/sno-post-install.sh');
    const record = JSON.parse(node.read(`${home}/records/sno-post-install.json`)) as readonly object[];
    expect(record.at(-2)).toMatchObject({ stage: 'apply-objects', phase: 'stage end', result: 'failure' });

    // A restart continues with the failed object.
    node.serve('ptp.openshift.io/v1', { PtpConfig: 'ptpconfigs' });
    expect(node.apply().status).toBe(0);
    expect(node.applied()).toEqual([
      '0002-namespace-openshift-ptp.yaml',
      '0001-ptpconfig-grandmaster.yaml',
      '0003-configmap-end.yaml',
    ]);
    expect(lastPublished(node)).toMatchObject({ status: 'complete', failed: '' });
    expect(node.console()).toBe('');
  });

  // The texts are those of kubectl 1.32 with a real kube-apiserver; test/real/post-install shows them.
  const webhook =
    'Error from server (InternalError): Internal error occurred: failed calling webhook "ptp.example.com": failed to call webhook: Post "https://127.0.0.1:1/": dial tcp 127.0.0.1:1: connect: connection refused';
  const conflict =
    'error: Apply failed with 1 conflict: conflict with "kubectl-edit" using ptp.openshift.io/v1: .spec.profile\nPlease review the fields above--they currently have other managers. Here\nare the ways you can resolve this warning:';
  const conflictShown =
    'error: Apply failed with 1 conflict: conflict with "kubectl-edit" using ptp.openshift.io/v1: .spec.profile';
  const invalid = 'The PtpConfig "grandmaster" is invalid: spec.profile: Required value';
  const noNamespace = 'Error from server (NotFound): namespaces "openshift-ptp" not found';

  test.each([
    { name: 'a webhook that does not answer', answer: webhook, shown: webhook },
    { name: 'a namespace that is missing', answer: noNamespace, shown: noNamespace },
    {
      name: 'a warning before the error',
      answer: `Warning: unknown field\n${invalid}`,
      shown: invalid,
    },
    {
      name: 'no response',
      answer:
        'The connection to the server localhost:6443 was refused - did you specify the right host or port?',
      shown:
        'The connection to the server localhost:6443 was refused - did you specify the right host or port?',
    },
  ])('retries a refused object: $name', ({ answer, shown }) => {
    const node = nodeWith(ptp);
    node.refuse(fileOf(0, ptp), answer, answer, answer);
    const { status, stderr } = node.apply();
    expect(status).toBe(0);
    expect(node.applied()).toHaveLength(1);
    const line = `not applied yet: post-install/20-files.yaml#1: PtpConfig openshift-ptp/grandmaster: ${shown}\n`;
    expect(stderr.split(line)).toHaveLength(2);
  });

  test('fails an object that stays invalid after its limit, applies the others of the wave, and starts no later wave', () => {
    const node = nodeWith(ptp, { ...ptp, name: 'sound' }, last);
    node.refuse(fileOf(0, ptp), invalid, 'always');
    const { status } = node.apply();
    expect(status).toBe(1);
    expect(node.applied()).toEqual(['0002-ptpconfig-sound.yaml']);
    expect(lastPublished(node)).toMatchObject({
      status: 'failed',
      failed: `post-install/20-files.yaml#1: PtpConfig openshift-ptp/grandmaster: ${invalid}`,
    });
    // 50,000 s of the stub's clock are five passes.
    expect(node.requestedPaths().filter((path) => path === '/apis/ptp.openshift.io/v1')).toHaveLength(6);
  });

  test('fails at once for fields of another manager, and starts no later wave', () => {
    const node = nodeWith(ptp, last);
    node.refuse(fileOf(0, ptp), conflict, 'always');
    expect(node.apply().status).toBe(1);
    expect(node.applied()).toEqual([]);
    expect(lastPublished(node)).toMatchObject({
      status: 'failed',
      failed: `post-install/20-files.yaml#1: PtpConfig openshift-ptp/grandmaster: ${conflictShown}`,
    });
    expect(node.requestedPaths().filter((path) => path === '/apis/ptp.openshift.io/v1')).toHaveLength(1);
  });

  test('names the field manager if a Secret has fields of another one', () => {
    const node = nodeWith(secret);
    node.refuse(
      '0001-secret-login.yaml',
      'error: Apply failed with 2 conflicts: conflicts with "kubectl-edit" using v1:\n- .data.a\nconflict with "vault" using v1: .data.b',
      'always',
    );
    expect(node.apply().status).toBe(1);
    expect(lastPublished(node)).toMatchObject({
      failed: expect.stringMatching(
        /Secret default\/login: the API server answered Conflict with field manager "kubectl-edit" "vault"$/,
      ) as unknown,
    });
  });

  test('prints only the reason if a Secret is refused', () => {
    const value = 'canary-4d7a';
    const text = `kind: Secret\nstringData:\n  password: ${value}\n`;
    const node = nodeWith({ ...secret, text });
    node.refuse(
      '0001-secret-login.yaml',
      `The Secret "login" is invalid: data[password]: Invalid value: "${value}": no`,
      `Error from server (Forbidden): secrets "login" is forbidden: ${value}`,
      `error: error validating data: ${value}`,
    );
    node.killAt('sleep', 9);
    const { status, stderr, stdout } = node.apply({ SNO_POST_INSTALL_REPORT_INTERVAL: '0' });
    expect(status).toBe(0);
    expect(stderr.match(/Secret default\/login: .*/g)).toEqual([
      'Secret default/login: the API server answered Invalid',
      'Secret default/login: the API server answered Forbidden',
      'Secret default/login: the API server refused it',
    ]);
    expect(`${stderr}${stdout}${JSON.stringify(node.published())}`).not.toContain(value);
  });

  test('writes files that other users cannot read', () => {
    const node = nodeWith(namespace);
    node.killAtObject('0001-namespace-openshift-ptp.yaml');
    node.apply();
    for (const path of [`${home}/records/sno-post-install.json`, 'run/sno-post-install/errors'])
      expect([path, node.modeOf(path)]).toEqual([path, '600']);
  });

  test.each([
    { name: 'before the first object', at: 0 },
    { name: 'between two waves', at: 1 },
    { name: 'at the last object', at: 2 },
  ])('continues after a kill $name, and applies no object again', ({ at }) => {
    const objects = [namespace, ptp, last];
    const node = nodeWith(...objects);
    const files = objects.map((object, index) => fileOf(index, object));
    node.killAtObject(files[at] ?? '');
    expect(node.apply().signal).toBe('SIGKILL');
    expect(node.applied()).toEqual(files.slice(0, at));
    expect(node.apply().status).toBe(0);
    expect(node.applied()).toEqual(files);
    expect(leftOf(node)).toEqual([]);
  });

  test('a kill in the clean-up: the next start completes it', () => {
    const node = nodeWith(namespace);
    node.killAt('rm');
    expect(node.apply().signal).toBe('SIGKILL');
    expect(lastPublished(node)).toMatchObject({ status: 'complete' });
    expect(node.apply().status).toBe(0);
    expect(node.applied()).toHaveLength(1);
    expect(leftOf(node)).toEqual([]);
  });

  test('only cleans up if the ConfigMap is complete', () => {
    const node = nodeWith(namespace);
    node.answerTo('/api/v1/namespaces/kube-system/configmaps/sno-post-install', {
      data: { status: 'complete' },
    });
    expect(node.apply().status).toBe(0);
    expect(node.applied()).toEqual([]);
    expect(node.published()).toEqual([]);
    expect(leftOf(node)).toEqual([]);
  });

  test('stops and cleans up when a workstation completes the run', () => {
    const node = nodeWith(ptp, last);
    node.serve('ptp.openshift.io/v1', { Other: 'others' });
    node.completeAt(25_000);
    const { status } = node.apply({ SNO_POST_INSTALL_REPORT_INTERVAL: '0' });
    expect(status).toBe(0);
    expect(node.applied()).toEqual([]);
    expect(leftOf(node)).toEqual([]);
  });

  test('continues when the API server is back', () => {
    const node = nodeWith(namespace, ptp);
    node.away({ after: 3, calls: 6 });
    expect(node.apply().status).toBe(0);
    expect(node.applied()).toHaveLength(2);
  });

  test('does not count a refusal from before a restart of the API server', () => {
    const node = nodeWith(ptp);
    node.refuse(fileOf(0, ptp), ...Array.from({ length: 6 }, () => webhook));
    node.away({ after: 12, calls: 5 });
    expect(node.apply().status).toBe(0);
    expect(node.applied()).toHaveLength(1);
  });

  test('stops after an hour without the API server', () => {
    const node = nodeWith(namespace);
    node.away({ after: 0, calls: 99 });
    const { status } = node.apply();
    expect(status).toBe(75);
    expect(node.console()).toContain(
      'The post-install manifests are still waiting for the API server on localhost, for more than 3600 s.',
    );
  });

  test('waits until the installation has removed its files, and shows this on the console', () => {
    const node = nodeWith(namespace);
    node.write('opt/openshift/sno-install.env', '');
    node.killAt('sleep', 3);
    expect(node.apply().signal).toBe('SIGKILL');
    expect(node.console()).toBe(
      'The post-install manifests are applied after the installation is complete.\n',
    );
    expect(node.requestedPaths()).toEqual([]);
    rmSync(join(node.root, 'opt/openshift'), { recursive: true });
    rmSync(join(node.stub, 'kill'), { recursive: true });
    expect(node.apply().status).toBe(0);
    expect(node.console()).toBe('');
  });

  test('exits with 75, which restarts it, if the installation does not complete', () => {
    const node = nodeWith(namespace);
    node.write('opt/openshift/sno-install.env', '');
    expect(node.apply().status).toBe(75);
    expect(node.console()).toBe(
      'The post-install manifests are still waiting for the installation to be complete, for more than 50000 s. See journalctl -u bootkube.\n',
    );
  });
});
