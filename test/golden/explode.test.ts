import { readFileSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import { publicFile, secretFile } from '../../src/core/output-file.js';
import { serializeConfig } from '../../src/ignition/serialize.js';
import { sampleConfig } from '../ignition/sample-config.js';
import { differenceFrom, explode } from '../support/explode.js';
import { readable } from '../support/readable.js';
import { seededEcKey } from '../support/seeded-keys.js';

const key = seededEcKey('explode', 'P-256');
const base64 = (text: string): string => Buffer.from(text).toString('base64');

/** Made once with openssl from a key that is gone; expired. */
const certificate = readFileSync('test/golden/sample-certificate.pem', 'utf8');
const certificateSummary =
  '<certificate O=system:masters, CN=system:admin; issuer OU=openshift, CN=sample-signer; key ec-prime256v1 FINGERPRINT; ' +
  '2026-01-02T00:00:00Z to 2026-01-03T00:00:00Z; usage digitalSignature+keyEncipherment; for server+client; names DNS:localhost, IP Address:127.0.0.1>';

describe('readable', () => {
  const cases = [
    { name: 'plain text', given: 'set -e\n', want: 'set -e\n' },
    { name: 'a private key', given: `a\n${key}b\n`, want: 'a\n<private key ec-prime256v1 FINGERPRINT>\nb\n' },
    {
      name: 'an indented key',
      given: `k: |\n  ${key.trim().replaceAll('\n', '\n  ')}\nb: c\n`,
      want: 'k: |\n  <private key ec-prime256v1 FINGERPRINT>\nb: c\n',
    },
    {
      name: 'a key in JSON',
      given: JSON.stringify({ key }),
      want: '{"key":"<private key ec-prime256v1 FINGERPRINT>"}',
    },
    {
      name: 'a key in base64',
      given: `key: ${base64(key)}\n`,
      want: 'key: <base64 of <private key ec-prime256v1 FINGERPRINT>\n>\n',
    },
    { name: 'a certificate', given: certificate, want: `${certificateSummary}\n` },
    { name: 'bytes in base64', given: Buffer.alloc(60, 0xff).toString('base64'), want: '/'.repeat(80) },
    { name: 'a bcrypt hash', given: `h: $2a$10$${'a'.repeat(53)}\n`, want: 'h: <bcrypt hash>\n' },
  ];
  it.each(cases)('shows $name', ({ given, want }) => {
    expect(readable(given).replaceAll(/(?<=ec-prime256v1 )[0-9a-f]{8}/g, 'FINGERPRINT')).toBe(want);
  });
});

describe('explode', () => {
  const template = 'live/usr/local/bin/sno-common.sh';
  const script = readFileSync(`templates/${template}`);
  const config = sampleConfig({
    files: [
      { path: '/etc/motd', mode: 0o644, contents: 'hello\n', append: true },
      { path: '/etc/empty', mode: 0o600, contents: '' },
      { path: '/usr/local/bin/sno-common.sh', mode: 0o555, contents: script },
      { path: '/usr/local/bin/zz-copy.sh', mode: 0o600, contents: script },
    ],
    units: [
      { name: 'a.service', enabled: true, contents: '[Unit]\n' },
      { name: 'b.socket', enabled: true, dropins: [{ name: 'c.conf', contents: '[Socket]\n' }] },
    ],
  });

  it('gives a tree of texts with an index', () => {
    const text = serializeConfig(config);
    const tree = explode([secretFile('node.ign', text), publicFile('metadata.json', '{}')]);
    expect(tree).toEqual({
      'index.txt': '0600 - node.ign\n0644 2 metadata.json\n',
      'metadata.json': '{}',
      'node.ign.json': `${JSON.stringify({ ignition: config.ignition, passwd: config.passwd }, undefined, 2)}\n`,
      'node.ign.d/index.txt': [
        '0600 root 0 /etc/empty',
        '0644 root 6 /etc/motd (append)',
        '0555 root - /usr/local/bin/sno-common.sh (template)',
        `0600 root - /usr/local/bin/zz-copy.sh (template ${template})`,
        '0644 root 7 /etc/systemd/system/a.service (unit, enabled)',
        '0644 root 0 /etc/systemd/system/b.socket (unit, enabled)',
        '0644 root 9 /etc/systemd/system/b.socket.d/c.conf (drop-in)',
        '',
      ].join('\n'),
      'node.ign.d/etc/motd': 'hello\n',
      'node.ign.d/etc/systemd/system/a.service': '[Unit]\n',
      'node.ign.d/etc/systemd/system/b.socket.d/c.conf': '[Socket]\n',
    });
  });

  it('keeps a case as its difference', () => {
    const base = { a: '1', b: '2', c: '3' };
    expect(differenceFrom(base, { a: '1', b: '4', d: '5' })).toEqual({
      b: '4',
      d: '5',
      'not-in-this-case.txt': 'c\n',
    });
    expect(differenceFrom(base, base)).toEqual({});
  });
});
