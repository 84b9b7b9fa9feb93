import { replaceableSigners, type ReplaceableSigner } from '../../config/schema/replaceable-signers.js';
import type { Issuer } from '../certified-key.js';
import { leafCatalog, type LeafEntry, type NameFacts, type SignerName } from '../installers-catalog.js';
import { signerRotators, type SignerRotator, type SignerRotatorName } from '../signer-rotators.js';

/** An authority of the user's, and which signers it issues. */
export interface UsersAuthority {
  readonly issuer: Issuer;
  readonly signs: readonly ReplaceableSigner[];
}

/** Whether a signer may stand below an authority of the user's. */
export function isReplaceable(signer: SignerName): boolean {
  return replaceableSigners.some((each) => each === signer);
}

/** What a signer stands below; undefined of one that signs itself. */
export function issuerAbove(
  signer: SignerName | undefined,
  authority: UsersAuthority | undefined,
): Issuer | undefined {
  return authority?.signs.some((each) => each === signer) === true ? authority.issuer : undefined;
}

/** What a signer proves to those who believe it: that servers are who they say, or clients. */
export type Proof = 'serverAuth' | 'clientAuth';

const leaves: readonly LeafEntry[] = Object.values(leafCatalog);

/** What the certificates below a signer prove. */
export function proofOf(signer: ReplaceableSigner): readonly Proof[] {
  // Kubelets are clients of kube-apiserver and servers to it.
  if (signer === 'kubelet-signer') return ['clientAuth', 'serverAuth'];
  return [...new Set(leaves.filter((leaf) => leaf.signer === signer).flatMap(({ usages }) => usages))];
}

/** The names of servers below some signers. */
export function hostnamesBelow(signers: readonly ReplaceableSigner[], facts: NameFacts): readonly string[] {
  const names = leaves
    .filter(({ signer }) => signers.some((each) => each === signer))
    .flatMap(({ hostnames }) => hostnames?.(facts) ?? []);
  return [...new Set(names)];
}

/** How many authorities stand below one that signs a signer, that signer among them. */
export function depthBelow(signer: ReplaceableSigner): number {
  // csr-signer stands below it. Source: signerRotators
  return signer === 'kubelet-signer' ? 2 : 1;
}

/** The signer of the installer's that a rotator stands for, if any. */
export function installersSigner(name: SignerRotatorName): SignerName | undefined {
  const { installers }: SignerRotator = signerRotators[name];
  return installers;
}
