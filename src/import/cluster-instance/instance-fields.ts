import type { FieldRow } from '../field-rows.js';
import { diskHintRows } from '../disk-hint-rows.js';

const install = 'install-config.yaml';
const sno = 'sno-config.yaml';
const ofHub = 'used only by a hub';
export const ofTemplates =
  'a hub makes its objects from these templates: put settings of the cluster that only they have into the new configs';
const afterwards = 'add the labels or annotations after the cluster has joined a hub';
const labels =
  'add them after the cluster has joined a hub; in a fleet, a label that selects classes or sites becomes a column of the table';
const power = 'only needed to boot the machine through its BMC; in a fleet it becomes a column of the table';

/**
 * Every field of `spec` of a ClusterInstance and of a cluster in a SiteConfig. Source: stolostron/siteconfig api/v1alpha1
 * clusterinstance_types.go; openshift-kni/cnf-features-deploy ztp/siteconfig-generator siteConfig.go
 */
export const clusterFields: readonly FieldRow[] = [
  { field: 'clusterName', to: `${install} metadata.name` },
  { field: 'baseDomain', to: `${install} baseDomain` },
  { field: 'sshPublicKey', to: `${install} sshKey` },
  { field: 'networkType', to: `${install} networking.networkType` },
  { field: 'machineNetwork', to: `${install} networking.machineNetwork` },
  { field: 'clusterNetwork', to: `${install} networking.clusterNetwork` },
  { field: 'serviceNetwork', to: `${install} networking.serviceNetwork` },
  { field: 'cpuPartitioningMode', to: `${install} cpuPartitioningMode` },
  { field: 'proxy.httpProxy', to: `${install} proxy.httpProxy` },
  { field: 'proxy.httpsProxy', to: `${install} proxy.httpsProxy` },
  { field: 'proxy.noProxy', to: `${install} proxy.noProxy` },
  { field: 'caBundleRef', to: `${install} additionalTrustBundle` },
  { field: 'installConfigOverrides', to: `${install}, merged over it (RFC 7396)` },
  { field: 'cpuArchitecture', to: `${install} controlPlane.architecture` },
  { field: 'additionalNTPSources', to: `${sno} ntpSources` },
  { field: 'clusterImageSetNameRef', to: `${sno} releaseImage, of that ClusterImageSet` },
  { field: 'pullSecretRef', to: `pull-secret.json, and ${sno} pullSecretFile` },
  { field: 'extraManifestsRefs', to: 'manifests/' },
  { field: 'extraManifestPath', to: 'manifests/' },
  { field: 'nodes', to: 'see the next table' },
  { field: 'clusters', needless: 'each cluster becomes a site' },
  { field: 'clusterType', needless: 'must be SNO; other types are rejected' },
  { field: 'platformType', needless: 'always None; other platforms than None and BareMetal are reported' },
  {
    field: 'holdInstallation',
    hint: 'the installation starts when the machine boots: do not boot it before; with --fleet the site becomes part of hold in rollout.yaml',
    isShown: true,
  },
  { field: 'templateRefs', needless: ofHub },
  { field: 'suppressedManifests', needless: ofHub },
  { field: 'pruneManifests', needless: ofHub },
  { field: 'crTemplates', hint: ofTemplates },
  { field: 'crAnnotations', hint: afterwards },
  { field: 'crSuppression', needless: ofHub },
  { field: 'numMasters', needless: 'always 1' },
  { field: 'numWorkers', needless: 'always 0; workers can join later' },
  { field: 'siteConfigMap', needless: ofHub },
  { field: 'biosConfigRef', hint: 'configure the BIOS with the tools of its vendor' },
  { field: 'sshPrivateKeySecretRef', needless: ofHub },
  { field: 'extraLabels', hint: labels },
  { field: 'extraAnnotations', hint: afterwards },
  { field: 'clusterLabels', hint: labels },
  { field: 'apiVIPs', hint: 'not needed: the node uses its own address', isShown: true },
  { field: 'ingressVIPs', hint: 'not needed: the node uses its own address', isShown: true },
  { field: 'apiVIP', hint: 'not needed: the node uses its own address', isShown: true },
  { field: 'ingressVIP', hint: 'not needed: the node uses its own address', isShown: true },
  {
    field: 'ignitionConfigOverride',
    hint: 'applies to the discovery image of the hub; for the installed node, add a MachineConfig to openshift/',
  },
  { field: 'diskEncryption', to: `${sno} diskEncryption, of the types nbde and tpm2 without PCRs` },
  { field: 'manifestsConfigMapRefs', to: 'manifests/' },
  { field: 'extraManifests.searchPaths', to: 'manifests/' },
  { field: 'extraManifests.filter', hint: 'remove the excluded files from manifests/ after the import' },
  { field: 'mergeDefaultMachineConfigs', needless: ofHub },
  { field: 'legacyConfig', needless: ofHub },
  {
    field: 'extraManifestOnly',
    hint: 'in a hub the cluster is not installed with it; here the whole cluster is imported',
  },
  {
    field: 'reinstall',
    hint: 'run create again; for a disk that is not empty see reinstall in sno-config.yaml',
  },
];

