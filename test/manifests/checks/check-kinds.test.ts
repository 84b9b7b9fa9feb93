import { describe, expect, it } from 'vitest';

import { absentKinds } from '../../../src/manifests/checks/absent-kinds.js';
import { kindProblems } from '../../../src/manifests/checks/check-kinds.js';
import { capabilitiesOf } from '../../../src/release/capability-sets.js';
import { releases } from '../../../src/release/releases.js';
import { minimalInstall, objectsOf } from '../../assets/manifests/given.js';
import { showProblem } from '../../support/show-problem.js';

const release421 = { major: 4, minor: 21, text: '4.21' };
const usual = { install: minimalInstall, version: release421 };

function object(apiVersion: string, kind: string): string {
  return `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata:\n  name: a\n`;
}

function found(text: string, cluster: Parameters<typeof kindProblems>[1] = usual): readonly string[] {
  return kindProblems(objectsOf(text), cluster).map(showProblem);
}

const during = 'cannot be created during the bootstrap, because';
const operatorLater = 'and that operator starts after the bootstrap';
const noPod = 'its API server runs in a pod, and no pod runs during the bootstrap';

describe('kinds of the bootstrap-in-place document', () => {
  it.each([
    [
      'network.openshift.io/v1',
      'ClusterNetwork',
      'it belongs to OpenShift SDN, which single-node clusters do not run',
    ],
    [
      'network.openshift.io/v1',
      'EgressNetworkPolicy',
      'it belongs to OpenShift SDN, which single-node clusters do not run',
    ],
    [
      'network.openshift.io/v1',
      'HostSubnet',
      'it belongs to OpenShift SDN, which single-node clusters do not run',
    ],
    [
      'network.openshift.io/v1',
      'NetNamespace',
      'it belongs to OpenShift SDN, which single-node clusters do not run',
    ],
    [
      'machineconfiguration.openshift.io/v1',
      'ControllerConfig',
      'the machine config operator makes it itself',
    ],
    [
      'whereabouts.cni.cncf.io/v1alpha1',
      'IPPool',
      `the cluster network operator defines it, ${operatorLater}`,
    ],
    [
      'whereabouts.cni.cncf.io/v1alpha1',
      'OverlappingRangeIPReservation',
      `the cluster network operator defines it, ${operatorLater}`,
    ],
    [
      'k8s.cni.cncf.io/v1',
      'NetworkAttachmentDefinition',
      `the cluster network operator defines it, ${operatorLater}`,
    ],
    [
      'snapshot.storage.k8s.io/v1',
      'VolumeSnapshotClass',
      `the CSI snapshot operator defines it, ${operatorLater}`,
    ],
    [
      'snapshot.storage.k8s.io/v1',
      'VolumeSnapshotContent',
      `the CSI snapshot operator defines it, ${operatorLater}`,
    ],
    [
      'snapshot.storage.k8s.io/v1beta1',
      'VolumeSnapshot',
      `the CSI snapshot operator defines it, ${operatorLater}`,
    ],
  ])('%s %s', (apiVersion, kind, because) => {
    expect(found(object(apiVersion, kind))).toEqual([
      `error[manifest/kind-absent] f.yaml:2:7 (kind): ${kind} a ${during} ${because}`,
    ]);
  });
});

describe('kinds that came since', () => {
  it.each([
    ['k8s.ovn.org/v1', 'EgressIP', `the cluster network operator defines it, ${operatorLater}`],
    [
      'policy.networking.k8s.io/v1alpha1',
      'AdminNetworkPolicy',
      `the cluster network operator defines it, ${operatorLater}`,
    ],
    ['gateway.networking.k8s.io/v1', 'Gateway', `the ingress operator defines it, ${operatorLater}`],
    ['route.openshift.io/v1', 'Route', noPod],
    ['image.openshift.io/v1', 'ImageStream', noPod],
    ['build.openshift.io/v1', 'BuildConfig', noPod],
    ['apps.openshift.io/v1', 'DeploymentConfig', noPod],
    ['template.openshift.io/v1', 'Template', noPod],
    ['project.openshift.io/v1', 'Project', noPod],
    ['user.openshift.io/v1', 'Group', noPod],
    ['oauth.openshift.io/v1', 'OAuthClient', noPod],
    ['authorization.openshift.io/v1', 'Role', noPod],
    ['nmstate.io/v1', 'NodeNetworkConfigurationPolicy', 'an operator that is installed later defines it'],
    ['sriovnetwork.openshift.io/v1', 'SriovNetwork', 'an operator that is installed later defines it'],
    ['ptp.openshift.io/v1', 'PtpConfig', 'an operator that is installed later defines it'],
    ['lvm.topolvm.io/v1alpha1', 'LVMCluster', 'an operator that is installed later defines it'],
    ['machineconfiguration.openshift.io/v1', 'OSImageStream', 'the release does not serve its kind'],
  ])('%s %s', (apiVersion, kind, because) => {
    expect(found(object(apiVersion, kind))).toEqual([
      `error[manifest/kind-absent] f.yaml:2:7 (kind): ${kind} a ${during} ${because}`,
    ]);
  });
});

