import type { FlagValues } from '../shared/flag-list.js';
import type { ObservedConfig } from './operator-config.js';

/** Complete configuration of kube-controller-manager, the source of both its configuration file and its flags. */
export interface ControllerManagerConfig {
  /** Kubeconfig for the API; also used to authenticate and authorize the program's clients. */
  readonly kubeconfig: string;
  /** Client CAs. With both CA files set, the program starts without reading a ConfigMap from the cluster. */
  readonly clientCaFile: string;
  readonly requestheaderClientCaFile: string;
  /** All addresses if absent. */
  readonly bindAddress?: string;
  readonly serving: ObservedConfig['servingInfo'];
  /** All other arguments by flag, including observed settings and the user's arguments. */
  readonly extendedArguments: FlagValues;
}
