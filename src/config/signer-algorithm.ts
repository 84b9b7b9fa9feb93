import type { Finding } from './schema/rule.js';
import type { InstallConfig, InstallConfigInput } from './schema/install-config-schema.js';
import type { KeyAlgorithm } from './schema/sno-config-schema.js';
import type { Draft } from '../formats/field-schema.js';
import { servedVersion } from './served-version.js';
import type { ReleaseVersion } from '../release/release-version.js';
import { releases } from '../release/releases.js';

type SignerKey = NonNullable<
  NonNullable<NonNullable<Draft<InstallConfigInput>['pki']>['signerCertificates']>['key']
>;

/** Settings that determine the key algorithm of the CAs. */
export interface SignerSettings {
  readonly install: InstallConfig;
  readonly version: ReleaseVersion | undefined;
  /** `certificates.keyAlgorithm` of sno-config.yaml, if set. */
  readonly given: KeyAlgorithm | undefined;
}

/** Default of all signers with the feature ConfigurablePKI but without `pki`. Source: openshift/library-go pkg/pki/profile.go */
const profileDefault: KeyAlgorithm = 'RSA-4096';

/** Default without the feature. Source: openshift/installer pkg/asset/tls/tls.go */
const legacyDefault: KeyAlgorithm = 'RSA-2048';

/**
 * The key algorithm of all signers: from `pki`, else from `certificates.keyAlgorithm`, else the default of the
 * release and its feature set.
 * Source: openshift/installer pkg/types/pki/defaults.go EffectiveProfile, pkg/asset/tls/signerkey_params.go
 */
export function signerAlgorithm({ install, version, given }: SignerSettings): KeyAlgorithm {
  if (!readsPki(install, version)) return given ?? legacyDefault;
  const key = install.pki?.signerCertificates?.key;
  return (key && keyAlgorithmOf(key)) ?? given ?? profileDefault;
}

/** The algorithm of a key of `pki`; undefined if sno-install cannot generate such a key. */
export function keyAlgorithmOf({ algorithm, rsa, ecdsa }: SignerKey): KeyAlgorithm | undefined {
  const name = algorithm === 'ECDSA' ? `ECDSA-${ecdsa?.curve ?? ''}` : `RSA-${rsa?.keySize ?? ''}`;
  return generated.find((each) => each === name);
}

const generated: readonly KeyAlgorithm[] = ['RSA-2048', 'RSA-3072', 'RSA-4096', 'ECDSA-P256', 'ECDSA-P384'];

/** Reports `pki` for a release that does not support it or without the feature gate. */
export function pkiFindings(
  install: InstallConfig,
  input: Draft<InstallConfigInput>,
  version: ReleaseVersion | undefined,
): readonly Finding[] {
  if (input.pki === undefined || readsPki(install, version)) return [];
  const since = releases.firstWith(({ pki }) => pki !== undefined).version.text;
  const finding = { code: 'config/pki' as const, path: ['pki'] };
  if (version === undefined) {
    const message = `pki needs release ${since} or later, and the release version is unknown`;
    return [{ ...finding, message, hint: 'set releaseVersion in sno-config.yaml' }];
  }
  // Rule 57 reports a missing feature gate.
  if (releases.like(version).pki !== undefined) return [];
  const message = `release ${version.text} does not support pki`;
  const hint = `remove it, or install ${since} or later; certificates.keyAlgorithm of sno-config.yaml sets the keys of the installation`;
  return [{ ...finding, message, hint }];
}

function readsPki(install: InstallConfig, version: ReleaseVersion | undefined): boolean {
  return version !== undefined && servedVersion(releases.like(version).pki, install) !== undefined;
}
