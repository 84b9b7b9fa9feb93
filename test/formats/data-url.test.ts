import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { base64TextUrl, dataUrl, decodeDataUrl, isDataUrl } from '../../src/formats/data-url.js';

describe('dataUrl', () => {
  const cases = [
    { name: 'empty', given: '', want: 'data:,' },
    { name: 'text', given: 'set -e\necho "50%" #1\n', want: 'data:,set%20-e%0Aecho%20%2250%25%22%20%231%0A' },
    { name: 'characters a URL reserves', given: ";/?:@&=+$,-_.!~*'()", want: "data:,;/?:@&=+$,-_.!~*'()" },
    { name: 'letters beyond ASCII', given: 'é', want: 'data:,%C3%A9' },
    { name: 'a byte order mark', given: '\uFEFFa', want: 'data:,%EF%BB%BFa' },
    { name: 'bytes that are text', given: Buffer.from('a b'), want: 'data:,a%20b' },
    { name: 'bytes that are no text', given: Buffer.from([0xff, 0x00]), want: 'data:;base64,/wA=' },
  ];
  it.each(cases)('writes $name', ({ given, want }) => {
    expect(dataUrl(given)).toBe(want);
  });

  it('decodes to its original bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        expect(decodeDataUrl(dataUrl(bytes))).toEqual(Buffer.from(bytes));
      }),
    );
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (text) => {
        expect(decodeDataUrl(dataUrl(text))?.toString()).toBe(text);
        expect(decodeDataUrl(base64TextUrl(text))?.toString()).toBe(text);
      }),
    );
  });
});

describe('decodeDataUrl', () => {
  const cases = [
    { name: 'a media type', given: 'data:text/plain;charset=utf-8,a', want: 'a' },
    { name: 'base64', given: 'data:text/plain;charset=utf-8;base64,YQ==', want: 'a' },
    { name: 'bytes that are no UTF-8', given: 'data:,%FF', want: '\u00ff' },
    { name: 'no scheme', given: 'text/plain,a', want: undefined },
    { name: 'no comma', given: 'data:text/plain', want: undefined },
    { name: 'a space', given: 'data:,a b', want: undefined },
    { name: 'half an escape', given: 'data:,%4', want: undefined },
    { name: 'an escape that is no number', given: 'data:,%zz', want: undefined },
    { name: 'base64 without padding', given: 'data:;base64,YQ', want: undefined },
    { name: 'base64 of the URL kind', given: 'data:;base64,_wA=', want: undefined },
  ];
  it.each(cases)('decodes $name like Ignition', ({ given, want }) => {
    expect(decodeDataUrl(given)?.toString('latin1')).toBe(want);
    expect(isDataUrl(given)).toBe(want !== undefined);
  });
});

it.each(['data:,', 'data:;base64,'])('%s of twenty million characters is decoded', (start) => {
  expect(decodeDataUrl(`${start}${'A'.repeat(20_000_000)}`)).toBeInstanceOf(Buffer);
});
