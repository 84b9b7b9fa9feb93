import { crc32 } from 'node:zlib';

const headerMagic = Buffer.from([0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00]);
const footerMagic = Buffer.from('YZ');
const footerBytes = 12;

/** Length of the first xz stream; undefined without a complete stream. Source: xz file format 1.2.1, §2.1 */
export function xzStreamLength(bytes: Buffer): number | undefined {
  if (!bytes.subarray(0, headerMagic.length).equals(headerMagic)) return undefined;
  const flags = bytes.subarray(6, 8);
  for (let at = bytes.indexOf(footerMagic); at !== -1; at = bytes.indexOf(footerMagic, at + 1)) {
    const end = at + footerMagic.length;
    const footer = bytes.subarray(end - footerBytes, end);
    // Streams and their parts have lengths that are multiples of four.
    if (end % 4 !== 0 || footer.length < footerBytes || !footer.subarray(8, 10).equals(flags)) continue;
    if (footer.readUInt32LE(0) === crc32(footer.subarray(4, 10))) return end;
  }
  return undefined;
}
