import { problem } from '../../core/problem.js';
import { failure, success } from '../../core/result.js';
import { mayBeSecret } from '../../core/secrets.js';
import { defineAsset } from '../../graph/asset.js';
import type { ClusterName } from '../../graph/context.js';
import { installConfig } from '../config/install-config.js';
import { installReading } from '../config/install-reading.js';

/**
 * The cluster of the config, which must be the one of the stored generated values: keys and passwords must not be
 * reused for another cluster. Problem: dir/other-cluster.
 */
export const stateCluster = defineAsset({
  name: 'identity/state-cluster',
  needs: { config: installConfig, reading: installReading },
  tryMake: ({ config, reading: { draft } }, { drawnFor }) => {
    const named: ClusterName = { name: config.metadata.name, baseDomain: config.baseDomain };
    if (drawnFor === undefined || domainOf(drawnFor) === domainOf(named)) return success(named);
    const path = drawnFor.name === named.name ? ['baseDomain'] : ['metadata', 'name'];
    const message = `the keys and passwords of this directory are those of ${shown(domainOf(drawnFor))}, and the config names ${domainOf(named)}`;
    return failure(problem('dir/other-cluster', message, { at: draft?.placeOf(path), hint: wayOut }));
  },
});

function domainOf({ name, baseDomain }: ClusterName): string {
  return `${name}.${baseDomain}`;
}

/** The domain recorded in the state file, unless it looks like a secret. */
function shown(domain: string): string {
  return mayBeSecret(domain) ? 'another cluster' : domain;
}

const wayOut =
  'for another cluster begin in a directory with nothing but its configs; if this one was only renamed, take `cluster` out of the state file';
