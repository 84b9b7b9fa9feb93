import { clusterDomain } from '../../config/cluster-domain.js';
import { mapRecord } from '../../core/map-record.js';
import { authorizedKey } from '../../formats/keys/openssh.js';
import { publicKeyPem } from '../../formats/keys/private-key.js';
import { defineAsset, type Asset } from '../../graph/asset.js';
import { networksOf } from '../../manifests/cluster-networks.js';
import type { CertifiedKey } from '../../pki/certified-key.js';
import { drawKey } from '../../pki/draw-key.js';
import { type BundleName, bundleCatalog } from '../../pki/installers-bundles.js';
import {
  leafCatalog,
  signerCatalog,
  type LeafEntry,
  type LeafName,
  type NameFacts,
  type SignerEntry,
  type SignerName,
} from '../../pki/installers-catalog.js';
import { issueLeaf, issueSigner } from '../../pki/issue-pair.js';
import { signerAlgorithm } from '../../config/signer-algorithm.js';
import { isReplaceable, issuerAbove } from '../../pki/authority/signers-below.js';
import { authority } from '../config/authority.js';
import { installConfig } from '../config/install-config.js';
import { release } from '../config/release.js';
import { snoConfig, snoReading } from '../config/sno-config.js';
import { network } from '../manifests/network.js';

/** The algorithm of the keys of every certificate authority. */
export const signerKeys = defineAsset({
  name: 'tls/signer-algorithm',
  needs: { install: installConfig, release, sno: snoConfig, reading: snoReading },
  make: ({ install, release: { version }, sno, reading }) =>
    signerAlgorithm({
      install,
      version,
      // Read from the config where the user gave one, so that `why` names the field.
      given:
        reading.input.certificates?.keyAlgorithm === undefined ? undefined : sno.certificates.keyAlgorithm,
    }),
});

/** Every certificate authority, by file base: self-signed, or below the user's. */
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

/** The names of the cluster that certificates hold. */
const certificateNames = defineAsset({
  name: 'tls/certificate-names',
  needs: { install: installConfig, network },
  make: ({ install, network }): NameFacts => ({
    domain: clusterDomain(install),
    serviceNetwork: networksOf(network).serviceNetwork,
  }),
});

/** Every leaf certificate, by file base. */
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

/** Every bundle of certificates, PEM, by file base. */
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

/** What signs and verifies service-account tokens; RSA whatever the algorithm of the certificates. */
export const serviceAccountKeyPair = defineAsset({
  name: 'tls/service-account',
  // The config is not read: nothing is drawn while it has problems.
  needs: { config: installConfig },
  make: async (_needs, { draws }) => {
    const key = await draws.rsaKey('tls/service-account', 2048);
    return { keyPem: key.pem, publicKeyPem: publicKeyPem(key) };
  },
});

/** A key of ours for user core of the live system, for gathering logs. */
export const bootstrapSshKeyPair = defineAsset({
  name: 'tls/bootstrap-ssh',
  needs: { config: installConfig, sno: snoConfig },
  make: async ({ sno }, { draws }) => {
    const key = await drawKey('tls/bootstrap-ssh', sno.certificates.keyAlgorithm, draws);
    return { keyPem: key.pem, authorizedKey: authorizedKey(key) };
  },
});

/** When every certificate holds: from the latest beginning to the earliest end. */
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
