/** A string in wire format: its length in four bytes, then the bytes. Source: RFC 4251 §5 */
export function sshString(contents: string | Uint8Array): Buffer {
  const bytes = Buffer.from(contents);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
}

/** The contents of an mpint for an unsigned number: no leading zeros except one before a set sign bit. Source: RFC 4251 §5 */
export function mpintOf(unsigned: Buffer): Buffer {
  const bytes = withoutZeros(unsigned);
  return (bytes[0] ?? 0) >= 0x80 ? Buffer.concat([Buffer.alloc(1), bytes]) : bytes;
}

/** Removes leading zeros of a number. */
export function withoutZeros(bytes: Buffer): Buffer {
  const start = bytes.findIndex((byte) => byte !== 0);
  return start === -1 ? Buffer.alloc(0) : bytes.subarray(start);
}

/** Splits bytes into strings; undefined if they do not end at the end of a string. */
export function sshFields(bytes: Buffer): readonly Buffer[] | undefined {
  const fields: Buffer[] = [];
  let rest = bytes;
  while (rest.length > 0) {
    const next = firstFields(rest, 1);
    if (next?.fields[0] === undefined) return undefined;
    fields.push(next.fields[0]);
    rest = next.rest;
  }
  return fields;
}

/** Reads `count` strings and the remaining bytes; undefined if there are fewer strings. */
export function firstFields(
  bytes: Buffer,
  count: number,
): { readonly fields: readonly Buffer[]; readonly rest: Buffer } | undefined {
  const fields: Buffer[] = [];
  let at = 0;
  while (fields.length < count) {
    if (at + 4 > bytes.length) return undefined;
    const end = at + 4 + bytes.readUInt32BE(at);
    if (end > bytes.length) return undefined;
    fields.push(bytes.subarray(at + 4, end));
    at = end;
  }
  return { fields, rest: bytes.subarray(at) };
}
