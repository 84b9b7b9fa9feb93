import { X509Certificate } from 'node:crypto';

import { drawsOver } from '../../run/effects/draws.js';
import { privateKeyOf } from '../../formats/keys/private-key.js';
import { certificateKey } from '../../formats/keys/x509.js';
import type { CertifiedKey, Issuer } from '../../pki/certified-key.js';
import { issuePair } from '../../pki/issue-pair.js';
import type { ServingState } from './serving-state.js';

const dayMs = 24 * 60 * 60 * 1000;
/** Clocks of controllers that have lost their battery are behind by hours at least. */
const backdatedMs = dayMs;
const authorityDays = 3650;
/** What clients take of a server whose authority they were told to trust. Source: support.apple.com/103769, "825 days or fewer" */
const serverDays = 825;

/** RSA, since firmware that boots over the network may know nothing else. */
const keyAlgorithm = 'RSA-2048';

/** The names that these certificates bear. */
const authorityName = { commonName: 'sno-install serve' };

/** An authority for certificates of servers, with a key that is drawn. */
export async function makeServingAuthority(now: Date): Promise<ServingState['authority']> {
  const { keyPem, certPem } = await issuePair(
    {
      label: 'serving/authority',
      subject: authorityName,
      isCa: true,
      ...windowFrom(now, authorityDays),
    },
    { keyAlgorithm, draws: drawsOver({}).draws },
  );
  return { keyPem, certPem };
}

/** A certificate for a server of these names and addresses, with a key that is drawn and kept nowhere. */
export function issueServerCertificate(
  { keyPem, certPem }: ServingState['authority'],
  { hostnames, now }: { readonly hostnames: readonly string[]; readonly now: Date },
): Promise<CertifiedKey> {
  const x509 = new X509Certificate(certPem);
  const signer: Issuer = {
    certPem,
    key: certificateKey(privateKeyOf(keyPem)),
    subject: authorityName,
    notBefore: new Date(x509.validFrom),
    notAfter: new Date(x509.validTo),
  };
  return issuePair(
    {
      label: 'serving/server',
      subject: { commonName: hostnames[0] ?? 'sno-install serve' },
      signer,
      ...windowFrom(now, serverDays),
      usages: ['serverAuth'],
      hostnames,
      appendsSigner: true,
    },
    { keyAlgorithm, draws: drawsOver({}).draws },
  );
}

/** SHA-256 of a certificate as `openssl x509 -fingerprint -sha256` writes it. */
export function fingerprintOf(certPem: string): string {
  return new X509Certificate(certPem).fingerprint256;
}

function windowFrom(now: Date, days: number): { readonly notBefore: Date; readonly notAfter: Date } {
  const start = Math.floor(now.getTime() / 1000) * 1000;
  return { notBefore: new Date(start - backdatedMs), notAfter: new Date(start + days * dayMs) };
}
