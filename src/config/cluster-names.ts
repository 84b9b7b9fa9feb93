/**
 * How the static pods are run. `OpenShift`: by hyperkube of a payload, with configuration files and names as its
 * operators write them, so that these adopt the pods. `Kubernetes`: with upstream's flags and nothing of OpenShift, for a
 * control plane without operators; etcd then listens on loopback only, and nothing names the node's address.
 */
export type Profile = 'OpenShift' | 'Kubernetes';

/** The node, or what stands for it until the node fills it in (see `placeholders.ts`). */
export interface NodeIdentity {
  readonly name: string;
  /** The name with `-` and `.` as `_`, for names of environment variables. */
  readonly environmentName: string;
  /** The address in its canonical form, without brackets. */
  readonly ip: string;
  /** The address as the host of a URL: IPv6 in brackets. */
  readonly urlHost: string;
  /** Base64 of the address without padding: the node's key in the list of etcd endpoints. */
  readonly endpointKey: string;
}

export interface Networks {
  readonly clusterNetwork: readonly { readonly cidr: string; readonly hostPrefix: number }[];
  readonly serviceNetwork: readonly string[];
  readonly machineNetwork: readonly string[];
  /** Family of the first service network; addresses to listen on follow it. */
  readonly family: 'IPv4' | 'IPv6';
  readonly isDualStack: boolean;
}

export interface ApiServerNames {
  /** `api.<cluster domain>` */
  readonly externalHost: string;
  /** `api-int.<cluster domain>` */
  readonly internalHost: string;
  readonly clusterName: string;
  readonly clusterDomain: string;
  /** The infrastructure name with its five drawn characters. */
  readonly infraId: string;
  /** Further names and addresses for the serving certificate that answers where no name fits. */
  readonly extraNames: readonly string[];
}
