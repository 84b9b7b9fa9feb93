import { X509Certificate } from 'node:crypto';

import { generatedValues } from '../../run/effects/generated-values.js';
import { privateKeyOf } from '../../formats/keys/private-key.js';
import { certificateKey } from '../../formats/keys/x509.js';
import type { CertifiedKey, Issuer } from '../../pki/certified-key.js';
import { issuePair } from '../../pki/issue-pair.js';
import type { ServingState } from './serving-state.js';

const dayMs = 24 * 60 * 60 * 1000;
/** Clocks of controllers without a working battery can be hours or more behind. */
const backdatedMs = dayMs;
const authorityDays = 3650;
/**
 * The longest validity that clients accept for a privately trusted server certificate. Source: support.apple.com/103769, "825
 * days or fewer"
 */
const serverDays = 825;

/** RSA, because some network boot firmware supports nothing else. */
const keyAlgorithm = 'RSA-2048';

const authorityName = { commonName: 'sno-install serve' };

/** Creates a CA for server certificates with a new key. */
export async function makeServingAuthority(now: Date): Promise<ServingState['authority']> {
  const { keyPem, certPem } = await issuePair(
    {
      label: 'serving/authority',
      subject: authorityName,
      isCa: true,
      ...windowFrom(now, authorityDays),
    },
    { keyAlgorithm, valueSource: generatedValues({}).valueSource },
  );
  return { keyPem, certPem };
}

/** Issues a server certificate for the given names and addresses, with a new key that is not stored. */
export function issueServerCertificate(
  { keyPem, certPem }: ServingState['authority'],
  { hostnames, now }: { readonly hostnames: readonly string[]; readonly now: Date },
): Promise<CertifiedKey> {
  const x509 = new X509Certificate(certPem);
  const signer: Issuer = {
    certPem,
    key: certificateKey(privateKeyOf(keyPem.reveal())),
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
    { keyAlgorithm, valueSource: generatedValues({}).valueSource },
  );
}

/** The SHA-256 fingerprint in the format of `openssl x509 -fingerprint -sha256`. */
export function fingerprintOf(certPem: string): string {
  return new X509Certificate(certPem).fingerprint256;
}

function windowFrom(now: Date, days: number): { readonly notBefore: Date; readonly notAfter: Date } {
  const start = Math.floor(now.getTime() / 1000) * 1000;
  return { notBefore: new Date(start - backdatedMs), notAfter: new Date(start + days * dayMs) };
}