describe('kinds that are there', () => {
  it.each([
    ['v1', 'ConfigMap'],
    ['apps/v1', 'Deployment'],
    ['rbac.authorization.k8s.io/v1', 'ClusterRole'],
    ['apiextensions.k8s.io/v1', 'CustomResourceDefinition'],
    ['config.openshift.io/v1', 'OAuth'],
    ['config.openshift.io/v1', 'OperatorHub'],
    ['operator.openshift.io/v1', 'IngressController'],
    ['authorization.openshift.io/v1', 'RoleBindingRestriction'],
    ['security.openshift.io/v1', 'SecurityContextConstraints'],
    ['quota.openshift.io/v1', 'ClusterResourceQuota'],
    ['machineconfiguration.openshift.io/v1', 'MachineConfig'],
    ['machineconfiguration.openshift.io/v1', 'KubeletConfig'],
    ['performance.openshift.io/v2', 'PerformanceProfile'],
    ['operators.coreos.com/v1alpha1', 'Subscription'],
    ['monitoring.coreos.com/v1', 'PrometheusRule'],
    ['machine.openshift.io/v1beta1', 'MachineSet'],
    ['metal3.io/v1alpha1', 'BareMetalHost'],
  ])('%s %s', (apiVersion, kind) => {
    expect(found(object(apiVersion, kind))).toEqual([]);
  });

  it('OSImageStream, from the release that serves it', () => {
    const cluster = { install: minimalInstall, version: { major: 4, minor: 23, text: '4.23' } };
    expect(found(object('machineconfiguration.openshift.io/v1', 'OSImageStream'), cluster)).toEqual([]);
  });
});

describe('kinds of components that install-config.yaml leaves out', () => {
  const without = {
    install: {
      ...minimalInstall,
      capabilities: { baselineCapabilitySet: 'None', additionalEnabledCapabilities: ['Ingress'] },
    },
    version: release421,
  };

  it.each([
    ['machine.openshift.io/v1beta1', 'MachineSet', 'MachineAPI'],
    ['metal3.io/v1alpha1', 'BareMetalHost', 'baremetal'],
    ['performance.openshift.io/v2', 'PerformanceProfile', 'NodeTuning'],
    ['operators.coreos.com/v1alpha1', 'Subscription', 'OperatorLifecycleManager'],
    ['config.openshift.io/v1', 'OperatorHub', 'marketplace'],
    ['config.openshift.io/v1', 'Build', 'Build'],
    ['operator.openshift.io/v1', 'CloudCredential', 'CloudCredential'],
    ['operator.openshift.io/v1', 'Console', 'Console'],
    ['config.openshift.io/v1', 'InsightsDataGather', 'Insights'],
  ])('%s %s', (apiVersion, kind, capability) => {
    expect(found(object(apiVersion, kind), without)).toEqual([
      `error[manifest/kind-absent] f.yaml:2:7 (kind): ${kind} a ${during} install-config.yaml leaves the capability ${capability} out`,
    ]);
  });

  it.each([
    ['config.openshift.io/v1', 'Console'],
    ['operator.openshift.io/v1', 'IngressController'],
    ['operator.openshift.io/v1', 'Network'],
  ])('%s %s stays', (apiVersion, kind) => {
    expect(found(object(apiVersion, kind), without)).toEqual([]);
  });
});

describe('kinds that nobody knows', () => {
  const widget = object('example.com/v1', 'Widget');
  const definition = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: widgets.example.com
spec:
  group: example.com
  names:
    kind: Widget
`;

  it('are refused', () => {
    expect(found(widget)).toEqual([
      'error[manifest/kind-unknown] f.yaml:1:13 (apiVersion): Widget a cannot be created during the bootstrap: nothing defines kinds of example.com',
    ]);
  });

  it('are taken with their definition, wherever it stands', () => {
    expect(found(`${widget}---\n${definition}`)).toEqual([]);
  });

  it('are taken with a definition where an operator would bring it later', () => {
    const attachment = object('k8s.cni.cncf.io/v1', 'NetworkAttachmentDefinition');
    const own = definition
      .replace('example.com\n  names', 'k8s.cni.cncf.io\n  names')
      .replace('kind: Widget', 'kind: NetworkAttachmentDefinition');
    expect(found(`${attachment}---\n${own}`)).toEqual([]);
  });

  it('are refused in spite of a definition where an API server would serve them', () => {
    const route = object('route.openshift.io/v1', 'Route');
    const own = definition
      .replace('example.com\n  names', 'route.openshift.io\n  names')
      .replace('kind: Widget', 'kind: Route');
    expect(found(`${route}---\n${own}`)).toEqual([
      `error[manifest/kind-absent] f.yaml:2:7 (kind): Route a ${during} ${noPod}`,
    ]);
  });
});

describe('the table', () => {
  it('names capabilities that exist', () => {
    const named = absentKinds.flatMap(({ capability }) => capability ?? []);
    expect(named.filter((name) => !capabilitiesOf(releases.newest).has(name))).toEqual([]);
  });

  it('reads as sentences', () => {
    for (const { because, hint } of absentKinds) {
      expect(because).toMatch(/^[a-z].*[^.]$/);
      expect(hint).toMatch(/^[a-z].*[^.]$/);
    }
  });
});
