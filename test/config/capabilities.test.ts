import { expect, test } from 'vitest';

import { releaseSettings } from '../../src/assets/config/release-settings.js';
import { problemsOf } from '../../src/core/result.js';
import { resolve } from '../../src/graph/engine.js';
import { testContext } from '../support/context.js';
import { shown } from './shown.js';
import { edited, soundInstallConfig } from './sound-config.js';

interface Case {
  readonly release: string | undefined;
  readonly set: string;
  readonly added?: string;
  readonly features?: string;
  readonly platform?: string;
  readonly want?: readonly string[];
}

const digest = `quay.io/a/b@sha256:${'0f'.repeat(32)}`;
const gates = 'CRDCompatibilityRequirementOperator=true, ClusterAPIMachineManagement=true';

/** Expected results are those of the CRD. Source: openshift/api config/v1 types_cluster_version.go of each branch */
const cases: readonly Case[] = [
  // Ingress became a capability in 4.16.
  { release: '4.14', set: 'None' },
  { release: '4.15', set: 'v4.15' },
  {
    release: '4.15',
    set: 'v4.15',
    added: 'Ingress',
    want: ['config/capabilities 20:Ingress: release 4.15 has no capability Ingress | remove it'],
  },
  {
    release: '4.16',
    set: 'v4.15',
    want: [
      'config/capabilities 20:v4.15: the capability Ingress is required, but set v4.15 does not contain it | add Ingress to additionalEnabledCapabilities',
    ],
  },
  { release: '4.16', set: 'v4.15', added: 'Ingress' },
  {
    release: '4.14',
    set: 'v4.18',
    want: [
      'config/capabilities 20:v4.18: release 4.14 has no capability set v4.18 | write v4.14, its newest set, or vCurrent for all its capabilities',
    ],
  },
  { release: '4.22', set: 'v4.18' },
  {
    release: '4.17',
    set: 'v4.17',
    added: 'OperatorLifecycleManagerV1',
    want: [
      'config/capabilities 20:OperatorLifecycleManagerV1: release 4.17 has no capability OperatorLifecycleManagerV1 | remove it',
    ],
  },
  { release: '4.18', set: 'v4.17', added: 'OperatorLifecycleManagerV1' },
  {
    release: '4.22',
    set: 'vCurrent',
    added: 'ClusterAPI, CompatibilityRequirements',
    want: [
      'config/capabilities 20:ClusterAPI: release 4.22 has no capability ClusterAPI | remove it',
      'config/capabilities 20:CompatibilityRequirements: release 4.22 has no capability CompatibilityRequirements | remove it',
    ],
  },
  {
    release: '4.23',
    set: 'vCurrent',
    added: 'ClusterAPI, CompatibilityRequirements',
    want: [
      'config/capabilities 20:ClusterAPI: the capability ClusterAPI needs the feature gate ClusterAPIMachineManagement | remove it, or set featureSet',
      'config/capabilities 20:CompatibilityRequirements: the capability CompatibilityRequirements needs the feature gate CRDCompatibilityRequirementOperator or ClusterAPIMachineManagement | remove it, or set featureSet',
    ],
  },
  {
    release: '4.23',
    set: 'vCurrent',
    added: 'ClusterAPI, CompatibilityRequirements',
    features: 'featureSet: TechPreviewNoUpgrade',
  },
  {
    release: '4.23',
    set: 'vCurrent',
    added: 'CompatibilityRequirements',
    features: 'featureSet: CustomNoUpgrade\nfeatureGates: [CRDCompatibilityRequirementOperator=true]',
  },
  {
    release: '4.23',
    set: 'vCurrent',
    added: 'ClusterAPI',
    features: `featureSet: CustomNoUpgrade\nfeatureGates: [${gates}]`,
    want: [
      'config/capabilities 20:ClusterAPI: the capability ClusterAPI needs CompatibilityRequirements in the list too | add CompatibilityRequirements too',
    ],
  },
  // OperatorLifecycleManager became a capability in 4.15.
  { release: '4.14', set: 'v4.14' },
  {
    release: '4.15',
    set: 'v4.14',
    want: [
      'config/capabilities 20:v4.14: the capability marketplace needs OperatorLifecycleManager, which is not enabled | add OperatorLifecycleManager to additionalEnabledCapabilities',
    ],
  },
  {
    release: '4.18',
    set: 'None',
    added: 'Ingress, marketplace',
    want: [
      'config/capabilities 20:marketplace: the capability marketplace needs OperatorLifecycleManager, which is not enabled | add OperatorLifecycleManager to additionalEnabledCapabilities',
    ],
  },
  // Up to 4.16, baremetal required MachineAPI.
  {
    release: '4.16',
    set: 'None',
    added: 'Ingress, baremetal',
    want: [
      'config/capabilities 20:baremetal: the capability baremetal needs MachineAPI in the list too | add MachineAPI too',
    ],
  },
  { release: '4.17', set: 'None', added: 'Ingress, baremetal' },
  {
    release: '4.20',
    set: 'None',
    added: 'Ingress',
    platform: 'external: { cloudControllerManager: External }',
    want: [
      'config/capabilities 20:None: platform external needs the capability CloudCredential, but the set does not contain it | add CloudCredential to additionalEnabledCapabilities',
      'config/capabilities 20:None: platform external needs the capability CloudControllerManager, but the set does not contain it | add CloudControllerManager to additionalEnabledCapabilities',
    ],
  },
  { release: '4.20', set: 'None', added: 'Ingress, CloudCredential', platform: 'external: {}' },
  { release: '4.20', set: 'vCurrent', platform: 'external: { cloudControllerManager: External }' },
  // Without a known version, only faults in every release are errors.
  { release: undefined, set: 'None' },
  { release: undefined, set: 'v4.18' },
  { release: undefined, set: 'v4.15', added: 'Ingress' },
];

test.each(cases)('release $release, set $set, added $added, $features', async (given) => {
  const { release, set, added = '', features = 'fips: false', platform, want = [] } = given;
  const text = edited(soundInstallConfig, [
    [
      'fips: false',
      `capabilities: {baselineCapabilitySet: ${set}, additionalEnabledCapabilities: [${added}]}\n${features}`,
    ],
    ...(platform === undefined ? [] : [['none: {}', platform] as const]),
  ]);
  const image = release === undefined ? digest : `quay.io/a/b:${release}.1-x86_64`;
  const files = {
    'install-config.yaml': text,
    'sno-config.yaml': `apiVersion: sno-install/v1alpha1\nkind: SingleNodeConfig\nreleaseImage: ${image}\n`,
  };
  const result = await resolve([releaseSettings], testContext({ files }));
  expect(problemsOf(result).map((problem) => shown(problem, text))).toEqual(want);
});
