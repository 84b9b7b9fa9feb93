/** The longest host name of a node, and a cluster domain for which `api-int` exceeds the 64 characters of an X.509 common name. */
export const longNames = {
  hostname: `node-${'1'.repeat(58)}`,
  clusterName: `site-${'c'.repeat(40)}`,
  baseDomain: `${'region'.repeat(9)}.example.com`,
};
