import { addressRules } from '../../network/checks/address-rules.js';
import { deviceRules } from '../../network/checks/device-rules.js';
import { routeRuleRules } from '../../network/checks/route-rule-rules.js';
import { interfaceRules } from '../../network/checks/interface-rules.js';
import { keyfileRules } from '../../network/checks/keyfile-rules.js';
import { linkRules } from '../../network/checks/link-rules.js';
import { nameServerRules } from '../../network/checks/name-server-rules.js';
import type { NetworkRule } from '../../network/checks/network-subject.js';
import { nodeAddressRules } from '../../network/checks/node-address-rules.js';
import { routeRules } from '../../network/checks/route-rules.js';
import { reportRules } from '../../report/report-rules.js';
import { aioRules } from './aio.js';
import { diskRules } from './disk.js';
import { diskEncryptionRules } from './disk-encryption.js';
import { nodeRules } from './node.js';
import { nodeLabelRules } from './node-labels.js';
import { releaseRules } from './pull-spec.js';
import type { SnoRule } from './sno-subject.js';
import { liveSystemRules } from './system-settings.js';

const networkRules: readonly NetworkRule[] = [
  ...interfaceRules,
  ...linkRules,
  ...deviceRules,
  ...routeRuleRules,
  ...addressRules,
  ...routeRules,
  ...nameServerRules,
  ...nodeAddressRules,
  ...keyfileRules,
];

/** All rules on the values of sno-config.yaml. */
export const snoRules: readonly SnoRule[] = [
  ...nodeRules,
  ...nodeLabelRules,
  ...diskRules,
  ...diskEncryptionRules,
  ...networkRules,
  ...reportRules,
  ...releaseRules,
  ...liveSystemRules,
  ...aioRules,
].toSorted((left, right) => left.number - right.number);
