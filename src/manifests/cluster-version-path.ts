export const clusterVersionPath = 'manifests/cvo-overrides.yaml';
