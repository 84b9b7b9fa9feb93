import type { InstallConfig } from '../fields/install-config-model.js';
import { parseCidr } from '../formats/cidr.js';
import { clusterDomain } from './cluster-domain.js';
import type { ApiServerNames, Networks } from './cluster-names.js';

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
  const domain = clusterDomain(install);
  return {
    externalHost: `api.${domain}`,
    internalHost: `api-int.${domain}`,
    clusterName: install.metadata.name,
    clusterDomain: domain,
    infraId,
    extraNames,
  };
}

/** A node's name as a part of the name of an environment variable. */
export function environmentNameOf(nodeName: string): string {
  return nodeName.replaceAll(/[-.]/g, '_');
}
