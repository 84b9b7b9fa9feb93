import { formatCidr, parseCidr, type Cidr } from '../../formats/cidr.js';

/**
 * The first subnet of the first cluster network of each IP family; kube-controller-manager assigns the same
 * subnets to the first node. Source: k8s.io/kubernetes pkg/controller/nodeipam/ipam/cidrset
 */
export function podSubnets(
  clusterNetwork: readonly { readonly cidr: string; readonly hostPrefix: number }[],
): readonly string[] {
  const all = clusterNetwork.flatMap(({ cidr, hostPrefix }) => {
    const parsed = parseCidr(cidr);
    return parsed === undefined ? [] : [{ ...parsed, prefix: hostPrefix }];
  });
  return all
    .filter((each, index) => all.findIndex(({ family }) => family === each.family) === index)
    .map((each: Cidr) => formatCidr(each));
}
