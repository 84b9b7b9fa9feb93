import { defineAsset } from '../../graph/asset.js';
import type { Manifest } from '../../kube/manifest.js';
import { installRecord, trustBundle } from './cluster-config-maps.js';
import { clusterConfig } from './cluster-config.js';
import { dns, featureGate, ingress, pki, scheduler } from './cluster-objects.js';
import { cloudConfig, kubeadmin, pullSecret } from './cluster-secrets.js';
import { clusterVersion } from './cluster-version.js';
import { infrastructure } from './infrastructure.js';
import { diskEncryptionConfig } from './machines/disk-encryption.js';
import { kubelet } from './machines/kubelet-config.js';
import { localDnsConfig } from './machines/local-dns.js';
import { machineConfigServer } from './machines/machine-config-server.js';
import { machineConfigs } from './machines/machine-configs.js';
import { nodeNetworkConfig } from './machines/node-network.js';
import { nodeSettingConfigs } from './machines/node-settings.js';
import { osImageStream } from './machines/os-image-stream.js';
import { userData } from './machines/user-data.js';
import { mirrorSets } from './mirror-sets.js';
import { network, networkOperator } from './network.js';
import { payloadManifests } from './payload.js';
import { proxy } from './proxy.js';

/** The manifests of every family, with the user's edits applied. */
export const generatedManifests = defineAsset({
  name: 'manifests/generated',
  needs: {
    cloudConfig,
    clusterConfig,
    clusterVersion,
    diskEncryptionConfig,
    dns,
    featureGate,
    infrastructure,
    ingress,
    installRecord,
    kubeadmin,
    kubelet,
    localDnsConfig,
    machineConfigServer,
    machineConfigs,
    mirrorSets,
    network,
    networkOperator,
    nodeNetworkConfig,
    nodeSettingConfigs,
    osImageStream,
    payloadManifests,
    pki,
    proxy,
    pullSecret,
    scheduler,
    trustBundle,
    userData,
  },
  make: (families): readonly Manifest[] => Object.values(families).flat(),
});
