import { expect, test } from 'vitest';

import { readCertificateBundle } from '../../../src/formats/keys/certificate-bundle.js';
import { throwawayCaPem, throwawayLeafPem, throwawayV1Pem } from '../../support/throwaway-certificates.js';

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
    name: 'text before, between and after, as in extracted system bundles',
    given: `# my CA\n${throwawayCaPem}Certificate:\n    Data:\n${throwawayLeafPem}the end\n`,
    certificates: [
      { textLine: 1, isCa: true, version: 3 },
      { textLine: caLines + 3, isCa: false, version: 3 },
    ],
    faults: [],
  },
  {
    name: 'indented lines and a byte order mark',
    given: `\ufeff${throwawayCaPem.replaceAll(/^/gm, '   ')}`,
    certificates: [{ textLine: 0, isCa: true, version: 3 }],
    faults: [],
  },
  {
    name: 'text alone',
    given: '\nhello\n',
    certificates: [],
    faults: [{ textLine: 1, fault: 'it holds no certificate' }],
  },
  {
    name: 'an end without a beginning',
    given: `${throwawayCaPem}-----END CERTIFICATE-----\n`,
    certificates: [{ textLine: 0, isCa: true, version: 3 }],
    faults: [{ textLine: caLines, fault: 'it has no BEGIN line' }],
  },
  {
    name: 'a marker with too few dashes',
    given: `----BEGIN CERTIFICATE----\n${throwawayCaPem}`,
    certificates: [{ textLine: 1, isCa: true, version: 3 }],
    faults: [{ textLine: 0, fault: 'this is not a valid BEGIN or END line' }],
  },
  {
    name: 'a comment beside a marker, which is none within a text',
    given: throwawayCaPem.replace('-----\n', '-----   # of the mirror\n'),
    certificates: [{ textLine: 0, isCa: true, version: 3 }],
    faults: [
      {
        textLine: 0,
        fault:
          '-----BEGIN CERTIFICATE----- is followed by text on the same line: "#" starts a comment only outside of a string',
      },
    ],
  },
  {
    name: 'words after an end, with and without a beginning',
    given: `${throwawayCaPem.trimEnd()} end\n-----END CERTIFICATE-----.\n`,
    certificates: [{ textLine: 0, isCa: true, version: 3 }],
    faults: [
      { textLine: caLines - 1, fault: '-----END CERTIFICATE----- is followed by text on the same line' },
      { textLine: caLines, fault: '-----END CERTIFICATE----- is followed by text on the same line' },
    ],
  },
  {
    name: 'a private key',
    given: '-----BEGIN PRIVATE KEY-----',
    certificates: [],
    faults: [{ textLine: 0, fault: 'it contains a private key, which must not be in a trust bundle' }],
  },
  {
    name: 'a public key',
    given: '-----BEGIN PUBLIC KEY-----',
    certificates: [],
    faults: [{ textLine: 0, fault: 'it contains something other than certificates' }],
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
  expect(readCertificateBundle(given)).toMatchObject({ certificates, faults });
});

test('contains only whole certificates', () => {
  const given = `\ufeff# \u2028 a comment\n${throwawayCaPem.replaceAll(/^/gm, '  ')}\nCertificate:\n${throwawayLeafPem}end\n`;
  expect(readCertificateBundle(given).pem).toBe(`${throwawayCaPem}${throwawayLeafPem}`);
});