/** Fields of `metadata`; those that only the API server sets are among them. Source: k8s.io/apimachinery ObjectMeta */
export const metadataFields: readonly FieldRow[] = [
  { field: 'name', to: `${install} metadata.name, without clusterName` },
  { field: 'labels', hint: labels },
  { field: 'annotations', needless: ofHub },
  ...[
    'namespace',
    'creationTimestamp',
    'deletionGracePeriodSeconds',
    'deletionTimestamp',
    'finalizers',
    'generateName',
    'generation',
    'managedFields',
    'ownerReferences',
    'resourceVersion',
    'selfLink',
    'uid',
  ].map((field) => ({ field, needless: ofHub })),
];

/** Every field of a node in either resource. Source: the same files. */
export const nodeFields: readonly FieldRow[] = [
  { field: 'hostName', to: `${sno} hostname` },
  { field: 'cpuArchitecture', to: `${install} controlPlane.architecture` },
  {
    field: 'installerArgs',
    to: `${sno} coreosInstaller`,
  },
  { field: 'ignitionConfigOverride', to: 'openshift/99-master-ignition-override.yaml, a MachineConfig' },
  { field: 'nodeNetwork.config', to: `${sno} network` },
  { field: 'nodeNetwork.interfaces', to: `${sno} network.interfaces[].mac-address` },
  ...diskHintRows,
  { field: 'role', needless: 'must be master; other roles are rejected' },
  {
    field: 'automatedCleaningMode',
    needless: 'see reinstall in sno-config.yaml for a disk that is not empty',
  },
  { field: 'ironicInspect', needless: ofHub },
  { field: 'hostRef', needless: ofHub },
  { field: 'templateRefs', needless: ofHub },
  { field: 'suppressedManifests', needless: ofHub },
  { field: 'pruneManifests', needless: ofHub },
  { field: 'crTemplates', hint: ofTemplates },
  { field: 'crAnnotations', hint: afterwards },
  { field: 'crSuppression', needless: ofHub },
  { field: 'userData', needless: ofHub },
  { field: 'bmcAddress', hint: power, isShown: 'address' },
  { field: 'bmcCredentialsName', hint: power },
  {
    field: 'bootMACAddress',
    needless: 'identifies machines during discovery; here each machine boots its own image',
  },
  { field: 'bootMode', hint: 'set it in the firmware; UEFI and legacy boot both work', isShown: true },
  { field: 'nodeLabels', to: `${sno} nodeLabels, without labels that a kubelet must not set` },
  { field: 'extraLabels', hint: afterwards },
  { field: 'extraAnnotations', hint: afterwards },
  { field: 'biosConfigRef', hint: 'configure the BIOS with the tools of its vendor' },
  { field: 'cpuset', hint: 'add a PerformanceProfile to manifests/', isShown: true },
  { field: 'diskPartition', hint: 'add a MachineConfig with storage.disks to openshift/' },
];
