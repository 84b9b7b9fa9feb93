import { signerCatalog } from './installers-catalog.js';
import { signerRotators } from './signer-rotators.js';

/** The authority of the first boot of an all-in-one machine; that of administrators may sign a kubeconfig later. */
const aioBootSigner = 'boot-signer';

const rotators = Object.keys(signerRotators);
const names = new Set([
  ...Object.keys(signerCatalog).map((name) => `tls/${name}`),
  ...rotators.map((name) => `control-plane/${name}`),
  ...[...rotators, aioBootSigner].map((name) => `aio/${name}`),
]);

/**
 * Whether a draw is the key of an authority that signs for the first boot alone: afterwards the operators, or the node, have
 * authorities or copies of their own. `label` is that of the state, such as `key/rsa-2048/tls/root-ca`.
 */
export function isFirstBootAuthority(label: string): boolean {
  const [, name = ''] = /^key\/[^/]+\/(.+)$/.exec(label) ?? [];
  return names.has(name);
}
