import { createPrivateKey } from 'node:crypto';
import { gzipSync } from 'node:zlib';

import forge from 'node-forge';
import { describe, expect, it } from 'vitest';

import { pemOf } from '../../src/formats/keys/private-key.js';
import { testNow } from './context.js';
import { checkWithForge } from './forge-judge.js';
import { snoConfigText } from './minimal-config.js';
import { pemBlocksIn, type PemBlock } from './pem-blocks.js';
import { makePki } from './pki.js';
import { seededRsaKey } from './seeded-keys.js';

const { signers, leaves, serviceAccount } = await makePki();
const curves = await makePki({
  files: { 'sno-config.yaml': snoConfigText('certificates: { keyAlgorithm: ECDSA-P256 }\n') },
});
const [root, other] = [signers['root-ca'], signers['kubelet-signer']];
const leaf = leaves['machine-config-server'];

function blockOf(pem: string): PemBlock {
  const [block] = pemBlocksIn('a', pem);
  if (block === undefined) throw new Error('no PEM');
  return block;
}

function edited(pem: string, edit: (der: Buffer) => Buffer): PemBlock {
  const block = blockOf(pem);
  return { ...block, der: edit(Buffer.from(block.der)) };
}

function flipped(der: Buffer, at: number): Buffer {
  const place = at < 0 ? der.length + at : at;
  der[place] = (der[place] ?? 0) ^ 1;
  return der;
}

/** Encodes the outer length as 83 00 hi lo instead of 82 hi lo. */
function withLongLength(der: Buffer): Buffer {
  return Buffer.concat([der.subarray(0, 1), Buffer.of(0x83, 0), der.subarray(2)]);
}

/** Encodes the length of the PKCS#8 algorithm, at offset 8, as 81 0d instead of 0d. */
function withLongInnerLength(der: Buffer): Buffer {
  der.writeUInt16BE(der.readUInt16BE(2) + 1, 2);
  return Buffer.concat([der.subarray(0, 8), Buffer.of(0x81), der.subarray(8)]);
}

/** The TBSCertificate of one certificate with the signature of another. RSA-2048 signatures have the same length. */
function withSignatureOf(pem: string, another: string): PemBlock {
  const signature = blockOf(another).der.subarray(-256);
  return edited(pem, (der) => Buffer.concat([der.subarray(0, -256), signature]));
}

function request(keyPem: string, edit: (der: Buffer) => Buffer = (der) => der): PemBlock {
  const key = forge.pki.privateKeyFromPem(keyPem);
  const made = forge.pki.createCertificationRequest();
  made.publicKey = forge.pki.setRsaPublicKey(key.n, key.e);
  made.setSubject([{ name: 'commonName', value: 'system:node:a' }]);
  made.sign(key, forge.md.sha256.create());
  return edited(forge.pki.certificationRequestToPem(made).replaceAll('\r', ''), edit);
}

/** A PKCS#1 key as `openssl rsa -traditional` writes it. */
const pkcs1 = createPrivateKey(seededRsaKey('forge-judge', 2048))
  .export({ type: 'pkcs1', format: 'pem' })
  .toString();

describe('node-forge accepts', () => {
  it.each([
    { name: 'a certificate below its root', given: [blockOf(leaf.certPem), blockOf(root.certPem)] },
    { name: 'private keys in PKCS#8 and PKCS#1', given: [blockOf(leaf.keyPem.reveal()), blockOf(pkcs1)] },
    { name: 'a public key', given: [blockOf(serviceAccount.publicKeyPem)] },
    { name: 'a certificate request', given: [request(leaf.keyPem.reveal())] },
    {
      name: 'the ASN.1 of ECDSA',
      given: [
        blockOf(curves.leaves['kubelet-client'].certPem),
        blockOf(curves.leaves['kubelet-client'].keyPem.reveal()),
      ],
    },
  ])('$name', ({ given }) => {
    expect(checkWithForge(given, testNow).faults).toEqual([]);
  });
});

