import { spawnSync } from 'node:child_process';
import { createHash, X509Certificate } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { scratchFolder } from './scratch.js';

/**
 * Environment for programs that run openssl. At each start it loads all CA certificates of the system, which takes four times
 * as long as the test's operation; none of them is needed. Source: openssl-env(7)
 */
export const withoutSystemTrust = { SSL_CERT_FILE: '/dev/null' } as const;

/** Runs openssl with `input` on its standard input. */
export function openssl(
  args: readonly string[],
  input = '',
): { readonly code: number | null; readonly stdout: string; readonly stderr: string } {
  const { status, stdout, stderr } = spawnSync('openssl', args, {
    input,
    encoding: 'utf8',
    env: { ...process.env, ...withoutSystemTrust },
  });
  return { code: status, stdout, stderr };
}

/** True if openssl accepts a certificate issued by this CA, a day after the clock of the tests. */
export function verifies(certPem: string, caPem: string, purpose: string): boolean {
  const folder = scratchFolder();
  const [ca, cert] = [join(folder, 'ca.crt'), join(folder, 'subject.crt')];
  writeFileSync(ca, caPem);
  writeFileSync(cert, certPem);
  const at = String(Date.parse('2026-01-03T00:00:00Z') / 1000);
  return openssl(['verify', '-attime', at, '-purpose', purpose, '-CAfile', ca, cert]).code === 0;
}

/** The fields that openssl reads in a certificate. Absent fields are empty. */
export interface CertificateSummary {
  readonly subject: string;
  readonly issuer: string;
  readonly notBefore: string;
  readonly notAfter: string;
  readonly signature: string;
  /** Extensions in the order of the certificate. Critical ones are marked. */
  readonly extensions: readonly string[];
  readonly usage: string;
  readonly extendedUsage: string;
  readonly constraints: string;
  readonly names: string;
  readonly subjectKey: string;
  readonly authorityKey: string;
}

export function summaryOf(certPem: string): CertificateSummary {
  const { stdout } = openssl(
    ['x509', '-noout', '-text', '-nameopt', 'RFC2253,sep_comma_plus_space'],
    certPem,
  );
  const field = (label: string): string => new RegExp(`${label} ?: (.*)`).exec(stdout)?.[1] ?? '';
  const extension = (label: string): string =>
    new RegExp(`X509v3 ${label}: ?(?:critical)?\\s*\\n +(.*)`).exec(stdout)?.[1]?.trim() ?? '';
  return {
    subject: field('Subject'),
    issuer: field('Issuer'),
    notBefore: field('Not Before'),
    notAfter: field('Not After'),
    signature: field('Signature Algorithm'),
    extensions: [...stdout.matchAll(/X509v3 ([^:\n]+): *(critical)?\s*\n/g)]
      .filter(([, name]) => name !== 'extensions')
      .map(([, name = '', weight]) => (weight === undefined ? name : `${name} (critical)`)),
    usage: extension('Key Usage'),
    extendedUsage: extension('Extended Key Usage'),
    constraints: extension('Basic Constraints'),
    names: extension('Subject Alternative Name'),
    subjectKey: extension('Subject Key Identifier'),
    authorityKey: extension('Authority Key Identifier'),
  };
}

/** ASN.1 types and values of the strings and times in a certificate, in order, without their nesting. */
export function textsOf(certPem: string): readonly string[] {
  const { stdout } = openssl(['asn1parse'], certPem);
  return [...stdout.matchAll(/prim: +(\w+STRING|UTCTIME|GENERALIZEDTIME) +:(.*)/g)]
    .filter(([, type]) => type !== 'OCTETSTRING')
    .map(([, type = '', value = '']) => `${type} ${value.trim()}`);
}

/** A P-256 key and a self-signed certificate for 127.0.0.1, as PEM and in files. */
export interface SelfSigned {
  readonly key: string;
  readonly cert: string;
  readonly keyPath: string;
  readonly certPath: string;
  /** SHA-256 of the certificate in lower-case hex. */
  readonly fingerprint: string;
}

export function selfSigned(): SelfSigned {
  const folder = scratchFolder();
  const [keyPath, certPath] = [join(folder, 'tls.key'), join(folder, 'tls.crt')];
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
  const names = ['-subj', '/CN=server', '-addext', 'subjectAltName=IP:127.0.0.1', '-days', '1'];
  openssl(['req', '-x509', ...kind, '-keyout', keyPath, '-out', certPath, ...names]);
  const [key, cert] = [readFileSync(keyPath, 'utf8'), readFileSync(certPath, 'utf8')];
  const fingerprint = createHash('sha256').update(new X509Certificate(cert).raw).digest('hex');
  return { key, cert, keyPath, certPath, fingerprint };
}
