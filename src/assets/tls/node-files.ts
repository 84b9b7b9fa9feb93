import type { NodeFile } from '../../ignition/types.js';
import { defineAsset } from '../../graph/asset.js';
import { bundles, leaves, serviceAccountKeyPair, signers } from './assets.js';
import { boundServiceAccountKey } from './bound-service-account-key.js';
import { bundleCatalog, leafCatalog, signerCatalog, type OnNode } from './catalog.js';
import type { CertifiedKey } from './certified-key.js';

/** Where the operators of the payload look for certificates. Source: openshift/installer bootkube.sh, --asset-input-dir */
const folder = '/opt/openshift/tls';

/** Everything of the inventory that goes to the node, and nothing else: some keys never leave the state file. */
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
    ...Object.keys(bundleCatalog).map((base) => secret(`${base}.crt`, textOf(values, base))),
    ...keyPairFiles('service-account', serviceAccount),
    ...(bound === undefined ? [] : keyPairFiles('bound-service-account-signing-key', bound)),
  ],
});

type Values = Readonly<Record<string, CertifiedKey | string>>;

function pairFiles(base: string, onNode: OnNode, values: Values): readonly NodeFile[] {
  const pair = values[base];
  if (pair === undefined || typeof pair === 'string')
    throw new Error(`internal error: no certificate ${base}`);
  switch (onNode) {
    case 'nothing':
      return [];
    case 'certificate':
      // Readable by all: journal-gatewayd, which is not root, trusts it.
      return [{ path: `${folder}/${base}.crt`, mode: 0o644, contents: pair.chainPem }];
    case 'key and certificate':
      return [secret(`${base}.key`, pair.keyPem), secret(`${base}.crt`, pair.chainPem)];
  }
}

function keyPairFiles(
  base: string,
  pair: { readonly keyPem: string; readonly publicKeyPem: string },
): readonly NodeFile[] {
  return [secret(`${base}.key`, pair.keyPem), secret(`${base}.pub`, pair.publicKeyPem)];
}

function textOf(values: Values, base: string): string {
  const text = values[base];
  if (typeof text !== 'string') throw new Error(`internal error: no bundle ${base}`);
  return text;
}

function secret(name: string, contents: string): NodeFile {
  return { path: `${folder}/${name}`, mode: 0o600, contents };
}
