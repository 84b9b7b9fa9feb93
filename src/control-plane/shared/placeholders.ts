import type { ImageKey, NodeIdentity } from '../loops/loop-inputs.js';

/**
 * Placeholders in rendered files for facts that only the node knows. The node's script `sno-control-plane-fill.sh` replaces
 * them. The syntax is that of template placeholders, so that no configuration contains one by chance.
 */
export const placeholderNode: NodeIdentity = {
  name: '@@node-name@@',
  environmentName: '@@node-environment-name@@',
  ip: '@@node-ip@@',
  urlHost: '@@node-url-host@@',
  endpointKey: '@@node-endpoint-key@@',
};

/** Placeholder for the payload's feature gates: replaced by a comma-separated list or, as a line of a list, by one line per gate. */
export const placeholderGates = '@@feature-gates@@';

/** Placeholder for the pull spec of a payload image. */
export function placeholderImage(key: ImageKey): string {
  return `@@image-${key}@@`;
}
