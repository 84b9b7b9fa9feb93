/** Where the ClusterVersion stands, relative to the directory. */
export const clusterVersionPath = 'manifests/cvo-overrides.yaml';
