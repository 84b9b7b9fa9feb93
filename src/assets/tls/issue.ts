import { sha256 } from '../../formats/sha256.js';
import type { Context, Draws } from '../../graph/context.js';
import {
  certificatePem,
  draftCertificate,
  readCertificateKey,
  signDraft,
  type CertificateContents,
} from '../../formats/x509.js';
import type { InstallConfig } from '../config/install-config-model.js';
import type { SnoConfig } from '../config/sno-config-model.js';
import type { LeafEntry, Lifetime, SignerEntry } from './catalog.js';
import { drawKey } from './draw-key.js';
import type { CertifiedKey } from './certified-key.js';

/** Issues a self-signed certificate authority. */
export async function issueSigner(
  base: string,
  entry: SignerEntry,
  { sno, context }: { readonly sno: SnoConfig; readonly context: Context },
): Promise<CertifiedKey> {
  const keyPem = await drawKey(`tls/${base}`, sno.certificates.keyAlgorithm, context.draws);
  const key = readCertificateKey(keyPem);
  const contents: CertificateContents = {
    subject: entry.subject,
    issuer: entry.subject,
    subjectKey: key,
    issuerKey: key,
    ...validity(entry.lifetime, sno, context.now),
    isCa: true,
    hasKeyUsage: true,
    extendedUsages: [],
    hostnames: [],
  };
  const certPem = await issue(contents, context.draws);
  return certified(contents, { keyPem, certPem, chainPem: certPem });
}

/** Issues a leaf certificate, which never outlives its signer. */
export async function issueLeaf(
  base: string,
  entry: LeafEntry,
  given: {
    readonly signer: CertifiedKey;
    readonly config: InstallConfig;
    readonly sno: SnoConfig;
    readonly context: Context;
  },
): Promise<CertifiedKey> {
  const { signer, config, sno, context } = given;
  const { notBefore, notAfter } = validity(entry.lifetime, sno, context.now);
  const keyPem = await drawKey(`tls/${base}`, sno.certificates.keyAlgorithm, context.draws);
  const contents: CertificateContents = {
    subject: entry.subject,
    issuer: signer.subject,
    subjectKey: readCertificateKey(keyPem),
    issuerKey: signer.key,
    notBefore,
    notAfter: notAfter < signer.notAfter ? notAfter : signer.notAfter,
    isCa: false,
    hasKeyUsage: entry.omitsKeyUsage !== true,
    extendedUsages: entry.usages,
    hostnames: entry.hostnames?.(config) ?? [],
  };
  const certPem = await issue(contents, context.draws);
  const chainPem = entry.appendsSigner === true ? `${certPem}${signer.certPem}` : certPem;
  return certified(contents, { keyPem, certPem, chainPem });
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
  if (!draft.isRandomised) return certificatePem(draft, await signDraft(draft, contents.issuerKey));
  const label = `signature/${sha256(draft.toBeSigned)}`;
  const signature = await draws.once(label, async () =>
    (await signDraft(draft, contents.issuerKey)).toString('base64'),
  );
  return certificatePem(draft, Buffer.from(signature, 'base64'));
}

const daySeconds = 24 * 60 * 60;

/** Ten years without leap days. Source: openshift/installer pkg/asset/tls, ValidityTenYears */
const tenYearsSeconds = 3650 * daySeconds;
const oneYearSeconds = 365 * daySeconds;

function validity(
  lifetime: Lifetime,
  sno: SnoConfig,
  now: Date,
): { readonly notBefore: Date; readonly notAfter: Date } {
  const { backdateSeconds, validitySeconds } = sno.certificates;
  const seconds = {
    live: validitySeconds,
    'one-year': Math.max(oneYearSeconds, validitySeconds),
    'ten-years': Math.max(tenYearsSeconds, validitySeconds),
  }[lifetime];
  return { notBefore: later(now, -backdateSeconds), notAfter: later(now, seconds) };
}

function later(time: Date, seconds: number): Date {
  return new Date(time.getTime() + seconds * 1000);
}
