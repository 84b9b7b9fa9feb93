import { buildConfig, specVersion } from '../ignition/build-config.js';
import type {
  IgnitionConfig,
  IgnitionStorage,
  IgnitionUnit,
  IgnitionUser,
  NodeFile,
} from '../ignition/types.js';
import type { KubeObject } from './object.js';

/** Label that assigns a MachineConfig to a pool. */
export const roleLabel = 'machineconfiguration.openshift.io/role';

/**
 * The variable that the unit of the kubelet appends to `--node-labels`. Values in `/etc/kubernetes/kubelet-env` and `kubelet-workaround`
 * override those of a drop-in. Source: machine-config-operator templates/master/01-master-kubelet/_base/units/kubelet.service.yaml
 */
export const kubeletLabelsVariable = 'CUSTOM_KUBELET_LABELS';

/** A MachineConfigPool. */
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

/** Settings of a MachineConfig; absent ones stay unchanged on the node. */
export interface MachineSettings {
  readonly files?: readonly NodeFile[];
  readonly units?: readonly IgnitionUnit[];
  readonly users?: readonly IgnitionUser[];
  readonly storage?: IgnitionStorage;
  readonly kernelArguments?: readonly string[];
  readonly fips?: boolean;
}

/** A MachineConfig for a pool, in an Ignition spec version that every release supports. */
export function machineConfig(role: Role, name: string, settings: MachineSettings): MachineConfig {
  const { files = [], units = [], users = [], storage, kernelArguments, fips } = settings;
  const { passwd, storage: { files: entries } = {}, systemd } = buildConfig({ files, units, users });
  return {
    apiVersion: 'machineconfiguration.openshift.io/v1',
    kind: 'MachineConfig',
    metadata: { name, labels: { [roleLabel]: role } },
    spec: {
      config: {
        ignition: { version: specVersion },
        ...(users.length > 0 && passwd && { passwd }),
        ...((files.length > 0 || storage) && {
          storage: { ...(files.length > 0 && { files: entries }), ...storage },
        }),
        ...(units.length > 0 && systemd && { systemd }),
      },
      ...(kernelArguments && { kernelArguments }),
      ...(fips === true && { fips }),
    },
  };
}
