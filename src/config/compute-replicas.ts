import type { InstallConfig } from './schema/install-config-schema.js';

/** Number of workers that the installation creates. */
export function computeReplicas({ compute }: InstallConfig): number {
  return compute.reduce((sum, pool) => sum + pool.replicas, 0);
}
