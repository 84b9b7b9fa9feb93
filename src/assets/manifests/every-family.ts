import { defineAsset } from '../../graph/asset.js';
import type { Manifest } from '../../kube/manifest.js';
import { cloudConfig } from './cloud-config.js';
import { clusterConfig } from './cluster-config.js';
import { clusterVersion } from './cluster-version.js';
import { dns } from './dns.js';
import { featureGate } from './feature-gate.js';
import { infrastructure } from './infrastructure.js';
import { ingress } from './ingress.js';
import { installRecord } from './install-record.js';
import { kubeadmin } from './kubeadmin.js';
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
import { pki } from './pki.js';
import { proxy } from './proxy.js';
import { pullSecret } from './pull-secret.js';
import { scheduler } from './scheduler.js';
import { trustBundle } from './trust-bundle.js';

/** The manifests of every family, with the user's edits applied. */
export const generatedManifests = defineAsset({
  name: 'manifests/generated',
  needs: {
    cloudConfig,
    clusterConfig,
    clusterVersion,
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
    pki,
    proxy,
    pullSecret,
    scheduler,
    trustBundle,
    userData,
  },
  make: (families): readonly Manifest[] => Object.values(families).flat(),
});
