import type { ImageKey, NodeIdentity } from '../loops/loop-inputs.js';

/**
 * What stands in rendered files for facts that only the node knows. The node's script `sno-control-plane-fill.sh` puts
 * them in; the form is that of template holes, so that no configuration holds one by chance.
 */
export const placeholderNode: NodeIdentity = {
  name: '@@node-name@@',
  environmentName: '@@node-environment-name@@',
  ip: '@@node-ip@@',
  urlHost: '@@node-url-host@@',
  endpointKey: '@@node-endpoint-key@@',
};

/** Stands for the feature gates of the payload: joined by commas, and in a list, as a line, for one line each. */
export const placeholderGates = '@@feature-gates@@';

/** Stands for the pull spec of an image of the payload. */
export function placeholderImage(key: ImageKey): string {
  return `@@image-${key}@@`;
}
