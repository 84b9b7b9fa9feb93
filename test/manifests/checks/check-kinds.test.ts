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
    ['olm.operatorframework.io/v1', 'ClusterCatalog', `the OLM operator defines it, ${operatorLater}`],
    ['olm.operatorframework.io/v1', 'ClusterExtension', `the OLM operator defines it, ${operatorLater}`],
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
    ['console.openshift.io/v1', 'ConsoleLink', 'Console'],
    ['operator.openshift.io/v1', 'InsightsOperator', 'Insights'],
    ['autoscaling.openshift.io/v1', 'ClusterAutoscaler', 'MachineAPI'],
  ])('%s %s', (apiVersion, kind, capability) => {
    expect(found(object(apiVersion, kind), without)).toEqual([
      `error[manifest/kind-absent] f.yaml:2:7 (kind): ${kind} a ${during} install-config.yaml leaves the capability ${capability} out`,
    ]);
  });

  it.each([
    ['config.openshift.io/v1', 'Console'],
    ['operator.openshift.io/v1', 'Console'],
    ['imageregistry.operator.openshift.io/v1', 'Config'],
    ['samples.operator.openshift.io/v1', 'Config'],
    ['helm.openshift.io/v1beta1', 'HelmChartRepository'],
    ['monitoring.coreos.com/v1', 'PrometheusRule'],
    ['operator.openshift.io/v1', 'IngressController'],
    ['operator.openshift.io/v1', 'Network'],
  ])('%s %s stays', (apiVersion, kind) => {
    expect(found(object(apiVersion, kind), without)).toEqual([]);
  });

  it('InsightsDataGather, since its definition belongs to the capability', () => {
    const gather = object('config.openshift.io/v1alpha2', 'InsightsDataGather');
    const preview = { ...without, install: { ...without.install, featureSet: 'TechPreviewNoUpgrade' } };
    expect(found(gather, preview)).toEqual([]);
    const release422 = { ...without, version: { major: 4, minor: 22, text: '4.22' } };
    expect(found(object('config.openshift.io/v1', 'InsightsDataGather'), release422)).toEqual([
      `error[manifest/kind-absent] f.yaml:2:7 (kind): InsightsDataGather a ${during} install-config.yaml leaves the capability Insights out`,
    ]);
  });
});

describe('kinds of previews', () => {
  it.each([
    [
      'operator.openshift.io/v1alpha1',
      'EtcdBackup',
      'remove it, or set "featureSet" in install-config.yaml',
      release421,
    ],
    [
      'config.openshift.io/v1alpha1',
      'ClusterImagePolicy',
      'remove it, or set "featureSet" in install-config.yaml',
      { major: 4, minor: 18, text: '4.18' },
    ],
    [
      'machineconfiguration.openshift.io/v1alpha1',
      'PinnedImageSet',
      'remove it, or set "featureSet" in install-config.yaml',
      { major: 4, minor: 16, text: '4.16' },
    ],
  ])('%s %s', (apiVersion, kind, hint, version) => {
    const given = object(apiVersion, kind);
    for (const featureSet of ['', 'OKD']) {
      const cluster = { install: { ...minimalInstall, featureSet }, version };
      expect(kindProblems(objectsOf(given), cluster)).toMatchObject([
        {
          code: 'manifest/kind-absent',
          message: `${kind} a cannot be created, because only feature sets for previews serve ${kind} in ${apiVersion}`,
          hint,
        },
      ]);
    }
    const preview = { install: { ...minimalInstall, featureSet: 'TechPreviewNoUpgrade' }, version };
    expect(found(given, preview)).toEqual([]);
  });
});

