import { describe, expect, it, test } from 'vitest';

import { shownLine } from '../../src/support-bundle/redact.js';
import { seededRsaKey } from '../support/seeded-keys.js';

const key = seededRsaKey('analysis canary', 2048);
const encodedKey = Buffer.from(key).toString('base64');
const auth = Buffer.from('user:canary-pull-secret').toString('base64');

const canaries: readonly { name: string; line: string; secret: string }[] = [
  { name: 'a line of a key', line: key.split('\n')[5] ?? '', secret: key.split('\n')[5] ?? 'none' },
  { name: 'a key on one line', line: JSON.stringify({ key }), secret: key.split('\n')[3] ?? 'none' },
  { name: 'a key in base64', line: `data: ${encodedKey}`, secret: encodedKey.slice(40, 80) },
  { name: 'a pull secret', line: `{"auths":{"quay.io":{"auth":"${auth}"}}}`, secret: auth },
  {
    name: 'a pull secret in base64',
    line: Buffer.from(`{"auths":{"quay.io":{"auth":"${auth}"}}}`).toString('base64'),
    secret: 'eyJhdXRocyI6eyJx',
  },
  { name: 'a bearer token', line: 'Authorization: Bearer canary-token-7d1f0c1b5e', secret: 'canary-token' },
  { name: 'a password in a URL', line: 'proxy http://user:canary-91ab@proxy:3128', secret: 'canary-91ab' },
  { name: 'a password in YAML', line: '  password: canary-91ab', secret: 'canary-91ab' },
  { name: 'an option', line: 'run --token=canary-91ab', secret: 'canary-91ab' },
  { name: 'a kubeconfig', line: `client-key-data: ${encodedKey}`, secret: encodedKey.slice(10, 60) },
  {
    name: 'a JSON Web Token',
    line: 'got eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJjYW5hcnkifQ.c2lnbmF0dXJl here',
    secret: 'eyJzdWIiOiJjYW5hcnkifQ',
  },
];

describe('a line that is shown', () => {
  test.each(canaries)('holds no secret: $name', ({ line, secret }) => {
    expect(line).toContain(secret);
    expect(shownLine(line)).not.toContain(secret);
  });

  test.each([
    'the SHA-256 of the snapshot of etcd is not 3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855a, which the bootstrap recorded',
    'pulling quay.io/openshift-release-dev/ocp-release@sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef failed',
    "the host name is 'localhost': set one with hostname in sno-config.yaml, by DHCP or by reverse DNS",
    'ssh-rsa AAAA',
  ])('is left as it is where it holds none: %s', (line) => {
    expect(shownLine(line)).toBe(line);
  });

  it('holds no control character and is not endless', () => {
    expect(shownLine('\u001b[31mred\u001b[0m\r\n\u202e')).toBe('·[31mred·[0m···');
    expect(shownLine('x '.repeat(1000))).toHaveLength(401);
  });
});
