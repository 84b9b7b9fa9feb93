import type { NetworkDescription } from '../schema/network-model.js';
import { contains, formatAddress, isHostOf, parseCidr } from '../../formats/cidr.js';
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
