import { accessRules } from './access.js';
import { capabilityRules } from './capabilities.js';
import { identityRules } from './cluster-identity.js';
import { deprecatedRules } from './deprecated-fields.js';
import { diskRules } from './disk.js';
import { featureRules } from './features.js';
import type { InstallRule } from './install-subject.js';
import { machineRules } from './machines.js';
import { mirrorRules } from './mirrors.js';
import { networkAddressRules } from './network-addresses.js';
import { networkFamilyRules } from './network-families.js';
import { networkPluginRules } from './network-plugin.js';
import { networkSizeRules } from './network-sizes.js';
import { proxyRules } from './proxy.js';
import { pullSecretRules } from './pull-secret.js';
import { singleNodeRules } from './single-node.js';

/** All rules on the values of install-config.yaml. */
export const installRules: readonly InstallRule[] = [
  ...identityRules,
  ...pullSecretRules,
  ...accessRules,
  ...networkAddressRules,
  ...networkSizeRules,
  ...networkFamilyRules,
  ...networkPluginRules,
  ...singleNodeRules,
  ...machineRules,
  ...diskRules,
  ...proxyRules,
  ...mirrorRules,
  ...capabilityRules,
  ...featureRules,
  ...deprecatedRules,
];