describe('node-forge rejects', () => {
  const differs = 'node-forge serializes it differently';
  const unsigned = 'none of the certificates has signed it';
  it.each([
    { name: 'nothing', given: [], want: 'there is nothing to decode' },
    { name: 'a certificate without its issuer', given: [blockOf(leaf.certPem)], want: unsigned },
    {
      name: 'a flipped byte in a signature',
      given: [edited(leaf.certPem, (der) => flipped(der, -1)), blockOf(root.certPem)],
      want: unsigned,
    },
    {
      name: 'a flipped byte in a serial number',
      given: [edited(leaf.certPem, (der) => flipped(der, 20)), blockOf(root.certPem)],
      want: unsigned,
    },
    {
      name: 'a flipped byte in the signature of a root',
      given: [edited(root.certPem, (der) => flipped(der, -1))],
      want: 'Certificate signature is invalid.',
    },
    {
      name: 'the signature of another certificate',
      given: [withSignatureOf(leaf.certPem, other.certPem), blockOf(root.certPem)],
      want: unsigned,
    },
    {
      name: 'a length that is longer than needed',
      given: [edited(root.certPem, withLongLength)],
      want: differs,
    },
    {
      name: 'a length within that is longer than needed',
      given: [edited(leaf.keyPem.reveal(), withLongInnerLength)],
      want: differs,
    },
    {
      name: 'a byte behind a certificate',
      given: [edited(root.certPem, (der) => Buffer.concat([der, Buffer.of(0)]))],
      want: 'Unparsed DER bytes remain after ASN.1 parsing.',
    },
    {
      name: 'a byte behind a key',
      given: [edited(leaf.keyPem.reveal(), (der) => Buffer.concat([der, Buffer.of(0)]))],
      want: 'Unparsed DER bytes remain after ASN.1 parsing.',
    },
    {
      name: 'a certificate that is cut off',
      given: [edited(root.certPem, (der) => der.subarray(0, -1))],
      want: 'Too few bytes to read ASN.1 value.',
    },
    {
      name: 'a byte behind the ASN.1 of ECDSA',
      given: [
        edited(curves.leaves['kubelet-client'].keyPem.reveal(), (der) => Buffer.concat([der, Buffer.of(0)])),
      ],
      want: 'Unparsed DER bytes remain after ASN.1 parsing.',
    },
    {
      name: 'a flipped byte in a private key',
      given: [edited(leaf.keyPem.reveal(), (der) => flipped(der, 400))],
      want: 'the numbers of the key do not match',
    },
    {
      name: 'a certificate request with a wrong signature',
      given: [request(leaf.keyPem.reveal(), (der) => flipped(der, der.indexOf('system:node')))],
      want: 'the signature of the request is wrong',
    },
    {
      name: 'a label of nothing known',
      given: [blockOf(pemOf('OTHER', Buffer.of(5, 0)))],
      want: 'no program of the node reads this PEM label',
    },
    {
      name: 'half a block',
      given: pemBlocksIn('a', root.certPem.slice(0, -20)),
      want: 'Too few bytes to parse DER.',
    },
  ])('$name', ({ given, want }) => {
    const { faults } = checkWithForge(given, testNow);
    expect(faults).toHaveLength(1);
    expect(faults[0]).toContain(want);
  });

  it('a chain outside of its validity', () => {
    const { faults } = checkWithForge([blockOf(root.certPem)], new Date('2046-01-01T00:00:00Z'));
    expect(faults).toEqual(['a: openshift, root-ca: Certificate is not valid yet or has expired.']);
  });
});

describe('PEM blocks are found', () => {
  const base64 = (text: string | Uint8Array): string => Buffer.from(text).toString('base64');
  const manifest = `data:\n  tls.crt: ${base64(root.certPem)}\n`;
  const kubeconfig = `clusters:\n- cluster:\n    certificate-authority-data: ${base64(root.certPem)}\n`;
  const ignition = (source: string): string =>
    JSON.stringify({ storage: { files: [{ contents: { source } }] } });
  it.each([
    { name: 'in a text', given: root.certPem },
    { name: 'in a YAML block', given: `ca: |\n${root.certPem.replaceAll(/^/gm, '    ')}` },
    { name: 'in a JSON string', given: JSON.stringify({ ca: root.certPem }) },
    { name: 'in a percent-encoded data URL', given: ignition(`data:,${encodeURI(root.certPem)}`) },
    { name: 'in a base64 data URL', given: ignition(`data:;base64,${base64(root.certPem)}`) },
    { name: 'in compressed contents', given: ignition(`data:;base64,${base64(gzipSync(root.certPem))}`) },
    {
      name: 'in a secret of a manifest in an Ignition config',
      given: ignition(`data:,${encodeURI(manifest)}`),
    },
    {
      name: 'in a kubeconfig in a compressed manifest',
      given: ignition(`data:;base64,${base64(gzipSync(`data:\n  kubeconfig: ${base64(kubeconfig)}\n`))}`),
    },
  ])('$name', ({ given }) => {
    expect(pemBlocksIn('a', given).map(({ label, der }) => [label, der])).toEqual([
      ['CERTIFICATE', blockOf(root.certPem).der],
    ]);
  });
});
