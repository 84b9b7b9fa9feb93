import type { OpenShiftRelease, RenderTool } from './openshift-release.js';
import { releaseVersion } from './release-version.js';

/*
 * One row per release, each derived from the previous one; docs/releases.md compares them.
 * Sources, on the branch release-<version> of github.com/openshift:
 * - kubernetesMinor: go.mod of cluster-kube-apiserver-operator, k8s.io/api
 * - etcd: cluster-etcd-operator go.mod (go.etcd.io), pkg/operator/starter.go RevisionConfigMaps, pkg/operator/etcdcertsigner
 * - controllerManager: cluster-kube-controller-manager-operator bindata/assets/config/defaultconfig.yaml
 * - hasNetworkPolicies: bindata of the four control-plane operators
 * - osImageStream, pki: api payload-manifests/crds, features/features.go
 * - capabilitySet, gatedCapabilities, baremetalNeedsMachineApi: api config/v1 types_cluster_version.go (enums and XValidation)
 * - osStream: installer pkg/types/defaults
 * - stages, renderFlags: the render commands of each operator, pkg/cmd/render and cmd
 * - hasNodeProgramsInImages: enhancements, rhcos split layers
 * - hasKubeletLabels: machine-config-operator templates/master/01-master-kubelet: pull 4794, merged while main was 4.19
 * - hasDistributionInRegistry: appliance pkg/registry/registry.go
 * - imagePolicy: cluster-update-keys manifests.rhel/0000_90_openshift-cluster-image-policy.yaml
 * - hasOkdFeatureSet: api pull 2451, cluster-version-operator pull 1302, installer pull 10260: merged while main was 4.22
 * - machineConfigSpec: machine-config-operator pkg/controller/common, the Ignition types it imports
 */

const releaseRepository = 'quay.io/openshift-release-dev/ocp-release';
const componentRepositories = ['4.0', '5.0'].map(
  (version) => `quay.io/openshift-release-dev/ocp-v${version}-art-dev`,
);

const release414: OpenShiftRelease = {
  version: releaseVersion(4, 14),
  isOffered: true,
  offersInstaller: false,
  kubernetesMinor: 27,
  etcd: {
    version: '3.5',
    revisionedConfigMaps: [
      'etcd-pod',
      'etcd-serving-ca',
      'etcd-peer-client-ca',
      'etcd-metrics-proxy-serving-ca',
      'etcd-metrics-proxy-client-ca',
      'etcd-endpoints',
    ],
    signerNamespaces: ['openshift-config'],
  },
  controllerManager: {
    controllers: ['*', '-ttl', '-bootstrapsigner', '-tokencleaner'],
    arguments: { 'configure-cloud-routes': ['false'] },
  },
  hasNetworkPolicies: false,
  hasNodeProgramsInImages: true,
  hasKubeletLabels: false,
  hasDistributionInRegistry: false,
  hasOkdFeatureSet: false,
  osStream: 'rhel-9',
  machineConfigSpec: 4,
  capabilitySet: 'v4.14',
  gatedCapabilities: {},
  baremetalNeedsMachineApi: true,
  stages: [],
  renderFlags: {},
};

const release415: OpenShiftRelease = {
  ...release414,
  version: releaseVersion(4, 15),
  kubernetesMinor: 28,
  capabilitySet: 'v4.15',
  stages: ['api-bootstrap', 'cmdbootline-nto-bootstrap'],
  renderFlags: withFlags(release414, 'cluster-config-operator', 'skip-api-rendering'),
};

const release416: OpenShiftRelease = {
  ...release415,
  version: releaseVersion(4, 16),
  kubernetesMinor: 29,
  etcd: { ...release415.etcd, signerNamespaces: ['openshift-config', 'openshift-etcd'] },
  controllerManager: { ...release415.controllerManager, arguments: {} },
  capabilitySet: 'v4.16',
  renderFlags: withFlags(release415, 'cluster-etcd-operator', 'template-dir'),
};

