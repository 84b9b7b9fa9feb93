import type { InstallConfig } from './schema/install-config-schema.js';

/** The domain below which api, api-int and *.apps stand: `<metadata.name>.<baseDomain>`, without a trailing dot. */
export function clusterDomain(config: InstallConfig): string {
  return `${config.metadata.name}.${config.baseDomain}`;
}

/** What the API is called by users and programs outside of the cluster. */
export function apiHost(config: InstallConfig): string {
  return `api.${clusterDomain(config)}`;
}

/** What the API is called by the nodes. */
export function internalApiHost(config: InstallConfig): string {
  return `api-int.${clusterDomain(config)}`;
}
