import { environmentNameOf } from '../../config/cluster-names.js';
import { formatAddress, nthHost, parseAddress, parseCidr } from '../../formats/cidr.js';
import type { ApiServerNames, Networks, NodeIdentity } from '../../control-plane/loops/loop-inputs.js';

export interface NodeFacts {
  /** Hostname and name of the Node object. */
  readonly nodeName: string;
  /** The user's nodeIP in its shortest form. */
  readonly nodeAddress?: string;
  readonly networks: Networks;
  readonly apiServer: ApiServerNames;
  /** The node's pod subnets, the first of each IP family. */
  readonly podSubnets: readonly string[];
  /** Addresses of cluster DNS, one per service network. */
  readonly dnsAddresses: readonly string[];
}

/**
 * The node identity for the control loops. All-in-one nodes do not use the address in any file; the placeholder
 * makes an accidental use visible.
 */
export function nodeIdentity({ nodeName }: NodeFacts): NodeIdentity {
  const unknown = '@@node-ip@@';
  return {
    name: nodeName,
    environmentName: environmentNameOf(nodeName),
    ip: unknown,
    urlHost: unknown,
    endpointKey: unknown,
  };
}

/** The tenth address of the network. Source: the convention of Kubernetes' installers (kubeadm constants.GetDNSIP). */
export function dnsAddress(serviceNetwork: string): string {
  const cidr = parseCidr(serviceNetwork);
  const address = cidr && nthHost(cidr, 10);
  if (address === undefined)
    throw new Error(`internal error: ${serviceNetwork} passed the checks and has no tenth address`);
  return formatAddress(address);
}

/** Formats an address in its shortest form, as Kubernetes does. */
export function shortest(address: string): string {
  const parsed = parseAddress(address);
  if (parsed === undefined) throw new Error('internal error: nodeIP passed the checks and is no address');
  return formatAddress(parsed);
}
