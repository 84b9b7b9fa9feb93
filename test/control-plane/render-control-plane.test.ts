import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import {
  renderControlPlane,
  type RenderedControlPlane,
} from '../../src/control-plane/render-control-plane.js';
import { placeholderNode } from '../../src/control-plane/shared/placeholders.js';
import type { ControlPlaneInputs } from '../../src/control-plane/loops/loop-inputs.js';
import { controlPlaneInputs } from '../support/control-plane.js';
import { expectOk } from '../support/sound-value.js';
import { podsOf, readFiles } from './pods.js';

const cases = {
  OpenShift: await controlPlaneInputs({ profile: 'OpenShift' }),
  'OpenShift, where the node issues certificates': await controlPlaneInputs({
    profile: 'OpenShift',
    node: placeholderNode,
    withoutPairs: ['etcd-peer', 'etcd-serving', 'etcd-serving-metrics'],
  }),
  Kubernetes: await controlPlaneInputs({ profile: 'Kubernetes' }),
  'Kubernetes with encryption': await controlPlaneInputs({
    profile: 'Kubernetes',
    encryption: { provider: 'aescbc', key: Buffer.alloc(32, 7).toString('base64') },
  }),
};

function rendered(inputs: ControlPlaneInputs): RenderedControlPlane {
  return expectOk(renderControlPlane(inputs));
}

describe.each(Object.entries(cases))('a control plane rendered for %s', (_name, inputs) => {
  const { files, store, rounds, records } = rendered(inputs);
  const pods = podsOf(files);

  test('has four static pods', () => {
    expect(pods.map(({ path }) => path)).toEqual([
      '/etc/kubernetes/manifests/etcd-pod.yaml',
      '/etc/kubernetes/manifests/kube-apiserver-pod.yaml',
      '/etc/kubernetes/manifests/kube-controller-manager-pod.yaml',
      '/etc/kubernetes/manifests/kube-scheduler-pod.yaml',
    ]);
  });

  test('lays every file that a pod reads', () => {
    const laid = new Set(files.map(({ path }) => path));
    // Only the node knows the subject names of these certificates.
    const isOfNode = (path: string): boolean =>
      inputs.node === placeholderNode && path.includes('/secrets/etcd-all-certs/etcd-');
    const missing = pods.flatMap((pod) =>
      readFiles(pod, files).filter(
        (path) =>
          !laid.has(path) && !isOfNode(path) && ![...laid].some((each) => each.startsWith(`${path}/`)),
      ),
    );
    expect(missing).toEqual([]);
  });

  test('lays no file that no pod mounts', () => {
    const mounted = pods.flatMap(({ volumes }) => volumes);
    const stray = files.filter(
      ({ path }) =>
        !path.startsWith('/etc/kubernetes/manifests/') &&
        !mounted.some((folder) => path.startsWith(`${folder}/`)),
    );
    expect(stray.map(({ path }) => path)).toEqual([]);
  });

  test('mounts no folder below /etc/kubernetes that is not laid', () => {
    const folders = pods
      .flatMap(({ volumes }) => volumes)
      .filter((path) => path.startsWith('/etc/kubernetes/'));
    expect(folders.filter((folder) => !files.some(({ path }) => path.startsWith(`${folder}/`)))).toEqual([]);
  });

  test('is for root alone', () => {
    expect(files.filter(({ mode }) => (mode & 0o077) !== 0).map(({ path }) => path)).toEqual([]);
  });

  test('contains no placeholder of the installer step', () => {
    const left = files.filter(({ contents }) =>
      /\b(REVISION|NODE_NAME|NODE_ENVVAR_NAME)\b/.test(String(contents)),
    );
    expect(left.map(({ path }) => path)).toEqual([]);
  });

  test('requires from the node only values that the inputs do not contain', () => {
    const hasPlaceholder = files.some(({ contents }) => String(contents).includes('@@'));
    expect(hasPlaceholder).toBe(inputs.node === placeholderNode);
  });

  test('settles within the rounds that the facts need', () => {
    expect(rounds).toBeLessThanOrEqual(5);
    expect(new Set(records.map(({ component }) => component)).size).toBe(4);
    expect(records.every(({ loop, produced }) => loop !== 'target config' || produced.length > 0)).toBe(true);
  });

  test('stays unchanged when the loops run on their results', () => {
    const again = rendered({ ...inputs, seeds: store.objects() });
    expect(again.store.objects()).toEqual(store.objects());
    expect(again.files).toEqual(files);
    expect(again.rounds).toBe(1);
  });

  test('is the same whatever the order of the seeds', () => {
    fc.assert(
      fc.property(fc.shuffledSubarray([...inputs.seeds], { minLength: inputs.seeds.length }), (seeds) => {
        expect(rendered({ ...inputs, seeds }).files).toEqual(files);
      }),
      { numRuns: 5 },
    );
  });
});
