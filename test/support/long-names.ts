/** The longest host name of a node, and a cluster domain with which `api-int` exceeds the 64 characters of a common name in X.509. */
export const longNames = {
  hostname: `node-${'1'.repeat(58)}`,
  clusterName: `site-${'c'.repeat(40)}`,
  baseDomain: `${'region'.repeat(9)}.example.com`,
};
