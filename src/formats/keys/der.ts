/** DER encoder (X.690). Each value consists of tag, length and contents. */

export function sequence(...members: readonly Uint8Array[]): Buffer {
  return value(0x30, ...members);
}

/** A SET of one member, which needs no sorting. */
export function setOf(member: Uint8Array): Buffer {
  return value(0x31, member);
}

/** A value in a context-specific tag, such as `[0] EXPLICIT`. `tag` is at most 30. */
export function explicit(tag: number, member: Uint8Array): Buffer {
  return value(0xa0 | tag, member);
}

/** Bytes with a context-specific tag, such as `[2] IMPLICIT`. `tag` is at most 30. */
export function implicit(tag: number, bytes: Uint8Array): Buffer {
  return value(0x80 | tag, bytes);
}

/** A non-negative INTEGER from big-endian bytes, in the shortest encoding. */
export function unsignedInteger(bytes: Uint8Array): Buffer {
  return value(0x02, (bytes[0] ?? 0) >= 0x80 ? Buffer.of(0) : Buffer.alloc(0), bytes);
}

/** `unused` is the number of unused bits in the last byte. */
export function bitString(bytes: Uint8Array, unused = 0): Buffer {
  return value(0x03, Buffer.of(unused), bytes);
}

export function octetString(bytes: Uint8Array): Buffer {
  return value(0x04, bytes);
}

/** BOOLEAN true. False is always a default and therefore omitted. */
export const trueValue: Buffer = value(0x01, Buffer.of(0xff));

/** Parameters of an algorithm without parameters (RFC 3279 §2.3.1). */
export const nullValue: Buffer = value(0x05);

const objectIdentifiers = new Map<string, Buffer>();

/** OBJECT IDENTIFIER from dotted form; the result is cached. */
export function objectIdentifier(dotted: string): Buffer {
  const known = objectIdentifiers.get(dotted);
  if (known !== undefined) return known;
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  const encoded = value(0x06, Buffer.from([first * 40 + second, ...rest].flatMap(inBase128)));
  objectIdentifiers.set(dotted, encoded);
  return encoded;
}

/** PrintableString if its alphabet allows the text (X.680 §41.4), as in Go; otherwise UTF8String. */
export function directoryString(text: string): Buffer {
  const isPrintable = /^[A-Za-z0-9 '()+,./:=?-]*$/.test(text);
  return value(isPrintable ? 0x13 : 0x0c, Buffer.from(text));
}

/** RFC 5280 §4.1.2.5: UTCTime until 2049, GeneralizedTime from 2050. Whole seconds. */
export function time(date: Date): Buffer {
  const digits = date.toISOString().slice(0, 19).replace(/\D/g, '');
  return date.getUTCFullYear() < 2050
    ? value(0x17, Buffer.from(`${digits.slice(2)}Z`))
    : value(0x18, Buffer.from(`${digits}Z`));
}

/** Contents of the first value. Throws (internal error) if there is none. */
export function contentsOf(der: Uint8Array): Buffer {
  const { start, end } = extentOf(der);
  return Buffer.from(der.subarray(start, end));
}

/** Splits concatenated values; each keeps its tag and length. */
export function membersOf(contents: Uint8Array): readonly Buffer[] {
  const members: Buffer[] = [];
  for (let rest = contents; rest.length > 0;) {
    const { end } = extentOf(rest);
    members.push(Buffer.from(rest.subarray(0, end)));
    rest = rest.subarray(end);
  }
  return members;
}

function value(tag: number, ...contents: readonly Uint8Array[]): Buffer {
  const length = contents.reduce((sum, part) => sum + part.length, 0);
  return Buffer.concat([Buffer.of(tag, ...lengthBytes(length)), ...contents]);
}

/** X.690 §8.1.3: one byte below 128, otherwise the number of length bytes and these bytes. */
function lengthBytes(length: number): readonly number[] {
  if (length < 0x80) return [length];
  const bytes = bigEndian(length);
  return [0x80 | bytes.length, ...bytes];
}

function bigEndian(number: number): readonly number[] {
  return number < 0x100 ? [number] : [...bigEndian(Math.floor(number / 0x100)), number % 0x100];
}

/** X.690 §8.19.2: seven bits per byte, the top bit set in all but the last. */
function inBase128(number: number): readonly number[] {
  const above = Math.floor(number / 0x80);
  return above === 0 ? [number] : [...inBase128(above).map((byte) => byte | 0x80), number % 0x80];
}

function extentOf(der: Uint8Array): { readonly start: number; readonly end: number } {
  const first = der[1] ?? 0;
  const start = first < 0x80 ? 2 : 2 + (first & 0x7f);
  const length = first < 0x80 ? first : der.subarray(2, start).reduce((sum, byte) => sum * 0x100 + byte, 0);
  if (der.length < start + length) throw new Error('internal error: a DER value is cut off');
  return { start, end: start + length };
}
