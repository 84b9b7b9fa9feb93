/** Values in DER (X.690), each the bytes of one value: tag, length, contents. */

/** Members one after another. */
export function sequence(...members: readonly Uint8Array[]): Buffer {
  return value(0x30, ...members);
}

/** A set of one member, which needs no order. */
export function setOf(member: Uint8Array): Buffer {
  return value(0x31, member);
}

/** A value that is tagged from outside, such as `[0] EXPLICIT`. `tag` is at most 30. */
export function explicit(tag: number, member: Uint8Array): Buffer {
  return value(0xa0 | tag, member);
}

/** Bytes under a tag of their context, such as `[2] IMPLICIT`. `tag` is at most 30. */
export function implicit(tag: number, bytes: Uint8Array): Buffer {
  return value(0x80 | tag, bytes);
}

/** A number that is not negative: big-endian, at least one byte, none of them in vain. */
export function unsignedInteger(bytes: Uint8Array): Buffer {
  return value(0x02, (bytes[0] ?? 0) >= 0x80 ? Buffer.of(0) : Buffer.alloc(0), bytes);
}

/** `unused` bits at the end of the last byte are none of the string's. */
export function bitString(bytes: Uint8Array, unused = 0): Buffer {
  return value(0x03, Buffer.of(unused), bytes);
}

/** An OCTET STRING of these bytes. */
export function octetString(bytes: Uint8Array): Buffer {
  return value(0x04, bytes);
}

/** `true`; `false` is always a default and left out. */
export const trueValue: Buffer = value(0x01, Buffer.of(0xff));

/** The parameters of an algorithm that has none (RFC 3279 §2.3.1). */
export const nullValue: Buffer = value(0x05);

const objectIdentifiers = new Map<string, Buffer>();

/** An object identifier in dotted form: one of the few that standards give, each encoded once. */
export function objectIdentifier(dotted: string): Buffer {
  const known = objectIdentifiers.get(dotted);
  if (known !== undefined) return known;
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  const encoded = value(0x06, Buffer.from([first * 40 + second, ...rest].flatMap(inBase128)));
  objectIdentifiers.set(dotted, encoded);
  return encoded;
}

/** PrintableString where its alphabet allows it (X.680 §41.4), as Go does; else UTF8String. */
export function directoryString(text: string): Buffer {
  const isPrintable = /^[A-Za-z0-9 '()+,./:=?-]*$/.test(text);
  return value(isPrintable ? 0x13 : 0x0c, Buffer.from(text));
}

/** RFC 5280 §4.1.2.5: UTCTime through 2049, GeneralizedTime from 2050. Whole seconds. */
export function time(date: Date): Buffer {
  const digits = date.toISOString().slice(0, 19).replace(/\D/g, '');
  return date.getUTCFullYear() < 2050
    ? value(0x17, Buffer.from(`${digits.slice(2)}Z`))
    : value(0x18, Buffer.from(`${digits}Z`));
}

/** The contents of the value at the beginning, which holds other values or bytes; an internal error where there are none. */
export function contentsOf(der: Uint8Array): Buffer {
  const { start, end } = extentOf(der);
  return Buffer.from(der.subarray(start, end));
}

/** The values that stand one after another, each with its tag and length. */
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

/** X.690 §8.1.3: one byte below 128, else their number and the bytes. */
function lengthBytes(length: number): readonly number[] {
  if (length < 0x80) return [length];
  const bytes = bigEndian(length);
  return [0x80 | bytes.length, ...bytes];
}

function bigEndian(number: number): readonly number[] {
  return number < 0x100 ? [number] : [...bigEndian(Math.floor(number / 0x100)), number % 0x100];
}

/** X.690 §8.19.2: seven bits a byte, the top bit set in all but the last. */
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
