import { describe, expect, it } from 'vitest';

import {
  bitString,
  contentsOf,
  directoryString,
  membersOf,
  objectIdentifier,
  octetString,
  sequence,
  time,
  unsignedInteger,
} from '../../../src/formats/keys/der.js';

const hex = (bytes: Buffer): string => bytes.toString('hex');

describe('DER', () => {
  it.each([
    { name: 'an empty sequence', given: sequence(), want: '3000' },
    { name: 'a number', given: unsignedInteger(Buffer.of(0x7f)), want: '02017f' },
    { name: 'a number whose top bit is set', given: unsignedInteger(Buffer.of(0x80)), want: '02020080' },
    { name: 'bits', given: bitString(Buffer.of(0xa4), 2), want: '030202a4' },
    { name: 'text of the small alphabet', given: directoryString('a b'), want: '1303612062' },
    { name: 'text beyond it', given: directoryString('a*'), want: '0c02612a' },
    // X.690 §8.19.5
    { name: 'the identifier of the standard', given: objectIdentifier('2.999.3'), want: '0603883703' },
    { name: 'a long arc', given: objectIdentifier('1.2.840.113549'), want: '06062a864886f70d' },
    {
      name: 'a year in two digits',
      given: time(new Date('2049-12-31T23:59:59Z')),
      want: text(0x17, '491231235959Z'),
    },
    {
      name: 'a year in four',
      given: time(new Date('2050-01-01T00:00:00Z')),
      want: text(0x18, '20500101000000Z'),
    },
  ])('writes $name', ({ given, want }) => {
    expect(hex(given)).toBe(want);
  });

  it.each([0, 127, 128, 255, 256, 65_535, 65_536])('gives back contents of %i bytes', (length) => {
    const bytes = Buffer.alloc(length, 7);
    const two = sequence(octetString(bytes), unsignedInteger(Buffer.of(1)));

    const [first, second, ...others] = membersOf(contentsOf(two));

    expect([first && contentsOf(first), second && hex(second), others]).toEqual([bytes, '020101', []]);
  });

  it('does not read past the end', () => {
    expect(() => contentsOf(Buffer.from('0402ff', 'hex'))).toThrow('internal error: a DER value is cut off');
  });
});

function text(tag: number, characters: string): string {
  return Buffer.concat([Buffer.of(tag, characters.length), Buffer.from(characters)]).toString('hex');
}
