import { signerCatalog } from './installer-catalog.js';
import { signerRotators } from './signer-rotators.js';

/** CA of the first boot of an all-in-one node. `admin-signer` is not included: it may sign another kubeconfig later. */
const aioBootSigner = 'boot-signer';

const rotators = Object.keys(signerRotators);
const names = new Set([
  ...Object.keys(signerCatalog).map((name) => `tls/${name}`),
  ...rotators.map((name) => `control-plane/${name}`),
  ...[...rotators, aioBootSigner].map((name) => `aio/${name}`),
]);

/**
 * True if the label is that of a CA key used only during the first boot. Afterwards the operators or the node use
 * other CAs, or copies. `label` is a label of the state file, such as `key/rsa-2048/tls/root-ca`.
 */
export function isFirstBootAuthority(label: string): boolean {
  const [, name = ''] = /^key\/[^/]+\/(.+)$/.exec(label) ?? [];
  return names.has(name);
}
