import type { KeyAlgorithm, SnoConfig } from '../config/schema/sno-config-schema.js';
import {
  certificateKey,
  certificatePem,
  draftCertificate,
  type CertificateContents,
  type DistinguishedName,
  type ExtendedUsage,
} from '../formats/keys/x509.js';
import { sha256 } from '../formats/sha256.js';
import type { Context, ValueSource } from '../graph/context.js';
import type { CertifiedKey, Issuer } from './certified-key.js';
import { generateKey } from './generate-key.js';
import type { LeafEntry, NameFacts, SignerEntry } from './installer-catalog.js';
import { validity } from './validity.js';

/** Issues a CA; self-signed unless `above` is given. */
export function issueSigner(
  base: string,
  entry: SignerEntry,
  {
    sno,
    keyAlgorithm,
    context,
    above,
  }: {
    readonly sno: SnoConfig;
    readonly keyAlgorithm: KeyAlgorithm;
    readonly context: Context;
    readonly above?: Issuer | undefined;
  },
): Promise<CertifiedKey> {
  return issuePair(
    {
      label: `tls/${base}`,
      subject: entry.subject,
      ...(above && { signer: above, isOfServers: entry.isOfServers === true }),
      isCa: true,
      ...validity(entry.lifetime, sno, context.now),
    },
    { keyAlgorithm, valueSource: context.valueSource },
  );
}

/** Issues a leaf certificate; its notAfter is at most that of its signer. */
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
    { keyAlgorithm: sno.certificates.keyAlgorithm, valueSource: context.valueSource },
  );
}

/** Parameters of a pair. Absent fields mean false or empty; without a signer the certificate is self-signed. */
export interface CertificateSpec {
  /** Label of the key among the generated values. */
  readonly label: string;
  readonly subject: DistinguishedName;
  readonly signer?: Issuer;
  readonly notBefore: Date;
  readonly notAfter: Date;
  /** For an intermediate CA: it signs server certificates, and those servers must send the CAs above it. */
  readonly isOfServers?: boolean;
  readonly isCa?: boolean;
  /** The certificate has a keyUsage extension; true by default. */
  readonly hasKeyUsage?: boolean;
  readonly usages?: readonly ExtendedUsage[];
  readonly hostnames?: readonly string[];
  /** `chainPem` ends with the signer's certificate. */
  readonly appendsSigner?: boolean;
}

/** Generates the key and issues its certificate. notAfter is at most that of the signer; notBefore of a CA is at least that of its signer. */
export async function issuePair(
  pair: CertificateSpec,
  { keyAlgorithm, valueSource }: { readonly keyAlgorithm: KeyAlgorithm; readonly valueSource: ValueSource },
): Promise<CertifiedKey> {
  const { subject, signer, notAfter, isCa = false } = pair;
  const privateKey = await generateKey(pair.label, keyAlgorithm, valueSource);
  const key = certificateKey(privateKey);
  const contents: CertificateContents = {
    subject,
    issuer: signer?.subject ?? subject,
    subjectKey: key,
    issuerKey: signer?.key ?? key,
    notBefore:
      isCa && signer !== undefined && signer.notBefore > pair.notBefore ? signer.notBefore : pair.notBefore,
    notAfter: signer !== undefined && signer.notAfter < notAfter ? signer.notAfter : notAfter,
    isCa,
    hasKeyUsage: pair.hasKeyUsage ?? true,
    extendedUsages: pair.usages ?? [],
    hostnames: pair.hostnames ?? [],
  };
  const certPem = await issue(contents, valueSource);
  const shown = `${signer?.certPem ?? ''}${signer?.abovePem ?? ''}`;
  // Clients that trust only the root need every certificate below it; the root itself is omitted.
  const abovePem = pair.isOfServers === true ? (signer?.abovePem === undefined ? '' : shown) : undefined;
  return certified(contents, {
    keyPem: privateKey.pem,
    certPem,
    chainPem: `${certPem}${pair.appendsSigner === true ? shown : (abovePem ?? '')}`,
    ...(abovePem !== undefined && { abovePem }),
  });
}

function certified(
  contents: CertificateContents,
  texts: Pick<CertifiedKey, 'keyPem' | 'certPem' | 'chainPem' | 'abovePem'>,
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

/** Randomized signatures are stored by the hash of the signed bytes, so that later runs produce the same certificate. */
async function issue(contents: CertificateContents, valueSource: ValueSource): Promise<string> {
  const draft = draftCertificate(contents);
  const sign = (): Promise<Buffer> => contents.issuerKey.privateKey.sign(draft.toBeSigned);
  if (!draft.isRandomised) return certificatePem(draft, await sign());
  const label = `signature/${sha256(draft.toBeSigned)}`;
  const signature = await valueSource.once(label, /^[A-Za-z0-9+/]+=*$/, async () =>
    (await sign()).toString('base64'),
  );
  return certificatePem(draft, Buffer.from(signature, 'base64'));
}
