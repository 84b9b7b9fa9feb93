import { expect, test } from 'vitest';

import { readCertificateBundle } from '../../src/formats/certificate-bundle.js';
import { throwawayCaPem, throwawayLeafPem, throwawayV1Pem } from '../support/throwaway-certificates.js';

const caLines = throwawayCaPem.split('\n').length - 1;

test.each([
  {
    name: 'one CA',
    given: throwawayCaPem,
    certificates: [{ textLine: 0, isCa: true, version: 3 }],
    faults: [],
  },
  {
    name: 'three certificates with empty lines and CRLF',
    given: `${throwawayCaPem}\n${throwawayLeafPem}${throwawayV1Pem}`.replaceAll('\n', '\r\n'),
    certificates: [
      { textLine: 0, isCa: true, version: 3 },
      { textLine: caLines + 1, isCa: false, version: 3 },
      { textLine: caLines + 1 + throwawayLeafPem.split('\n').length - 1, isCa: false, version: 1 },
    ],
    faults: [],
  },
  {
    name: 'text around',
    given: `my CA\n${throwawayCaPem}`,
    certificates: [{ textLine: 1, isCa: true, version: 3 }],
    faults: [{ textLine: 0, fault: 'text stands outside of the BEGIN and END lines' }],
  },
  {
    name: 'a private key',
    given: '-----BEGIN PRIVATE KEY-----',
    certificates: [],
    faults: [{ textLine: 0, fault: 'a private key stands in it, which belongs nowhere near a trust bundle' }],
  },
  {
    name: 'a public key',
    given: '-----BEGIN PUBLIC KEY-----',
    certificates: [],
    faults: [{ textLine: 0, fault: 'something other than a certificate stands in it' }],
  },
  {
    name: 'no end',
    given: throwawayCaPem.replace('-----END CERTIFICATE-----', ''),
    certificates: [],
    faults: [{ textLine: 0, fault: 'it has no END line' }],
  },
  {
    name: 'a begin within',
    given: `-----BEGIN CERTIFICATE-----\n${throwawayCaPem}`,
    certificates: [{ textLine: 1, isCa: true, version: 3 }],
    faults: [{ textLine: 0, fault: 'it has no END line' }],
  },
  {
    name: 'no base64',
    given: '-----BEGIN CERTIFICATE-----\nMII…\n-----END CERTIFICATE-----\n',
    certificates: [],
    faults: [{ textLine: 0, fault: 'it is not base64' }],
  },
  {
    name: 'no certificate',
    given: '-----BEGIN CERTIFICATE-----\naGVsbG8=\n-----END CERTIFICATE-----\n',
    certificates: [],
    faults: [{ textLine: 0, fault: 'it is not an X.509 certificate' }],
  },
])('readCertificateBundle: $name', ({ given, certificates, faults }) => {
  expect(readCertificateBundle(given)).toEqual({ certificates, faults });
});
