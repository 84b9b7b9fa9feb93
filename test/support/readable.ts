import { createHash, createPrivateKey, createPublicKey, X509Certificate, type KeyObject } from 'node:crypto';

/**
 * A text as a person reviews it: certificates by what they say, keys by type and fingerprint, base64 by what is in it,
 * password hashes by name. Never a private key.
 */
export function readable(text: string): string {
  return text
    .replaceAll(pemBlock, (block, label: string) => `<${summaryOf(label, block)}>`)
    .replaceAll(/[A-Za-z0-9+/]{40,}={0,2}/g, (token) => textInBase64(token) ?? token)
    .replaceAll(/\$2[aby]\$\d\d\$[A-Za-z0-9./]{53}/g, '<bcrypt hash>');
}

/** A PEM block whose lines may be indented, as in YAML, or parted by `\n`, as in JSON. */
const pemBlock =
  /-----BEGIN ([A-Z ]+)-----(?:(?:\s|\\n)+[A-Za-z0-9+/=]+)+(?:\s|\\n)+-----END \1-----(?:\\n)?/g;

function summaryOf(label: string, block: string): string {
  const pem = `${block
    .replaceAll('\\n', '\n')
    .replaceAll(/^[ \t]+/gm, '')
    .trim()}\n`;
  if (label === 'CERTIFICATE') return certificateSummary(new X509Certificate(pem));
  if (label.endsWith('PRIVATE KEY'))
    return `private key ${keySummary(createPublicKey(createPrivateKey(pem)))}`;
  if (label.endsWith('PUBLIC KEY')) return `public key ${keySummary(createPublicKey(pem))}`;
  return label.toLowerCase();
}

function certificateSummary(certificate: X509Certificate): string {
  const facts = [
    `certificate ${oneLine(certificate.subject)}`,
    certificate.issuer === certificate.subject ? 'self-signed' : `issuer ${oneLine(certificate.issuer)}`,
    ...(certificate.ca ? ['CA'] : []),
    `key ${keySummary(certificate.publicKey)}`,
    `${isoTime(certificate.validFrom)} to ${isoTime(certificate.validTo)}`,
    `usage ${keyUsages(certificate.raw).join('+') || 'any'}`,
    ...extendedUsages(certificate),
    ...(certificate.subjectAltName === undefined ? [] : [`names ${certificate.subjectAltName}`]),
  ];
  return facts.join('; ');
}

function oneLine(name: string): string {
  return name.replaceAll('\n', ', ');
}

function isoTime(text: string): string {
  return new Date(text).toISOString().replace('.000Z', 'Z');
}

/** Type and size, and the start of the SHA-256 of the public key, by which a pair can be recognised. */
function keySummary(publicKey: KeyObject): string {
  const details = publicKey.asymmetricKeyDetails;
  const size = details?.modulusLength ?? details?.namedCurve ?? '';
  const der = publicKey.export({ type: 'spki', format: 'der' });
  return `${publicKey.asymmetricKeyType}-${size} ${createHash('sha256').update(der).digest('hex').slice(0, 8)}`;
}

/** Bit names in order. Source: RFC 5280 §4.2.1.3. */
const usageBits = [
  'digitalSignature',
  'nonRepudiation',
  'keyEncipherment',
  'dataEncipherment',
  'keyAgreement',
  'keyCertSign',
  'cRLSign',
];

/** Of extension 2.5.29.15, which node:crypto does not show: OID, perhaps critical, then a bit string in an octet string. */
function keyUsages(der: Buffer): readonly string[] {
  const at = der.indexOf(Buffer.from('0603551d0f', 'hex'));
  if (at === -1) return [];
  const bitString = der.indexOf(Buffer.from([0x03]), der.indexOf(Buffer.from([0x04]), at + 5));
  const bits = der[bitString + 3] ?? 0;
  return usageBits.filter((_name, index) => (bits & (0x80 >> index)) !== 0);
}

/** Source: RFC 5280 §4.2.1.12. */
const extendedUsageNames: Readonly<Record<string, string>> = {
  '1.3.6.1.5.5.7.3.1': 'server',
  '1.3.6.1.5.5.7.3.2': 'client',
};

function extendedUsages({ keyUsage }: { readonly keyUsage?: readonly string[] }): readonly string[] {
  return keyUsage ? [`for ${keyUsage.map((oid) => extendedUsageNames[oid] ?? oid).join('+')}`] : [];
}

/** What a base64 token holds, when it is text. */
function textInBase64(token: string): string | undefined {
  const text = Buffer.from(token, 'base64').toString('utf8');
  const isText = token.length % 4 === 0 && /^[\t\n\r\u0020-\u007e\u00a0-\ufffc]*$/.test(text);
  return isText ? `<base64 of ${readable(text)}>` : undefined;
}
