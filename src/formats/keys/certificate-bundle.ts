import { X509Certificate } from 'node:crypto';

/** A certificate of a bundle with what matters of it as a trust anchor. */
export interface BundledCertificate {
  /** Line of its BEGIN marker in the bundle, from 0. */
  readonly textLine: number;
  readonly isCa: boolean;
  /** X.509 version: 3 for everything issued in this century, 1 for some private roots. */
  readonly version: number;
  /** Canonical, as in `BundleReading`: equal for equal certificates. */
  readonly pem: string;
}

/** What keeps a bundle from being used. */
export interface BundleFault {
  /** The line of the bundle it is about, from 0. */
  readonly textLine: number;
  /** The end of a sentence. */
  readonly fault: string;
}

/** Certificates of a PEM text in their order, with all that is wrong with it. */
export interface BundleReading {
  readonly certificates: readonly BundledCertificate[];
  readonly faults: readonly BundleFault[];
  /** The certificates in canonical PEM (RFC 7468 §3): 64 columns, nothing between them, a line break at the end. */
  readonly pem: string;
}

/**
 * Reads the certificates of a text (RFC 7468 §5.2 allows text before, between and after them, as extracted system bundles
 * have it). Lines may be indented. Faults are what nobody means to trust: other PEM, half certificates, no certificate.
 */
export function readCertificateBundle(text: string): BundleReading {
  const lines = text.split('\n').map((line) => line.trim());
  const blocks = blocksOf(lines);
  const read = blocks.certificates.map(({ body, textLine }) => readCertificate(body, textLine));
  const certificates = read.flatMap((each) => ('fault' in each ? [] : [each]));
  const first = lines.findIndex((line) => line !== '');
  const isWithout = read.length === 0 && blocks.faults.length === 0 && first !== -1;
  const faults = [
    ...blocks.faults,
    ...read.flatMap((each) => ('fault' in each ? [each] : [])),
    ...(isWithout ? [{ textLine: first, fault: 'it holds no certificate' }] : []),
  ];
  return {
    certificates,
    faults: faults.toSorted((left, right) => left.textLine - right.textLine),
    pem: certificates.map(({ pem }) => pem).join(''),
  };
}

const begin = '-----BEGIN CERTIFICATE-----';
const end = '-----END CERTIFICATE-----';

interface Block {
  readonly textLine: number;
  readonly body: string;
}

/** What stands between BEGIN and END lines. */
function blocksOf(lines: readonly string[]): {
  readonly certificates: readonly Block[];
  readonly faults: readonly BundleFault[];
} {
  const certificates: Block[] = [];
  const faults: BundleFault[] = [];
  let open: Block | undefined;
  const leaveOpen = ({ textLine }: Block): void =>
    void faults.push({ textLine, fault: 'it has no END line' });
  for (const [textLine, line] of lines.entries()) {
    const marker = [begin, end].find((each) => line.startsWith(each));
    if (marker !== undefined && marker !== line) faults.push({ textLine, fault: moreThan(marker, line) });
    if (marker === begin) {
      if (open) leaveOpen(open);
      open = { textLine, body: '' };
    } else if (open && marker === end) {
      certificates.push(open);
      open = undefined;
    } else if (open) {
      open = { ...open, body: open.body + line };
    } else if (marker === undefined || marker === line) {
      const fault = strayFault(line);
      if (fault !== undefined) faults.push({ textLine, fault });
    }
  }
  if (open) leaveOpen(open);
  return { certificates, faults };
}

/** Go takes such a line for none of PEM (encoding/pem, Decode). */
function moreThan(marker: string, line: string): string {
  const isComment = line.slice(marker.length).trimStart().startsWith('#');
  return `more than ${marker} stands on the line${isComment ? ': "#" begins no comment within a text' : ''}`;
}

/** What is wrong with a line outside of certificates, which may be any text but a line of PEM. */
function strayFault(line: string): string | undefined {
  if (line.includes('PRIVATE KEY'))
    return 'a private key stands in it, which belongs nowhere near a trust bundle';
  if (line.startsWith('-----BEGIN ')) return 'something other than a certificate stands in it';
  if (line === end) return 'it has no BEGIN line';
  return /(?:BEGIN|END) CERTIFICATE/.test(line) ? 'this is not quite a BEGIN or END line' : undefined;
}

function readCertificate(body: string, textLine: number): BundledCertificate | BundleFault {
  if (/^[. \u2026]*$/.test(body))
    return {
      textLine,
      fault: 'nothing stands between BEGIN and END, so the certificate is empty or a placeholder',
    };
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(body)) return { textLine, fault: 'it is not base64' };
  const der = Buffer.from(body, 'base64');
  try {
    const pem = [begin, ...(body.match(/.{1,64}/g) ?? []), end, ''].join('\n');
    return { textLine, isCa: new X509Certificate(der).ca, version: versionOf(der), pem };
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
