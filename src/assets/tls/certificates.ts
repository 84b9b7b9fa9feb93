import { clusterDomain } from '../../config/cluster-domain.js';
import { mapRecord } from '../../core/map-record.js';
import { authorizedKey } from '../../formats/keys/openssh.js';
import { keyPairPem } from '../../formats/keys/private-key.js';
import { defineAsset, type Asset } from '../../graph/asset.js';
import { networksOf } from '../../manifests/cluster-networks.js';
import type { CertifiedKey } from '../../pki/certified-key.js';
import { generateKey } from '../../pki/generate-key.js';
import { type BundleName, bundleCatalog } from '../../pki/installer-bundles.js';
import {
  leafCatalog,
  signerCatalog,
  type LeafEntry,
  type LeafName,
  type NameFacts,
  type SignerEntry,
  type SignerName,
} from '../../pki/installer-catalog.js';
import { issueLeaf, issueSigner } from '../../pki/issue-pair.js';
import { signerAlgorithm } from '../../config/signer-algorithm.js';
import { isReplaceable, issuerAbove } from '../../pki/authority/user-authority.js';
import { authority } from '../config/authority.js';
import { installConfig } from '../config/install-config.js';
import { release } from '../config/release.js';
import { snoConfig, snoReading } from '../config/sno-config.js';
import { network } from '../manifests/network.js';

/** Key algorithm of all CAs. */
export const signerKeys = defineAsset({
  name: 'tls/signer-algorithm',
  needs: { install: installConfig, release, sno: snoConfig, reading: snoReading },
  make: ({ install, release: { version }, sno, reading }) =>
    signerAlgorithm({
      install,
      version,
      // From the parsed config, so that `why` shows the field.
      given:
        reading.input.certificates?.keyAlgorithm === undefined ? undefined : sno.certificates.keyAlgorithm,
    }),
});

/** CAs by file base name: self-signed, or issued by the user's CA. */
export const signers: Readonly<Record<SignerName, Asset<CertifiedKey>>> = mapRecord<
  SignerName,
  SignerEntry,
  Asset<CertifiedKey>
>(signerCatalog, (entry, base) =>
  isReplaceable(base)
    ? defineAsset({
        name: `tls/${base}`,
        needs: { sno: snoConfig, keyAlgorithm: signerKeys, authority },
        make: ({ sno, keyAlgorithm, authority }, context) =>
          issueSigner(base, entry, { sno, keyAlgorithm, context, above: issuerAbove(base, authority) }),
      })
    : defineAsset({
        name: `tls/${base}`,
        needs: { sno: snoConfig, keyAlgorithm: signerKeys },
        make: ({ sno, keyAlgorithm }, context) => issueSigner(base, entry, { sno, keyAlgorithm, context }),
      }),
);

/** Cluster names for subject alternative names. */
export const certificateNames = defineAsset({
  name: 'tls/certificate-names',
  needs: { install: installConfig, network },
  make: ({ install, network }): NameFacts => ({
    domain: clusterDomain(install),
    serviceNetwork: networksOf(network).serviceNetwork,
  }),
});

/** Leaf certificates by file base name. */
export const leaves: Readonly<Record<LeafName, Asset<CertifiedKey>>> = mapRecord<
  LeafName,
  LeafEntry,
  Asset<CertifiedKey>
>(leafCatalog, (entry, base) =>
  defineAsset({
    name: `tls/${base}`,
    needs: { signer: signers[entry.signer], names: certificateNames, sno: snoConfig },
    make: ({ signer, names, sno }, context) => issueLeaf(base, entry, { signer, names, sno, context }),
  }),
);

/** CA bundles by file base name, PEM. */
export const bundles: Readonly<Record<BundleName, Asset<string>>> = mapRecord<
  BundleName,
  readonly SignerName[],
  Asset<string>
>(bundleCatalog, (members, base) =>
  defineAsset({
    name: `tls/${base}`,
    needs: Object.fromEntries(members.map((member) => [member, signers[member]])),
    make: (values) =>
      Object.values(values)
        .map(({ certPem }) => certPem)
        .join(''),
  }),
);

/** Key pair of service-account tokens; always RSA, independent of `certificates.keyAlgorithm`. */
export const serviceAccountKeyPair = defineAsset({
  name: 'tls/service-account',
  // Unused dependency: no key is generated while the config has errors.
  needs: { config: installConfig },
  make: async (_needs, { valueSource }) => {
    const key = await valueSource.rsaKey('tls/service-account', 2048);
    return keyPairPem(key);
  },
});

/** Generated SSH key of user core on the live system, for gathering logs. */
export const bootstrapSshKeyPair = defineAsset({
  name: 'tls/bootstrap-ssh',
  needs: { config: installConfig, sno: snoConfig },
  make: async ({ sno }, { valueSource }) => {
    const key = await generateKey('tls/bootstrap-ssh', sno.certificates.keyAlgorithm, valueSource);
    return { keyPem: key.pem, authorizedKey: authorizedKey(key) };
  },
});

/** Period in which all certificates are valid: from the latest notBefore to the earliest notAfter. */
export const bootWindow = defineAsset({
  name: 'tls/boot-window',
  needs: { ...signers, ...leaves },
  make: (values) => {
    const pairs = Object.values(values);
    return {
      notBefore: new Date(Math.max(...pairs.map(({ notBefore }) => notBefore.getTime()))),
      bootableUntil: new Date(Math.min(...pairs.map(({ notAfter }) => notAfter.getTime()))),
    };
  },
});
