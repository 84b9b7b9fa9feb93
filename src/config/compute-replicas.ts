import type { InstallConfig } from './schema/install-config-schema.js';

/** How many workers the installation itself brings. */
export function computeReplicas({ compute }: InstallConfig): number {
  return compute.reduce((sum, pool) => sum + pool.replicas, 0);
}
