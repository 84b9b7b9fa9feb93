import { rfc3339 } from '../../core/rfc3339.js';
import { publicFile } from '../../core/output-file.js';
import { defineAsset } from '../../graph/asset.js';
import { customFeatures } from '../../config/feature-sets.js';
import { installConfig } from '../config/install-config.js';
import { bootWindow } from '../tls/certificates.js';
import { clusterId } from './cluster-id.js';

/** metadata.json for other programs, with openshift-install's field names, and the validity period of the certificates (RFC 3339). */
export const metadata = defineAsset({
  name: 'identity/metadata',
  needs: { config: installConfig, id: clusterId, window: bootWindow },
  make: ({ config, id, window }) => ({
    clusterName: config.metadata.name,
    clusterID: id.uuid,
    infraID: id.infraId,
    featureSet: config.featureSet,
    customFeatureSet: config.featureSet === 'CustomNoUpgrade' ? customFeatures(config.featureGates) : null,
    certificatesNotBefore: rfc3339(window.notBefore),
    bootableUntil: rfc3339(window.bootableUntil),
  }),
  files: (value) => [publicFile('metadata.json', `${JSON.stringify(value, null, 2)}\n`)],
});