describe('unknown kinds', () => {
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
      'error[manifest/kind-unknown] f.yaml:1:13 (apiVersion): Widget a cannot be created during the bootstrap: no manifest defines kinds of example.com',
    ]);
  });

  it('are accepted with a definition in any manifest', () => {
    expect(found(`${widget}---\n${definition}`)).toEqual([]);
  });

  it('are accepted with a definition that an operator would create later', () => {
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

describe('kinds and versions that the release does not serve', () => {
  const release416 = { install: minimalInstall, version: { major: 4, minor: 16, text: '4.16' } };

  it.each([
    ['v1', 'Configmap', 'kind', 'did you mean "ConfigMap" of v1?'],
    ['policy/v1beta1', 'PodDisruptionBudget', 'apiVersion', 'write "apiVersion: policy/v1"'],
    ['batch/v1beta1', 'CronJob', 'apiVersion', 'write "apiVersion: batch/v1"'],
    ['extensions/v1beta1', 'Ingress', 'kind', 'write "apiVersion: networking.k8s.io/v1"'],
    ['extensions/v1beta1', 'Deployment', 'kind', 'write "apiVersion: apps/v1"'],
    ['v1', 'Deployment', 'kind', 'write "apiVersion: apps/v1"'],
    [
      'rbac.authorization.k8s.io/v1',
      'ClusterRoleBindings',
      'kind',
      'did you mean "ClusterRoleBinding" of rbac.authorization.k8s.io/v1?',
    ],
    [
      'apiextensions.k8s.io/v1beta1',
      'CustomResourceDefinition',
      'apiVersion',
      'write "apiVersion: apiextensions.k8s.io/v1"',
    ],
    [
      'operators.coreos.com/v1',
      'CatalogSource',
      'apiVersion',
      'write "apiVersion: operators.coreos.com/v1alpha1"',
    ],
    [
      'operators.coreos.com/v1alpha1',
      'OperatorGroup',
      'apiVersion',
      'write "apiVersion: operators.coreos.com/v1"',
    ],
    [
      'operator.openshift.io/v1',
      'ImageContentSourcePolicy',
      'apiVersion',
      'write "apiVersion: operator.openshift.io/v1alpha1"',
    ],
    [
      'config.openshift.io/v1',
      'ImageDigestMirrorSets',
      'kind',
      'did you mean "ImageDigestMirrorSet" of config.openshift.io/v1?',
    ],
    [
      'machineconfiguration.openshift.io/v1',
      'KubeletConfigs',
      'kind',
      'did you mean "KubeletConfig" of machineconfiguration.openshift.io/v1?',
    ],
    [
      'flowcontrol.apiserver.k8s.io/v1beta3',
      'FlowSchema',
      'apiVersion',
      'write "apiVersion: flowcontrol.apiserver.k8s.io/v1"',
    ],
    [
      'v1alpha1',
      'AgentConfig',
      'kind',
      'this is a file of the agent-based installer: move it out of the folder (`sno-install import agent-config` reads it)',
    ],
    [
      'operator.openshift.io/v1',
      'KubeDescheduler',
      'kind',
      'did you mean "KubeScheduler" of operator.openshift.io/v1?',
    ],
    [
      'authorization.k8s.io/v1',
      'SubjectAccessReview',
      'kind',
      'remove it; if an operator defines the kind, move the file to post-install/: the node applies it when the kind is served',
    ],
  ])('%s %s', (apiVersion, kind, field, hint) => {
    const given = object(apiVersion, kind);
    const [found, ...others] = kindProblems(objectsOf(given), usual);
    expect(others).toEqual([]);
    expect(found).toMatchObject({
      code: 'manifest/kind-absent',
      message: `${kind} a cannot be created, because OpenShift 4.21 does not serve ${kind} in ${apiVersion}`,
      at: { path: field },
      hint,
    });
  });

  it.each([
    ['flowcontrol.apiserver.k8s.io/v1beta3', 'FlowSchema'],
    ['console.openshift.io/v1alpha1', 'ConsolePlugin'],
    ['admissionregistration.k8s.io/v1beta1', 'ValidatingAdmissionPolicy'],
    ['metal3.io/v1alpha1', 'DataImage'],
  ])('%s %s in a release that still serves it', (apiVersion, kind) => {
    expect(found(object(apiVersion, kind), release416)).toEqual([]);
  });

  it.each([
    ['admissionregistration.k8s.io/v1', 'MutatingAdmissionPolicy'],
    ['config.openshift.io/v1', 'ClusterImagePolicy'],
    ['networking.k8s.io/v1', 'ServiceCIDR'],
    ['machineconfiguration.openshift.io/v1', 'PinnedImageSet'],
    ['metal3.io/v1alpha1', 'HostUpdatePolicy'],
    ['resource.k8s.io/v1beta1', 'ResourceClaim'],
  ])('%s %s in a release that does not have it', (apiVersion, kind) => {
    expect(found(object(apiVersion, kind), release416)).toHaveLength(1);
  });

  it('accepts what some release serves where the release is unknown', () => {
    const unknown = { install: minimalInstall, version: undefined };
    expect(found(object('flowcontrol.apiserver.k8s.io/v1beta3', 'FlowSchema'), unknown)).toEqual([]);
    expect(found(object('v1', 'Configmap'), unknown)).toEqual([
      'error[manifest/kind-absent] f.yaml:2:7 (kind): Configmap a cannot be created, because no supported release serves Configmap in v1',
    ]);
  });

  it('accepts a kind of a listed group that the user defines', () => {
    const own = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: kubedeschedulers.operator.openshift.io
spec:
  group: operator.openshift.io
  names:
    kind: KubeDescheduler
`;
    expect(found(`${object('operator.openshift.io/v1', 'KubeDescheduler')}---\n${own}`)).toEqual([]);
  });

  it('warns of a group that the release may define', () => {
    expect(found(object('new.openshift.io/v1', 'Widget'))).toEqual([
      'warning[manifest/kind-unlisted] f.yaml:1:13 (apiVersion): Widget a can be created only if the release itself defines kinds of new.openshift.io',
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
