import { X509Certificate } from 'node:crypto';

/** A certificate in a bundle, with the properties that matter for a trust anchor. */
export interface BundledCertificate {
  /** Line of its BEGIN marker in the bundle, from 0. */
  readonly textLine: number;
  readonly isCa: boolean;
  /** X.509 version: 3 for everything issued in this century, 1 for some private roots. */
  readonly version: number;
  /** Canonical PEM, as in `BundleReading`: equal for equal certificates. */
  readonly pem: string;
}

/** A fault that makes a bundle unusable. */
export interface BundleFault {
  /** Line in the bundle, from 0. */
  readonly textLine: number;
  /** The end of a sentence. */
  readonly fault: string;
}

/** Certificates of a PEM text in their order, and all its faults. */
export interface BundleReading {
  readonly certificates: readonly BundledCertificate[];
  readonly faults: readonly BundleFault[];
  /** The certificates in canonical PEM (RFC 7468 §3): 64 columns, no text between them, a line break at the end. */
  readonly pem: string;
}

/**
 * Reads the certificates of a text. RFC 7468 §5.2 allows text before, between and after them, as in system bundles.
 * Lines may be indented. Reports other PEM types, incomplete certificates, and a text without any certificate.
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

const startMarker = '-----BEGIN CERTIFICATE-----';
const end = '-----END CERTIFICATE-----';

interface Block {
  readonly textLine: number;
  readonly body: string;
}

/** Splits a text at its BEGIN and END lines. */
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
    const marker = [startMarker, end].find((each) => line.startsWith(each));
    if (marker !== undefined && marker !== line)
      faults.push({ textLine, fault: markerLineFault(marker, line) });
    if (marker === startMarker) {
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

/** Go does not recognize such a line as PEM (encoding/pem, Decode). */
function markerLineFault(marker: string, line: string): string {
  const isComment = line.slice(marker.length).trimStart().startsWith('#');
  return `${marker} is followed by text on the same line${isComment ? ': "#" starts a comment only outside of a string' : ''}`;
}

/** Fault of a line outside of certificates. Any text is allowed there except PEM markers. */
function strayFault(line: string): string | undefined {
  if (line.includes('PRIVATE KEY')) return 'it contains a private key, which must not be in a trust bundle';
  if (line.startsWith('-----BEGIN ')) return 'it contains something other than certificates';
  if (line === end) return 'it has no BEGIN line';
  return /(?:BEGIN|END) CERTIFICATE/.test(line) ? 'this is not a valid BEGIN or END line' : undefined;
}

function readCertificate(body: string, textLine: number): BundledCertificate | BundleFault {
  if (/^[. \u2026]*$/.test(body))
    return {
      textLine,
      fault: 'the certificate between BEGIN and END is empty',
    };
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(body)) return { textLine, fault: 'it is not base64' };
  const der = Buffer.from(body, 'base64');
  try {
    const pem = [startMarker, ...(body.match(/.{1,64}/g) ?? []), end, ''].join('\n');
    return { textLine, isCa: new X509Certificate(der).ca, version: versionOf(der), pem };
  } catch {
    return { textLine, fault: 'it is not an X.509 certificate' };
  }
}

/** RFC 5280 §4.1: Certificate ::= SEQ { tbs SEQ { [0] EXPLICIT version DEFAULT v1, … } }. */
function versionOf(der: Buffer): number {
  const inTbs = contentsOffset(der, contentsOffset(der, 0));
  return der[inTbs] === 0xa0 ? (der[inTbs + 4] ?? 0) + 1 : 1;
}

/** Offset of the contents of the DER value at `at` (X.690 §8.1.3). */
function contentsOffset(der: Buffer, at: number): number {
  const length = der[at + 1] ?? 0;
  return at + 2 + (length & 0x80 ? length & 0x7f : 0);
}
