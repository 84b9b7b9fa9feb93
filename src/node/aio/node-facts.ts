import { environmentNameOf } from '../../config/cluster-names.js';
import { formatAddress, nthHost, parseAddress, parseCidr } from '../../formats/cidr.js';
import type { ApiServerNames, Networks, NodeIdentity } from '../../control-plane/loops/loop-inputs.js';

/** Who the all-in-one node is and what it is called from outside. */
export interface NodeFacts {
  /** Hostname and name of the Node object. */
  readonly nodeName: string;
  /** In its shortest form, if the user gives it. */
  readonly nodeAddress?: string;
  readonly networks: Networks;
  readonly apiServer: ApiServerNames;
  /** The subnets of the node's own pods, the first of each family. */
  readonly podSubnets: readonly string[];
  /** Addresses of cluster DNS, the first of each service network. */
  readonly dnsAddresses: readonly string[];
}

/**
 * The node as the control loops see it. Its address is not known to this profile, which names it nowhere; the words
 * that stand for it make a slip visible.
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

/** Source: the tenth address by convention of Kubernetes' installers (kubeadm constants.GetDNSIP). */
export function dnsAddress(serviceNetwork: string): string {
  const cidr = parseCidr(serviceNetwork);
  const address = cidr && nthHost(cidr, 10);
  if (address === undefined)
    throw new Error(`internal error: ${serviceNetwork} passed the checks and has no tenth address`);
  return formatAddress(address);
}

/** An address in its shortest spelling, as Kubernetes writes it. */
export function shortest(address: string): string {
  const parsed = parseAddress(address);
  if (parsed === undefined) throw new Error('internal error: nodeIP passed the checks and is no address');
  return formatAddress(parsed);
}
