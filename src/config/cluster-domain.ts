import type { InstallConfig } from '../fields/install-config-model.js';

/** The domain below which api, api-int and *.apps stand: `<metadata.name>.<baseDomain>`, without a trailing dot. */
export function clusterDomain(config: InstallConfig): string {
  return `${config.metadata.name}.${config.baseDomain}`;
}
