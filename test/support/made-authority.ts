import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { openssl } from './openssl.js';
import { scratchFolder } from './scratch.js';

/** A certificate issued by openssl, and its key. */
export interface IssuedCertificate {
  readonly certPem: string;
  readonly keyPem: string;
}

/** Options of a certificate. */
export interface CertificateOptions {
  /** The issuer. Default: self-signed. */
  readonly by?: IssuedCertificate;
  readonly subject?: string;
  /** Lines of an extension section. Default: those of a valid CA. */
  readonly extensions?: readonly string[];
  /** Arguments of openssl-genpkey(1). */
  readonly key?: readonly string[];
  readonly digest?: string;
  /** YYYYMMDDHHMMSSZ. */
  readonly from?: string;
  readonly until?: string;
}

/** The extensions of a valid CA. */
export const authorityExtensions = [
  'basicConstraints = critical, CA:TRUE',
  'keyUsage = critical, keyCertSign, cRLSign',
  'subjectKeyIdentifier = hash',
];

const settings = `[ca]
database = index.txt
new_certs_dir = .
rand_serial = yes
unique_subject = no
policy = any
string_mask = utf8only
[any]
countryName = optional
organizationName = optional
organizationalUnitName = optional
commonName = optional
[req]
distinguished_name = name
[name]
`;

/** Issues a certificate with openssl. By default it is valid at the clock of the tests. */
export function issueCertificate({
  by,
  subject = '/C=DE/O=Example Corp/CN=Clusters',
  extensions = authorityExtensions,
  key = ['-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:P-256'],
  digest = 'sha256',
  from = '20250101000000Z',
  until = '20350101000000Z',
}: CertificateOptions = {}): IssuedCertificate {
  const folder = scratchFolder();
  const at = (name: string): string => join(folder, name);
  const keyPem = run(['genpkey', ...key]);
  const files = {
    'index.txt': '',
    settings: settings.replaceAll(/= (index\.txt|\.)$/gm, (_all, name: string) => `= ${at(name)}`),
    extensions: `[e]\n${extensions.join('\n')}\n`,
    key: keyPem,
    'signer.pem': by?.certPem ?? '',
    'signer.key': by?.keyPem ?? keyPem,
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(at(name), text, { mode: 0o600 });
  run(['req', '-new', '-key', at('key'), '-subj', subject, '-config', at('settings'), '-out', at('request')]);
  const signer = by === undefined ? ['-selfsign'] : ['-cert', at('signer.pem')];
  run([
    ...['ca', '-batch', '-notext', '-config', at('settings'), '-name', 'ca', ...signer],
    ...['-keyfile', at('signer.key'), '-md', digest, '-startdate', from, '-enddate', until, '-preserveDN'],
    ...['-extfile', at('extensions'), '-extensions', 'e', '-in', at('request'), '-out', at('certificate')],
  ]);
  return { certPem: readFileSync(at('certificate'), 'utf8'), keyPem };
}

function run(args: readonly string[]): string {
  const { code, stdout, stderr } = openssl(args);
  if (code !== 0) throw new Error(`openssl ${args[0] ?? ''} fails: ${stderr}`);
  return stdout;
}
