import type { FieldRow } from '../field-rows.js';
import { describingHints, namingHints } from '../disk-hint-rows.js';

const install = 'install-config.yaml';
const sno = 'sno-config.yaml';
const ofHub = 'only a hub reads it: nothing of one is needed here';
const afterwards = 'label or annotate the object when the cluster has joined a hub';
const power = 'the machine is booted by whoever has its BMC; in a fleet it is a column of the table';

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
  { field: 'nodes', to: 'the next table' },
  { field: 'clusters', needless: 'each is a site of its own' },
  { field: 'clusterType', needless: 'a single node is what is made; other topologies are refused' },
  { field: 'platformType', needless: 'the platform is none' },
  { field: 'holdInstallation', needless: 'nothing is installed before the machine boots' },
  { field: 'templateRefs', needless: ofHub },
  { field: 'suppressedManifests', needless: ofHub },
  { field: 'pruneManifests', needless: ofHub },
  { field: 'crTemplates', needless: ofHub },
  { field: 'crAnnotations', hint: afterwards },
  { field: 'crSuppression', needless: ofHub },
  { field: 'numMasters', needless: 'a single node has one' },
  { field: 'numWorkers', needless: 'workers join later' },
  { field: 'siteConfigMap', needless: ofHub },
  { field: 'biosConfigRef', hint: 'set up the BIOS with the tools of its maker' },
  { field: 'sshPrivateKeySecretRef', needless: ofHub },
  { field: 'extraLabels', hint: afterwards },
  { field: 'extraAnnotations', hint: afterwards },
  { field: 'clusterLabels', hint: afterwards },
  { field: 'apiVIPs', hint: 'the one node answers at its own address', isShown: true },
  { field: 'ingressVIPs', hint: 'the one node answers at its own address', isShown: true },
  { field: 'apiVIP', hint: 'the one node answers at its own address', isShown: true },
  { field: 'ingressVIP', hint: 'the one node answers at its own address', isShown: true },
  {
    field: 'ignitionConfigOverride',
    hint: 'it changes the discovery image of the hub; for the installed node write a MachineConfig into openshift/',
  },
  { field: 'diskEncryption', hint: 'write a MachineConfig with storage.luks into openshift/' },
  { field: 'manifestsConfigMapRefs', to: 'manifests/' },
  { field: 'extraManifests.searchPaths', to: 'manifests/' },
  { field: 'extraManifests.filter', hint: 'take the files out of manifests/ that are not wanted' },
  { field: 'mergeDefaultMachineConfigs', needless: ofHub },
  {
    field: 'reinstall',
    hint: 'run create again, and see reinstall of sno-config.yaml for a disk that is not empty',
  },
];

/** Every field of a node in either resource. Source: the same files. */
export const nodeFields: readonly FieldRow[] = [
  { field: 'hostName', to: `${sno} hostname` },
  { field: 'cpuArchitecture', to: `${install} controlPlane.architecture` },
  { field: 'installerArgs', to: `${sno} kernelArguments, for --append-karg` },
  { field: 'ignitionConfigOverride', to: 'openshift/99-master-ignition-override.yaml, a MachineConfig' },
  { field: 'nodeNetwork.config', to: `${sno} network` },
  { field: 'nodeNetwork.interfaces', to: `${sno} network.interfaces[].mac-address` },
  ...namingHints,
  ...describingHints,
  { field: 'role', needless: 'the one node is of the control plane; workers are refused' },
  {
    field: 'automatedCleaningMode',
    needless: 'reinstall of sno-config.yaml says what becomes of a full disk',
  },
  { field: 'ironicInspect', needless: ofHub },
  { field: 'hostRef', needless: ofHub },
  { field: 'templateRefs', needless: ofHub },
  { field: 'suppressedManifests', needless: ofHub },
  { field: 'pruneManifests', needless: ofHub },
  { field: 'crTemplates', needless: ofHub },
  { field: 'crAnnotations', hint: afterwards },
  { field: 'crSuppression', needless: ofHub },
  { field: 'userData', needless: ofHub },
  { field: 'bmcAddress', hint: power, isShown: 'address' },
  { field: 'bmcCredentialsName', hint: power },
  {
    field: 'bootMACAddress',
    needless: 'it tells machines apart while they are found; here each boots a medium of its own',
  },
  { field: 'bootMode', hint: 'set it up in the firmware: both kinds boot', isShown: true },
  { field: 'nodeLabels', hint: '`oc label node` when the node is up' },
  { field: 'extraLabels', hint: afterwards },
  { field: 'extraAnnotations', hint: afterwards },
  { field: 'biosConfigRef', hint: 'set up the BIOS with the tools of its maker' },
  { field: 'cpuset', hint: 'write a PerformanceProfile into manifests/', isShown: true },
  { field: 'diskPartition', hint: 'write a MachineConfig with storage.disks into openshift/' },
];
