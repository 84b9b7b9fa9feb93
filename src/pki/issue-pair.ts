import type { KeyAlgorithm, SnoConfig } from '../fields/sno-config-model.js';
import {
  certificateKey,
  certificatePem,
  draftCertificate,
  type CertificateContents,
  type DistinguishedName,
  type ExtendedUsage,
} from '../formats/keys/x509.js';
import { sha256 } from '../formats/sha256.js';
import type { Context, Draws } from '../graph/context.js';
import type { CertifiedKey } from './certified-key.js';
import { drawKey } from './draw-key.js';
import type { LeafEntry, NameFacts, SignerEntry } from './installers-catalog.js';
import { validity } from './validity.js';

/** Issues a self-signed certificate authority. */
export function issueSigner(
  base: string,
  entry: SignerEntry,
  { sno, context }: { readonly sno: SnoConfig; readonly context: Context },
): Promise<CertifiedKey> {
  return issuePair(
    {
      label: `tls/${base}`,
      subject: entry.subject,
      isCa: true,
      ...validity(entry.lifetime, sno, context.now),
    },
    { keyAlgorithm: sno.certificates.keyAlgorithm, draws: context.draws },
  );
}

/** Issues a leaf certificate, which never outlives its signer. */
export function issueLeaf(
  base: string,
  entry: LeafEntry,
  given: {
    readonly signer: CertifiedKey;
    readonly names: NameFacts;
    readonly sno: SnoConfig;
    readonly context: Context;
  },
): Promise<CertifiedKey> {
  const { signer, names, sno, context } = given;
  return issuePair(
    {
      label: `tls/${base}`,
      subject: entry.subject,
      signer,
      ...validity(entry.lifetime, sno, context.now),
      hasKeyUsage: entry.omitsKeyUsage !== true,
      usages: entry.usages,
      hostnames: entry.hostnames?.(names) ?? [],
      appendsSigner: entry.appendsSigner === true,
    },
    { keyAlgorithm: sno.certificates.keyAlgorithm, draws: context.draws },
  );
}

/** A pair to issue. What is left out is false or empty; without a signer the certificate signs itself. */
export interface PairToIssue {
  /** Label of the key among the draws. */
  readonly label: string;
  readonly subject: DistinguishedName;
  readonly signer?: CertifiedKey;
  readonly notBefore: Date;
  readonly notAfter: Date;
  readonly isCa?: boolean;
  /** Whether the certificate carries the extension keyUsage; true when left out. */
  readonly hasKeyUsage?: boolean;
  readonly usages?: readonly ExtendedUsage[];
  readonly hostnames?: readonly string[];
  /** Whether `chainPem` ends with the signer's certificate. */
  readonly appendsSigner?: boolean;
}

/** Draws the key and issues its certificate, which never outlives its signer. */
export async function issuePair(
  pair: PairToIssue,
  { keyAlgorithm, draws }: { readonly keyAlgorithm: KeyAlgorithm; readonly draws: Draws },
): Promise<CertifiedKey> {
  const { subject, signer, notBefore, notAfter } = pair;
  const privateKey = await drawKey(pair.label, keyAlgorithm, draws);
  const key = certificateKey(privateKey);
  const contents: CertificateContents = {
    subject,
    issuer: signer?.subject ?? subject,
    subjectKey: key,
    issuerKey: signer?.key ?? key,
    notBefore,
    notAfter: signer !== undefined && signer.notAfter < notAfter ? signer.notAfter : notAfter,
    isCa: pair.isCa ?? false,
    hasKeyUsage: pair.hasKeyUsage ?? true,
    extendedUsages: pair.usages ?? [],
    hostnames: pair.hostnames ?? [],
  };
  const certPem = await issue(contents, draws);
  const appended = pair.appendsSigner === true ? (signer?.certPem ?? '') : '';
  return certified(contents, { keyPem: privateKey.pem, certPem, chainPem: `${certPem}${appended}` });
}

function certified(
  contents: CertificateContents,
  texts: Pick<CertifiedKey, 'keyPem' | 'certPem' | 'chainPem'>,
): CertifiedKey {
  return {
    ...texts,
    key: contents.subjectKey,
    subject: contents.subject,
    commonName: contents.subject.commonName,
    issuerCommonName: contents.issuer.commonName,
    hostnames: contents.hostnames,
    notBefore: contents.notBefore,
    notAfter: contents.notAfter,
  };
}

/** A signature that involves chance is drawn once and kept, by what it signs, so that the certificate stays the same. */
async function issue(contents: CertificateContents, draws: Draws): Promise<string> {
  const draft = draftCertificate(contents);
  const sign = (): Promise<Buffer> => contents.issuerKey.privateKey.sign(draft.toBeSigned);
  if (!draft.isRandomised) return certificatePem(draft, await sign());
  const label = `signature/${sha256(draft.toBeSigned)}`;
  const signature = await draws.once(label, /^[A-Za-z0-9+/]+=*$/, async () =>
    (await sign()).toString('base64'),
  );
  return certificatePem(draft, Buffer.from(signature, 'base64'));
}
