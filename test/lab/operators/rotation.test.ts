import { describe, expect, test } from 'vitest';

import { reasonToReissue, type RotatedSecret } from './rotation.js';

const now = new Date('2026-06-01T00:00:00Z');

/** A serving certificate that is valid for thirty days and two days old. */
const annotations: Readonly<Record<string, string>> = {
  'auth.openshift.io/certificate-not-before': '2026-05-30T00:00:00Z',
  'auth.openshift.io/certificate-not-after': '2026-06-29T00:00:00Z',
  'auth.openshift.io/certificate-issuer': 'signer@1',
  'auth.openshift.io/certificate-hostnames': '127.0.0.1,localhost',
};
const sound = { annotations, issuers: ['older@0', 'signer@1'], hostnames: ['localhost', '127.0.0.1'] };

const changed = (name: string, value: string): RotatedSecret => ({
  ...sound,
  annotations: { ...annotations, [`auth.openshift.io/certificate-${name}`]: value },
});

const cases: readonly {
  readonly name: string;
  readonly given: RotatedSecret;
  readonly want: string | undefined;
}[] = [
  { name: 'a sound one stays', given: sound, want: undefined },
  { name: 'no annotations at all', given: { ...sound, annotations: {} }, want: 'missing notAfter' },
  { name: 'no beginning', given: changed('not-before', ''), want: 'missing notBefore' },
  {
    name: 'an end that is past',
    given: changed('not-after', '2026-05-31T00:00:00Z'),
    want: 'already expired',
  },
  {
    name: 'four fifths of its time are gone',
    given: changed('not-before', '2025-06-01T00:00:00Z'),
    want: 'past its renewal time',
  },
  {
    name: 'an issuer that the bundle does not hold',
    given: changed('issuer', 'signer@2'),
    want: 'issuer "signer@2", not in ca bundle: older@0, signer@1',
  },
  {
    name: 'a name too many',
    given: changed('hostnames', '127.0.0.1,::1,localhost'),
    want: 'existing and not required: ::1',
  },
  {
    name: 'a name too few',
    given: changed('hostnames', 'localhost'),
    want: 'required and not existing: 127.0.0.1',
  },
  {
    name: 'a client has no names, and an authority no other issuer',
    given: { annotations: { ...annotations, 'auth.openshift.io/certificate-hostnames': 'x' } },
    want: undefined,
  },
];

describe('reasons of a lab operator to renew a certificate', () => {
  test.each(cases)('$name', ({ given, want }) => {
    expect(reasonToReissue(given, now)).toBe(want);
  });
});
