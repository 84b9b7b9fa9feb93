import type { NetworkRule } from './network-subject.js';
import { addressRules } from './address-rules.js';
import { deviceRules } from './device-rules.js';
import { interfaceRules } from './interface-rules.js';
import { keyfileRules } from './keyfile-rules.js';
import { linkRules } from './link-rules.js';
import { nameServerRules } from './name-server-rules.js';
import { nodeAddressRules } from './node-address-rules.js';
import { routeRules } from './route-rules.js';

/** The network of the node. */
export const networkRules: readonly NetworkRule[] = [
  ...interfaceRules,
  ...linkRules,
  ...deviceRules,
  ...addressRules,
  ...routeRules,
  ...nameServerRules,
  ...nodeAddressRules,
  ...keyfileRules,
];
