import type { NetworkDescription } from '../schema/network-model.js';
import { contains, formatAddress, isHostOf, parseCidr, type Address } from '../../formats/cidr.js';
import type { FieldPath } from '../../formats/yaml/yaml-tree.js';
import { staticAddresses } from './addresses.js';
import { presentInterfaces } from './interfaces.js';

/** The networks that determine the node's address. */
export interface NodeNetworks {
  readonly machineNetwork: readonly { readonly cidr: string }[];
  readonly serviceNetwork: readonly string[];
}

/**
 * The only static address in a machine network of the first service network's IP family, in its shortest form. Undefined if
 * there is none or more than one.
 */
export function nodeAddressOf(
  network: NetworkDescription,
  { machineNetwork, serviceNetwork }: NodeNetworks,
): string | undefined {
  const family = parseCidr(serviceNetwork[0] ?? '')?.family;
  const networks = machineNetwork.flatMap(({ cidr }) => parseCidr(cidr) ?? []);
  if (family === undefined) return undefined;
  const found = presentInterfaces(network)
    .filter(({ state }) => state !== 'down')
    .flatMap((each) => staticAddresses(each, family))
    .map((cidr) => ({ family, value: cidr.address }))
    .filter((address) =>
      networks.some((network) => contains(network, address) && isHostOf(network, address)),
    );
  const [only, ...others] = found;
  return only === undefined || others.length > 0 ? undefined : formatAddress(only);
}

/** Why a node cannot have an address. */
export function nodeAddressFault(
  address: Address,
  { machineNetwork, serviceNetwork }: NodeNetworks,
): AddressFault | undefined {
  const family = parseCidr(serviceNetwork[0] ?? '')?.family;
  // The first service network determines the IP family of node addresses. Source: openshift/baremetal-runtimecfg and the etcd operator
  if (family !== undefined && family !== address.family)
    return {
      path: ['serviceNetwork', 0],
      text: `is ${address.family}, while the first service network is ${family}`,
    };
  const networks = machineNetwork.flatMap(({ cidr }) => parseCidr(cidr) ?? []);
  const network = networks.find((each) => contains(each, address));
  if (!network)
    return {
      path: ['machineNetwork', 0, 'cidr'],
      text: `is in none of the machine networks (${machineNetwork.map(({ cidr }) => cidr).join(', ')})`,
    };
  return isHostOf(network, address)
    ? undefined
    : {
        path: ['machineNetwork', 0, 'cidr'],
        text: 'is the network or the broadcast address of its machine network',
      };
}

/** The fault as the end of a sentence, and the path of the contradicting network below `networking`. */
export interface AddressFault {
  readonly path: FieldPath;
  readonly text: string;
}
