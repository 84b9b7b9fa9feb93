import { expect, test } from 'vitest';

import { openShiftEtcd } from '../../src/control-plane/etcd/openshift.js';
import { renderControlPlane } from '../../src/control-plane/render-control-plane.js';
import { isRecord } from '../../src/core/is-record.js';
import { toData } from '../../src/formats/yaml/yaml-tree.js';
import { readYaml } from '../../src/formats/yaml/yaml.js';
import { components } from '../../src/kube/components.js';
import { fieldAt } from '../../src/kube/fields.js';
import { versionsOf, type ControlPlaneInputs } from '../../src/control-plane/loops/loop-inputs.js';
import { admissionPluginProblems } from '../../src/release/flags/admission-plugins.js';
import { flagProblems } from '../../src/release/flags/check-flags.js';
import { programSources } from '../../src/release/flags/program-sources.js';
import { knownKubernetesMinors } from '../../src/release/kubernetes.js';
import { releases } from '../../src/release/releases.js';
import { controlPlaneInputs } from '../support/control-plane.js';
import { podsOf } from './pods.js';

const profiles = {
  OpenShift: await controlPlaneInputs({ profile: 'OpenShift' }),
  Kubernetes: await controlPlaneInputs({ profile: 'Kubernetes' }),
};

/** Every flag by component, from command lines and from configuration files. */
function flagsOf(inputs: ControlPlaneInputs): Readonly<Record<string, readonly string[]>> {
  const result = renderControlPlane(inputs);
  if (!result.ok) throw new Error('expected it to render');
  const { files } = result.value;
  const pods = podsOf(files);
  const ofConfig = (component: string): readonly string[] => {
    const path = `/etc/kubernetes/static-pod-resources/${component}-pod-1/configmaps/config/config.yaml`;
    const text = files.find((file) => file.path === path)?.contents;
    const [root] = text === undefined ? [] : readYaml(String(text)).documents;
    const data = root && toData(root);
    return ['apiServerArguments', 'extendedArguments'].flatMap((field) => {
      const found = fieldAt(data, [field]);
      return isRecord(found) ? Object.keys(found) : [];
    });
  };
  return Object.fromEntries(
    components.map((component, index) => {
      const main = pods[index]?.containers.find(({ name }) => name === component);
      const line = (main?.words ?? []).join(' ').split(' -- ').at(-1) ?? '';
      const flags = [...line.matchAll(/(?:^|\s)--([a-z][a-z0-9-]*)/g)].map(([, flag]) => flag ?? '');
      return [component, [...flags, ...ofConfig(component)]];
    }),
  );
}

/** Checks that each flag of the control plane exists in its program. */
function expectKnownFlags(inputs: ControlPlaneInputs): void {
  const { versions, profile } = inputs;
  const flags = flagsOf(inputs);
  for (const component of components) {
    expect(flags[component]?.length).toBeGreaterThan(component === 'kube-scheduler' ? 2 : 10);
    expect(flagProblems(component, versions, flags[component] ?? [], programSources[profile])).toEqual([]);
  }
}

test.each(knownKubernetesMinors)('the flags are known to Kubernetes 1.%i', (kubernetesMinor) => {
  const versions = { kubernetesMinor, etcd: kubernetesMinor >= 34 ? '3.6' : '3.5' } as const;
  expectKnownFlags({ ...profiles.Kubernetes, versions });
});

test.each(releases.all.filter(({ offersInstaller }) => offersInstaller))(
  'the flags are known to the programs of OpenShift $version.text',
  (payload) => {
    expectKnownFlags({ ...profiles.OpenShift, payload, versions: versionsOf(payload) });
  },
);

test.each(releases.all.filter(({ offersInstaller }) => offersInstaller))(
  'a revision of etcd contains the files that the operator of $version.text expects',
  (payload) => {
    const { configMaps, secrets } = openShiftEtcd.revision;
    const names = (objects: typeof configMaps): readonly string[] =>
      objects.map(({ name }) => name).toSorted();
    expect(names(configMaps)).toEqual(payload.etcd.revisionedConfigMaps.toSorted());
    expect(names(secrets)).toEqual(['etcd-all-certs']);
    expect(payload.etcd.signerNamespaces).toEqual(['openshift-etcd']);
  },
);

test('upstream has every enabled admission plugin', () => {
  const result = renderControlPlane(profiles.Kubernetes);
  if (!result.ok) throw new Error('expected it to render');
  const [, apiserver] = podsOf(result.value.files);
  const line = apiserver?.containers
    .flatMap(({ words }) => words)
    .find((word) => word.startsWith('--enable-admission'));
  const plugins = line?.split('=')[1]?.split(',') ?? [];
  expect(plugins).toContain('NodeRestriction');
  for (const minor of knownKubernetesMinors) expect(admissionPluginProblems(minor, plugins)).toEqual([]);
});
