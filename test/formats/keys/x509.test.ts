import { X509Certificate, createPrivateKey, createPublicKey, verify } from 'node:crypto';
import { describe, expect, it } from 'vitest';

import { privateKeyOf } from '../../../src/formats/keys/private-key.js';
import {
  certificateKey,
  certificatePem,
  draftCertificate,
  type CertificateContents,
} from '../../../src/formats/keys/x509.js';
import { seededEcKey, seededRsaKey } from '../../support/seeded-keys.js';

const rsaPem = seededRsaKey('x509/issuer', 2048);
const issuerKey = certificateKey(privateKeyOf(rsaPem));
const subjectKey = certificateKey(privateKeyOf(seededEcKey('x509/subject', 'P-256')));

const pems = [
  ['RSA', rsaPem, 'sha256', false],
  ['P-256', seededEcKey('x509/issuer', 'P-256'), 'sha256', true],
  ['P-384', seededEcKey('x509/issuer', 'P-384'), 'sha384', true],
] as const;

const sound: CertificateContents = {
  subject: { organizations: ['one', 'two'], commonName: 'subject' },
  issuer: { organizationalUnit: 'unit', commonName: 'issuer' },
  subjectKey,
  issuerKey,
  notBefore: new Date('2026-01-02T03:04:05Z'),
  notAfter: new Date('2027-01-02T03:04:05Z'),
  isCa: false,
  hasKeyUsage: true,
  extendedUsages: ['serverAuth', 'clientAuth'],
  hostnames: ['a.example.com', '192.0.2.1', '2001:db8::1'],
};

async function issue(edit: Partial<CertificateContents> = {}): Promise<X509Certificate> {
  const contents = { ...sound, ...edit };
  const draft = draftCertificate(contents);
  return new X509Certificate(
    certificatePem(draft, await contents.issuerKey.privateKey.sign(draft.toBeSigned)),
  );
}

describe('a certificate', () => {
  it('contains the requested fields and verifies with the key of its issuer', async () => {
    const certificate = await issue();

    expect({
      subject: certificate.subject,
      issuer: certificate.issuer,
      validity: [certificate.validFrom, certificate.validTo],
      names: certificate.subjectAltName,
      extendedUsage: certificate.keyUsage,
      isCa: certificate.ca,
    }).toEqual({
      subject: 'O=one\nO=two\nCN=subject',
      issuer: 'OU=unit\nCN=issuer',
      validity: ['Jan  2 03:04:05 2026 GMT', 'Jan  2 03:04:05 2027 GMT'],
      names: 'DNS:a.example.com, IP Address:192.0.2.1, IP Address:2001:DB8:0:0:0:0:0:1',
      extendedUsage: ['1.3.6.1.5.5.7.3.1', '1.3.6.1.5.5.7.3.2'],
      isCa: false,
    });
    expect(certificate.verify(createPublicKey(rsaPem))).toBe(true);
    expect(certificate.verify(createPublicKey(subjectKey.privateKey.pem.reveal()))).toBe(false);
    expect(certificate.checkPrivateKey(createPrivateKey(subjectKey.privateKey.pem.reveal()))).toBe(true);
  });

  it('contains non-ASCII strings, and a name that is not an address', async () => {
    const certificate = await issue({
      subject: { commonName: 'käse*@_' },
      hostnames: ['*.apps.example.com'],
    });

    expect([certificate.subject, certificate.subjectAltName]).toEqual([
      'CN=käse*@_',
      'DNS:*.apps.example.com',
    ]);
  });

  it('is PEM of 64 columns with a trailing newline', () => {
    const draft = draftCertificate(sound);

    expect(certificatePem(draft, Buffer.alloc(256))).toMatch(
      /^-----BEGIN CERTIFICATE-----\n([A-Za-z0-9+/]{64}\n)+[A-Za-z0-9+/=]{1,64}\n-----END CERTIFICATE-----\n$/,
    );
  });

  it.each(pems)('is signed with the hash that fits the key: %s', async (_kind, pem, hash, isRandomised) => {
    const draft = draftCertificate({ ...sound, issuerKey: certificateKey(privateKeyOf(pem)) });
    const signature = await privateKeyOf(pem).sign(draft.toBeSigned);

    expect(draft.isRandomised).toBe(isRandomised);
    expect(verify(hash, draft.toBeSigned, createPublicKey(pem), signature)).toBe(true);
    const certificate = new X509Certificate(certificatePem(draft, signature));
    expect(certificate.verify(createPublicKey(pem))).toBe(true);
  });
});

describe('the serial number', () => {
  const changes: readonly { readonly name: string; readonly edit: Partial<CertificateContents> }[] = [
    { name: 'subject', edit: { subject: { commonName: 'other' } } },
    { name: 'issuer', edit: { issuer: { commonName: 'other' } } },
    { name: 'key', edit: { subjectKey: issuerKey } },
    { name: 'begin', edit: { notBefore: new Date('2026-01-02T03:04:06Z') } },
    { name: 'end', edit: { notAfter: new Date('2027-01-02T03:04:06Z') } },
    { name: 'names', edit: { hostnames: ['b.example.com'] } },
    { name: 'usages', edit: { extendedUsages: ['serverAuth'] } },
    { name: 'kind', edit: { isCa: true } },
  ];
  it.each(changes)('is another one for another $name', async ({ edit }) => {
    expect((await issue(edit)).serialNumber).not.toBe((await issue()).serialNumber);
  });

  it('is the same for the same contents: 128 bits, positive, its first digit 4 to 7', async () => {
    const { serialNumber } = await issue();

    expect(serialNumber).toMatch(/^[4-7][0-9A-F]{31}$/);
    expect((await issue()).serialNumber).toBe(serialNumber);
  });
});
