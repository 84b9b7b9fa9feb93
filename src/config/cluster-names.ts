import type { InstallConfig } from './schema/install-config-schema.js';
import { parseCidr } from '../formats/cidr.js';
import { apiHost, clusterDomain, internalApiHost } from './cluster-domain.js';

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

/** The networks of a cluster in CIDR notation, each list in the order of the config. */
export interface Networks {
  readonly clusterNetwork: readonly { readonly cidr: string; readonly hostPrefix: number }[];
  readonly serviceNetwork: readonly string[];
  readonly machineNetwork: readonly string[];
  /** Family of the first service network; addresses to listen on follow it. */
  readonly family: 'IPv4' | 'IPv6';
  readonly isDualStack: boolean;
}

/** Names of the cluster and of its API, as certificates, kubeconfigs and the control plane hold them. */
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

/** The networks with the family that listening addresses follow. */
export function networkFacts(ranges: Omit<Networks, 'family' | 'isDualStack'>): Networks {
  const families = ranges.serviceNetwork.map((cidr) => parseCidr(cidr)?.family);
  return { ...ranges, family: families[0] ?? 'IPv4', isDualStack: new Set(families).size > 1 };
}

/** What the API of a cluster is called from outside, and the further names that its certificate bears. */
export function apiNamesOf(
  install: InstallConfig,
  infraId: string,
  extraNames: readonly string[],
): ApiServerNames {
  return {
    externalHost: apiHost(install),
    internalHost: internalApiHost(install),
    clusterName: install.metadata.name,
    clusterDomain: clusterDomain(install),
    infraId,
    extraNames,
  };
}

/** A node's name as a part of the name of an environment variable. */
export function environmentNameOf(nodeName: string): string {
  return nodeName.replaceAll(/[-.]/g, '_');
}
