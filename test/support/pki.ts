import { bundles, leaves, serviceAccountKeyPair, signers } from '../../src/assets/tls/certificates.js';
import type { CertifiedKey } from '../../src/pki/certified-key.js';
import { tlsNodeFiles } from '../../src/assets/tls/node-files.js';
import { mapRecord } from '../../src/core/map-record.js';
import type { NodeFile } from '../../src/ignition/types.js';
import type { TestInputs } from './context.js';
import { resolveAssets } from './made-from.js';
import type { KeyPairPem } from '../../src/formats/keys/private-key.js';
import { minimalInstallConfig } from './minimal-config.js';

export interface Pki {
  readonly signers: Readonly<Record<keyof typeof signers, CertifiedKey>>;
  readonly leaves: Readonly<Record<keyof typeof leaves, CertifiedKey>>;
  readonly bundles: Readonly<Record<keyof typeof bundles, string>>;
  readonly serviceAccount: KeyPairPem;
  readonly nodeFiles: readonly NodeFile[];
}

/** Every certificate of a cluster. The config is the minimal one unless files replace it. */
export async function makePki(given: TestInputs = {}): Promise<Pki> {
  const files = { 'install-config.yaml': minimalInstallConfig, ...given.files };
  const { valueOf } = await resolveAssets([tlsNodeFiles], { ...given, files });
  return {
    signers: mapRecord(signers, (asset) => valueOf(asset)),
    leaves: mapRecord(leaves, (asset) => valueOf(asset)),
    bundles: mapRecord(bundles, (asset) => valueOf(asset)),
    serviceAccount: valueOf(serviceAccountKeyPair),
    nodeFiles: valueOf(tlsNodeFiles),
  };
}
