import { replaceableSigners, type ReplaceableSigner } from '../../config/schema/replaceable-signers.js';
import type { Issuer } from '../certified-key.js';
import { leafCatalog, type LeafEntry, type NameFacts, type SignerName } from '../installer-catalog.js';
import { signerRotators, type SignerRotator, type SignerRotatorName } from '../signer-rotators.js';

/** A user-supplied CA and the signers that it issues. */
export interface UserAuthority {
  readonly issuer: Issuer;
  readonly signs: readonly ReplaceableSigner[];
}

/** True if a user-supplied CA may issue this signer. */
export function isReplaceable(signer: SignerName): boolean {
  return replaceableSigners.some((each) => each === signer);
}

/** The issuer of a signer; undefined if it is self-signed. */
export function issuerAbove(
  signer: SignerName | undefined,
  authority: UserAuthority | undefined,
): Issuer | undefined {
  return authority?.signs.some((each) => each === signer) === true ? authority.issuer : undefined;
}

/** Extended key usage of the leaf certificates below a signer. */
export type SignerUsage = 'serverAuth' | 'clientAuth';

const leaves: readonly LeafEntry[] = Object.values(leafCatalog);

export function signerUsages(signer: ReplaceableSigner): readonly SignerUsage[] {
  // kube-apiserver is the server for kubelets and also their client.
  if (signer === 'kubelet-signer') return ['clientAuth', 'serverAuth'];
  return [...new Set(leaves.filter((leaf) => leaf.signer === signer).flatMap(({ usages }) => usages))];
}

/** The host names of all server certificates below these signers. */
export function hostnamesBelow(signers: readonly ReplaceableSigner[], facts: NameFacts): readonly string[] {
  const names = leaves
    .filter(({ signer }) => signers.some((each) => each === signer))
    .flatMap(({ hostnames }) => hostnames?.(facts) ?? []);
  return [...new Set(names)];
}

/** Number of CAs below the issuer of a signer on the longest path to a leaf, including the signer. */
export function depthBelow(signer: ReplaceableSigner): number {
  // kubelet-signer issues csr-signer. Source: signerRotators
  return signer === 'kubelet-signer' ? 2 : 1;
}

/** The installer's signer that takes the place of a rotator, if any. */
export function installerSigner(name: SignerRotatorName): SignerName | undefined {
  const { installers }: SignerRotator = signerRotators[name];
  return installers;
}
