import { buildConfig, specVersion } from '../ignition/build.js';
import type { IgnitionConfig, IgnitionUnit, IgnitionUser, NodeFile } from '../ignition/types.js';
import type { KubeObject } from './object.js';

/** The label that says which pool of nodes a MachineConfig is for. */
export const roleLabel = 'machineconfiguration.openshift.io/role';

/** A pool of machines that MachineConfigs are for. */
export type Role = 'master' | 'worker';

/** Source: openshift/api machineconfiguration/v1 MachineConfig. */
export interface MachineConfig extends KubeObject {
  readonly apiVersion: 'machineconfiguration.openshift.io/v1';
  readonly kind: 'MachineConfig';
  readonly spec: {
    readonly config: Pick<IgnitionConfig, 'ignition' | 'passwd' | 'storage' | 'systemd'>;
    readonly fips?: true;
    readonly kernelArguments?: readonly string[];
  };
}

/** What a MachineConfig asks for; what is left out stays as it is. */
export interface MachineSettings {
  readonly files?: readonly NodeFile[];
  readonly units?: readonly IgnitionUnit[];
  readonly users?: readonly IgnitionUser[];
  readonly kernelArguments?: readonly string[];
  readonly fips?: boolean;
}

/** A MachineConfig for the nodes of a role, in the Ignition spec that every release reads. */
export function machineConfig(role: Role, name: string, settings: MachineSettings): MachineConfig {
  const { files = [], units = [], users = [], kernelArguments, fips } = settings;
  const { passwd, storage, systemd } = buildConfig({ files, units, users });
  return {
    apiVersion: 'machineconfiguration.openshift.io/v1',
    kind: 'MachineConfig',
    metadata: { name, labels: { [roleLabel]: role } },
    spec: {
      config: {
        ignition: { version: specVersion },
        ...(users.length > 0 && passwd && { passwd }),
        ...(files.length > 0 && storage && { storage }),
        ...(units.length > 0 && systemd && { systemd }),
      },
      ...(kernelArguments && { kernelArguments }),
      ...(fips === true && { fips }),
    },
  };
}
