import { machineConfig, type MachineSettings, type Role } from '../kube/machine-config.js';
import type { GeneratedManifest } from './edits/edits.js';

/**
 * The manifest of a MachineConfig, with a file name that the cluster version operator ignores.
 * Source: openshift/installer pkg/asset/machines/machineconfig.
 */
export function machineConfigManifest(
  role: Role,
  name: string,
  settings: MachineSettings,
): GeneratedManifest {
  return {
    path: `openshift/99_openshift-machineconfig_${name}.yaml`,
    object: machineConfig(role, name, settings),
  };
}
