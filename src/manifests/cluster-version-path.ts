/** Path of the ClusterVersion manifest, relative to the directory. */
export const clusterVersionPath = 'manifests/cvo-overrides.yaml';