const release417: OpenShiftRelease = {
  ...release416,
  version: releaseVersion(4, 17),
  // First release whose operator accepts the signers and the single bundle ConfigMap that the control loops produce.
  offersInstaller: true,
  kubernetesMinor: 30,
  etcd: {
    ...release416.etcd,
    revisionedConfigMaps: ['etcd-pod', 'etcd-endpoints', 'etcd-all-bundles'],
    signerNamespaces: ['openshift-etcd'],
  },
  imagePolicy: { repositories: [releaseRepository], featureSet: 'TechPreviewNoUpgrade' },
  capabilitySet: 'v4.17',
  baremetalNeedsMachineApi: false,
  renderFlags: withFlags(release416, 'cluster-version-operator', 'feature-gate-manifest-path'),
};

const release418: OpenShiftRelease = {
  ...release417,
  version: releaseVersion(4, 18),
  kubernetesMinor: 31,
  controllerManager: { ...release417.controllerManager, arguments: { 'cloud-provider': ['external'] } },
  capabilitySet: 'v4.18',
  renderFlags: withFlags(release417, 'cluster-kube-apiserver-operator', 'operand-kubernetes-version'),
};

const release419: OpenShiftRelease = {
  ...release418,
  version: releaseVersion(4, 19),
  kubernetesMinor: 32,
  controllerManager: {
    ...release418.controllerManager,
    // Older releases of kube-controller-manager do not have this controller and exit if it is named.
    controllers: [...release418.controllerManager.controllers, 'selinux-warning-controller'],
  },
  hasNodeProgramsInImages: false,
  hasKubeletLabels: true,
  machineConfigSpec: 5,
  stages: [...release418.stages, 'auth-api-bootstrap'],
};

const release420: OpenShiftRelease = {
  ...release419,
  version: releaseVersion(4, 20),
  kubernetesMinor: 33,
};

const release421: OpenShiftRelease = {
  ...release420,
  version: releaseVersion(4, 21),
  kubernetesMinor: 34,
  hasDistributionInRegistry: true,
  imagePolicy: { repositories: [releaseRepository] },
  etcd: { ...release420.etcd, version: '3.6' },
  controllerManager: { ...release420.controllerManager, arguments: {} },
  renderFlags: withFlags(release420, 'machine-config-operator', 'docker-registry-image'),
};

const release422: OpenShiftRelease = {
  ...release421,
  version: releaseVersion(4, 22),
  kubernetesMinor: 35,
  hasNetworkPolicies: true,
  imagePolicy: { repositories: [releaseRepository, ...componentRepositories] },
  hasOkdFeatureSet: true,
  // 4.21 had it in preview too, but without a field in install-config.yaml.
  osImageStream: { apiVersion: 'v1alpha1', gate: 'OSStreams' },
  pki: { apiVersion: 'v1alpha1', gate: 'ConfigurablePKI' },
  renderFlags: withFlags(release421, 'cluster-version-operator', 'cluster-version-manifest-path'),
};

/** Not released: its branches exist and may still change. */
const release423: OpenShiftRelease = {
  ...release422,
  version: releaseVersion(4, 23),
  isOffered: false,
  kubernetesMinor: 36,
  osImageStream: { apiVersion: 'v1' },
  gatedCapabilities: {
    CompatibilityRequirements: ['CRDCompatibilityRequirementOperator', 'ClusterAPIMachineManagement'],
    ClusterAPI: ['ClusterAPIMachineManagement'],
  },
};

/** Not released, like 4.23. The output of the control loops has not been compared with its operators. */
const release50: OpenShiftRelease = {
  ...release423,
  version: releaseVersion(5, 0),
  isOffered: false,
  offersInstaller: false,
  osStream: 'rhel-10',
};

/** The known releases, oldest first. */
export const releaseRows: readonly OpenShiftRelease[] = [
  release414,
  release415,
  release416,
  release417,
  release418,
  release419,
  release420,
  release421,
  release422,
  release423,
  release50,
];

/** The render flags of a release with one more flag. */
function withFlags(
  { renderFlags }: OpenShiftRelease,
  tool: RenderTool,
  flag: string,
): OpenShiftRelease['renderFlags'] {
  return { ...renderFlags, [tool]: [...(renderFlags[tool] ?? []), flag] };
}
