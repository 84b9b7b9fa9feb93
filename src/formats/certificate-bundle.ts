import { X509Certificate } from 'node:crypto';

/** A certificate of a bundle with what matters of it as a trust anchor. */
export interface BundledCertificate {
  /** Line of its BEGIN marker in the bundle, from 0. */
  readonly textLine: number;
  readonly isCa: boolean;
  /** X.509 version: 3 for everything issued in this century, 1 for some private roots. */
  readonly version: number;
}

export interface BundleFault {
  /** The line of the bundle it is about, from 0. */
  readonly textLine: number;
  /** The end of a sentence. */
  readonly fault: string;
}

export interface BundleReading {
  readonly certificates: readonly BundledCertificate[];
  readonly faults: readonly BundleFault[];
}

/** Reads concatenated PEM certificates (RFC 7468): nothing but certificates and empty lines may stand in the text. */
export function readCertificateBundle(pem: string): BundleReading {
  const certificates: BundledCertificate[] = [];
  const faults: BundleFault[] = [];
  let open: { textLine: number; body: string } | undefined;
  for (const [textLine, line] of pem
    .split('\n')
    .map((each) => each.trim())
    .entries()) {
    if (line === begin) {
      if (open) faults.push({ textLine: open.textLine, fault: 'it has no END line' });
      open = { textLine, body: '' };
    } else if (open && line === end) {
      const read = readCertificate(open.body, open.textLine);
      if ('fault' in read) faults.push(read);
      else certificates.push(read);
      open = undefined;
    } else if (open) {
      open.body += line;
    } else if (line !== '') {
      faults.push({ textLine, fault: strayLine(line) });
    }
  }
  if (open) faults.push({ textLine: open.textLine, fault: 'it has no END line' });
  return { certificates, faults };
}

const begin = '-----BEGIN CERTIFICATE-----';
const end = '-----END CERTIFICATE-----';

function strayLine(line: string): string {
  if (line.includes('PRIVATE KEY'))
    return 'a private key stands in it, which belongs nowhere near a trust bundle';
  if (line.startsWith('-----BEGIN ')) return 'something other than a certificate stands in it';
  return 'text stands outside of the BEGIN and END lines';
}

function readCertificate(body: string, textLine: number): BundledCertificate | BundleFault {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(body)) return { textLine, fault: 'it is not base64' };
  const der = Buffer.from(body, 'base64');
  try {
    return { textLine, isCa: new X509Certificate(der).ca, version: versionOf(der) };
  } catch {
    return { textLine, fault: 'it is not an X.509 certificate' };
  }
}

/** RFC 5280 §4.1: Certificate ::= SEQ { tbs SEQ { [0] EXPLICIT version DEFAULT v1, … } }. */
function versionOf(der: Buffer): number {
  const inTbs = contentStart(der, contentStart(der, 0));
  return der[inTbs] === 0xa0 ? (der[inTbs + 4] ?? 0) + 1 : 1;
}

/** Where the contents of the DER value at an offset begin (X.690 §8.1.3). */
function contentStart(der: Buffer, at: number): number {
  const length = der[at + 1] ?? 0;
  return at + 2 + (length & 0x80 ? length & 0x7f : 0);
}
