import type { InstallConfig } from './schema/install-config-schema.js';

/** Parent domain of api, api-int and *.apps: `<metadata.name>.<baseDomain>`, without a trailing dot. */
export function clusterDomain(config: InstallConfig): string {
  return `${config.metadata.name}.${config.baseDomain}`;
}

/** Host name of the API for users and for clients outside the cluster. */
export function apiHost(config: InstallConfig): string {
  return `api.${clusterDomain(config)}`;
}

/** Host name of the API for the nodes. */
export function internalApiHost(config: InstallConfig): string {
  return `api-int.${clusterDomain(config)}`;
}
