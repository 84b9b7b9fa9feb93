import type { FlagValues } from '../shared/flag-list.js';
import type { ObservedConfig } from './operator-config.js';

/** All that kube-controller-manager is told, from which its configuration file and its flags are written. */
export interface ControllerManagerConfig {
  /** How it reaches the API, and who it is to it; it asks there too whom its own clients are. */
  readonly kubeconfig: string;
  /** Authorities of its own clients. With both given it needs no ConfigMap of the cluster to start. */
  readonly clientCaFile: string;
  readonly requestheaderClientCaFile: string;
  /** Absent means every address. */
  readonly bindAddress?: string;
  readonly serving: ObservedConfig['servingInfo'];
  /** Everything else, by flag, with what was observed and what the user asked for. */
  readonly extendedArguments: FlagValues;
}
