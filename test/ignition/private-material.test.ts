import { describe, expect, it } from 'vitest';

import { dataUrl } from '../../src/formats/data-url.js';
import { containsPrivateMaterial } from '../../src/ignition/private-material.js';
import { secrets } from '../support/secret-corpus.js';

const body = `${'A'.repeat(64)}\n`;
const key = `-----BEGIN PRIVATE KEY-----\n${body}-----END PRIVATE KEY-----\n`;
const ecKey = `-----BEGIN EC PRIVATE KEY-----\n${body}-----END EC PRIVATE KEY-----\n`;
const certificate = `-----BEGIN CERTIFICATE-----\n${body}-----END CERTIFICATE-----\n`;
const base64 = (text: string): string => Buffer.from(text).toString('base64');

describe('holdsPrivateMaterial', () => {
  const cases = [
    { name: 'a key', given: key, want: true },
    { name: 'an EC key', given: ecKey, want: true },
    { name: 'an encrypted key', given: key.replaceAll('PRIVATE', 'ENCRYPTED PRIVATE'), want: true },
    { name: 'a key after a certificate', given: certificate + key, want: true },
    {
      name: 'a key in a block of YAML',
      given: `data:\n  tls.key: |\n    ${key.replaceAll('\n', '\n    ')}`,
      want: true,
    },
    { name: 'a key in JSON', given: JSON.stringify({ key }), want: true },
    { name: 'a key in a Secret', given: `data:\n  tls.key: ${base64(key)}\n`, want: true },
    {
      name: 'a key after a certificate in a Secret',
      given: `data:\n  a: ${base64(certificate + ecKey)}\n`,
      want: true,
    },
    { name: 'a key in a data URL', given: `source: ${dataUrl(key)}`, want: true },
    {
      name: 'a kubeconfig',
      given: 'users:\n- user:\n    client-key-data: LS0tLS1CRUdJTiBSU0E=\n',
      want: true,
    },
    { name: 'a registry login', given: '{"auths": {"quay.io": {"auth": "Zm9vOmJhcg=="}}}', want: true },
    {
      name: 'a registry login in a Secret',
      given: 'data:\n  .dockerconfigjson: eyJhdXRocyI6e319\n',
      want: true,
    },
    {
      name: 'a proxy with a password',
      given: "export HTTP_PROXY='http://user:p%40ss@proxy.example.com:3128'\n",
      want: true,
    },
    {
      name: 'a proxy without one',
      given: "export HTTP_PROXY='http://user@proxy.example.com:3128'\n",
      want: false,
    },
    {
      name: 'a script that makes such a URL',
      given: 'curl "http://${user}:${password}@$host:80/"\n',
      want: false,
    },
    { name: 'an address with a port', given: 'https://[fd00::1]:6443/a@b\n', want: false },
    { name: 'a certificate', given: certificate, want: false },
    { name: 'a certificate in base64', given: `ca: ${base64(certificate)}`, want: false },
    { name: 'a public key', given: key.replaceAll('PRIVATE', 'PUBLIC'), want: false },
    {
      name: 'a script that looks for keys',
      given: 'grep -q "-----BEGIN PRIVATE KEY-----" "$1"\n',
      want: false,
    },
    {
      name: 'a script that reads a login',
      given: `jq '.auths' < "$1"; oc get -o jsonpath='{.data.\\.dockerconfigjson}'`,
      want: false,
    },
  ];
  it.each(cases)('returns $want for $name', ({ given, want }) => {
    expect(containsPrivateMaterial(given)).toBe(want);
  });

  const { rsaKey, edKey, opensshKey, pullSecret, proxy } = secrets;
  const inFiles = [rsaKey, secrets.ecKey, edKey, opensshKey, pullSecret, proxy].flatMap(({ name, text }) => [
    { name, given: text },
    { name: `${name} in a Secret of a data URL`, given: dataUrl(`data:\n  a: ${base64(`${text}\n`)}\n`) },
    { name: `${name}, percent-encoded`, given: `source: data:,${encodeURIComponent(text)}` },
  ]);
  it.each(inFiles.filter(({ name }) => !name.startsWith('the URL of a proxy in')))(
    'recognizes $name',
    ({ given }) => {
      expect(containsPrivateMaterial(given)).toBe(true);
    },
  );
});
