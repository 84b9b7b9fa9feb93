import { defineAsset } from '../../graph/asset.js';
import type { NodeFile } from '../../ignition/types.js';
import { bundleCatalog } from '../../pki/installer-bundles.js';
import { leafCatalog, signerCatalog } from '../../pki/installer-catalog.js';
import { keyPairFiles, pairFiles, secretTlsFile, bundleText } from '../../pki/tls-files.js';
import { boundServiceAccountKey } from './bound-service-account-key.js';
import { bundles, leaves, serviceAccountKeyPair, signers } from './certificates.js';

/** The catalog's certificates and keys that the node needs; some keys are stored only in the state file. */
export const tlsNodeFiles = defineAsset({
  name: 'tls/node-files',
  needs: {
    ...signers,
    ...leaves,
    ...bundles,
    serviceAccount: serviceAccountKeyPair,
    bound: boundServiceAccountKey,
  },
  make: ({ serviceAccount, bound, ...values }): readonly NodeFile[] => [
    ...Object.entries(signerCatalog).flatMap(([base, { onNode }]) => pairFiles(base, onNode, values)),
    ...Object.entries(leafCatalog).flatMap(([base, { onNode }]) => pairFiles(base, onNode, values)),
    ...Object.keys(bundleCatalog).map((base) => secretTlsFile(`${base}.crt`, bundleText(values, base))),
    ...keyPairFiles('service-account', serviceAccount),
    ...(bound === undefined ? [] : keyPairFiles('bound-service-account-signing-key', bound)),
  ],
});
