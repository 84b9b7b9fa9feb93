import type { Random } from './random.js';

const oddBytes = [0x00, 0x01, 0x0a, 0x20, 0x2f, 0x30, 0x7f, 0x80, 0xc0, 0xfe, 0xff];
const oddNumbers = [
  0, 1, 2, 15, 16, 2047, 2048, 0x7fff, 0x8000, 0xffff, 0x7fff_ffff, 0x8000_0000, 0xffff_fffe, 0xffff_ffff,
];

/** Flips bits, replaces numbers of two or four bytes, or deletes, doubles, moves or inserts a range of bytes. */
export function changeBytes(given: Buffer, other: Buffer, words: readonly string[], random: Random): Buffer {
  if (given.length === 0) return Buffer.from([random.pick(oddBytes)]);
  const at = random.below(given.length);
  const length = Math.min(given.length - at, 1 + random.below(random.below(4) === 0 ? given.length : 16));
  const [before, here, after] = [
    given.subarray(0, at),
    given.subarray(at, at + length),
    given.subarray(at + length),
  ];
  switch (random.below(11)) {
    case 0:
      return withByte(given, at, (given[at] ?? 0) ^ (1 << random.below(8)));
    case 1:
      return withByte(given, at, random.pick(oddBytes));
    case 2:
      return withByte(given, at, (given[at] ?? 0) + random.pick([1, -1, 16, -16]));
    case 3:
      return withNumber(given, random.below(Math.max(1, given.length - 3)), random);
    case 4:
      return Buffer.concat([before, after]);
    case 5:
      return Buffer.concat([before, here, here, after]);
    case 6:
      return Buffer.concat([before, Buffer.alloc(length, random.pick(oddBytes)), after]);
    case 7: {
      const from = random.below(other.length + 1);
      return Buffer.concat([before, other.subarray(from, from + length), after]);
    }
    case 8:
      return given.subarray(0, at);
    case 9: {
      const word = Buffer.from(words.length === 0 ? '\0' : random.pick(words), 'latin1');
      return Buffer.concat([before, word, given.subarray(Math.min(given.length, at + word.length))]);
    }
    default:
      return withText(given, at, random);
  }
}

function withByte(given: Buffer, at: number, byte: number): Buffer {
  const changed = Buffer.from(given);
  changed[at] = byte & 0xff;
  return changed;
}

function withNumber(given: Buffer, at: number, random: Random): Buffer {
  const changed = Buffer.from(given);
  const number = random.pick(oddNumbers);
  if (at + 4 > given.length) return changed;
  switch (random.below(4)) {
    case 0:
      changed.writeUInt16LE(number & 0xffff, at);
      break;
    case 1:
      changed.writeUInt16BE(number & 0xffff, at);
      break;
    case 2:
      changed.writeUInt32LE(number, at);
      break;
    default:
      changed.writeUInt32BE(number, at);
  }
  return changed;
}

/** Headers of cpio and tar contain numbers in hexadecimal and octal digits. */
function withText(given: Buffer, at: number, random: Random): Buffer {
  const changed = Buffer.from(given);
  changed.write(
    random.pick(['00000000', 'FFFFFFFF', '00000001', '7777777', '-1', '0x10', 'zzzz']),
    at,
    'latin1',
  );
  return changed;
}
