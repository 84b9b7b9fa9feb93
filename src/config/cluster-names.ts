import type { InstallConfig } from './schema/install-config-schema.js';
import { parseCidr } from '../formats/cidr.js';
import { apiHost, clusterDomain, internalApiHost } from './cluster-domain.js';

/**
 * How static pods run. `OpenShift`: hyperkube of a payload, with the configuration files and names of its
 * operators, so that the operators adopt the pods. `Kubernetes`: upstream's flags without anything of OpenShift, for a
 * control plane without operators; etcd listens on loopback only, and no file contains the node's address.
 */
export type Profile = 'OpenShift' | 'Kubernetes';

/** Name and address of the node, or placeholders that the node replaces (see `placeholders.ts`). */
export interface NodeIdentity {
  readonly name: string;
  /** The name with `_` for `-` and `.`, for use in names of environment variables. */
  readonly environmentName: string;
  /** The address in canonical form, without brackets. */
  readonly ip: string;
  /** The address as host of a URL: IPv6 in brackets. */
  readonly urlHost: string;
  /** Unpadded base64 of the address: the node's key in the list of etcd endpoints. */
  readonly endpointKey: string;
}

/** The networks of a cluster in CIDR notation, in the order of the config. */
export interface Networks {
  readonly clusterNetwork: readonly { readonly cidr: string; readonly hostPrefix: number }[];
  readonly serviceNetwork: readonly string[];
  readonly machineNetwork: readonly string[];
  /** Family of the first service network, which is also the family of listen addresses. */
  readonly family: 'IPv4' | 'IPv6';
  readonly isDualStack: boolean;
}

/** Names of the cluster and its API for certificates, kubeconfigs and the control plane. */
export interface ApiServerNames {
  /** `api.<cluster domain>` */
  readonly externalHost: string;
  /** `api-int.<cluster domain>` */
  readonly internalHost: string;
  readonly clusterName: string;
  readonly clusterDomain: string;
  /** Infrastructure name, which ends in five random characters. */
  readonly infraId: string;
  /** Additional names and addresses for the default serving certificate, which is used if no other name matches. */
  readonly extraNames: readonly string[];
}

/** Derives the IP family from the service networks. */
export function networkFacts(ranges: Omit<Networks, 'family' | 'isDualStack'>): Networks {
  const families = ranges.serviceNetwork.map((cidr) => parseCidr(cidr)?.family);
  return { ...ranges, family: families[0] ?? 'IPv4', isDualStack: new Set(families).size > 1 };
}

/** Derives the API's names from the install-config; `extraNames` are additional names of its certificate. */
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

/** A node name in the form for names of environment variables. */
export function environmentNameOf(nodeName: string): string {
  return nodeName.replaceAll(/[-.]/g, '_');
}
