import { expect, it } from 'vitest';

import { isReceipt, isReceiptPath, receiptFault } from '../../../src/disk/receipt/receipt-shape.js';
import { edited } from './whole-receipt.js';

const isAccepted = (place: string, value: string): boolean => isReceipt(edited(place, value));

it.each([
  ['a'.repeat(64), true],
  ['0123456789abcdef'.repeat(4), true],
  ['a'.repeat(63), false],
  ['a'.repeat(65), false],
  [`${'a'.repeat(63)}A`, false],
  [`${'a'.repeat(63)}g`, false],
])('%s is a hash: %s', (value, want) => {
  expect(isAccepted('outputs[0].sha256', value)).toBe(want);
});

it.each([
  ['0644', true],
  ['4755', true],
  ['644', false],
  ['00644', false],
  ['0648', false],
])('%s is a mode: %s', (value, want) => {
  expect(isAccepted('outputs[0].mode', value)).toBe(want);
});

it.each([
  ['', true],
  ['a word and \u00e9', true],
  ['w '.repeat(512), true],
  ['w '.repeat(512) + 'w', false],
  ['a\nb', false],
  ['a\u0085b', false],
  ['aB3'.repeat(10), false],
  ['token=abcdef', false],
])('%j is shown: %s', (value, want) => {
  expect(isAccepted('target', value)).toBe(want);
});

it('never takes a variable name for a secret', () => {
  const fault = { path: 'environment.…', expected: 'a short text that is not a secret' };
  expect(receiptFault(edited('environment', { ['aB3'.repeat(10)]: 'a' }))).toEqual(fault);
});

it.each([
  ['a/b.yaml', true],
  ['..a', true],
  ['d/'.repeat(511) + 'ab', true],
  ['d/'.repeat(511) + 'abc', false],
  ['', false],
  ['../a', false],
  ['/a', false],
  ['a\\b', false],
  ['a\tb', false],
  ['a\u0080b', false],
])('%j is a valid path of a receipt: %s', (value, want) => {
  expect([isReceiptPath(value), isAccepted('outputs[0].path', value)]).toEqual([want, want]);
});

const host = 'http://192.0.2.1/';
it.each([
  ['http://example.com', true],
  ['https://[2001:db8::1]:8443/a/b.img', true],
  [host.padEnd(2048, 'a'), true],
  [host.padEnd(2049, 'a'), false],
  ['ftp://192.0.2.1/a', false],
  ['xhttp://192.0.2.1/a', false],
  ['httpsx://192.0.2.1/a', false],
  ['192.0.2.1/a', false],
  ['http://user@192.0.2.1/a', false],
  ['http://:word@192.0.2.1/a', false],
  [`${host}?a=b`, false],
  [`${host}#a`, false],
  [`${host}a\nb`, false],
])('%j is a valid URL of a machine: %s', (value, want) => {
  expect(isAccepted('medium.urls.kernel', value)).toBe(want);
});
