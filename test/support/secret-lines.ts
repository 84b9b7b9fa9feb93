import { secrets } from './secret-corpus.js';
import { seededRsaKey } from './seeded-keys.js';

/** A line of a log or manifest, and the secret part of it. */
export interface SecretLine {
  readonly name: string;
  readonly line: string;
  readonly secret: string;
}

const key = seededRsaKey('corpus of lines', 2048);
const auth = Buffer.from('user:canary-pull-secret').toString('base64');
const pullSecret = { auths: { 'registry.example.com': { auth } } };
const base64 = (text: string): string => Buffer.from(text).toString('base64');
const word = 'canary-91ab7d1f0c1b5e';

/** Lines that both redactions, the node's and that of `analyze`, must redact. */
export const secretLines: readonly SecretLine[] = [
  { name: 'a key on one line', line: JSON.stringify({ key }), secret: key.split('\n')[3] ?? 'none' },
  { name: 'a key in base64', line: `data: ${base64(key)}`, secret: base64(key).slice(100, 140) },
  {
    name: 'a certificate and its key in base64',
    line: `pem: ${base64(`-----BEGIN CERTIFICATE-----\n${'A'.repeat(64)}\n-----END CERTIFICATE-----\n${key}`)}`,
    secret: base64('A'.repeat(64)).slice(0, 40),
  },
  ...[0, 1, 2].map((offset) => ({
    name: `a key in base64 after ${offset} other bytes`,
    line: `x: ${base64(`${' '.repeat(offset)}${key}`)}`,
    secret: base64(`${' '.repeat(offset)}${key}`).slice(200, 240),
  })),
  { name: 'a pull secret', line: JSON.stringify(pullSecret), secret: auth },
  {
    name: 'a pull secret in JSON in JSON',
    line: JSON.stringify({ a: JSON.stringify(pullSecret) }),
    secret: auth,
  },
  ...['', ' ', '  ', '\t'].map((indent) => ({
    name: `a pull secret in base64, set in by ${JSON.stringify(indent)}`,
    line: `value ${base64(JSON.stringify(pullSecret, null, indent))}`,
    secret: base64(JSON.stringify(pullSecret, null, indent)).slice(40, 70),
  })),
  { name: 'a login in YAML', line: `    auth: ${auth}`, secret: auth },
  { name: 'a secret in YAML', line: `  secret: ${word}`, secret: word },
  { name: 'a password in YAML', line: `  password: ${word}`, secret: word },
  { name: 'a password in quotes', line: `  password: "${word}"`, secret: word },
  { name: 'a password in JSON', line: `{"user":"a","password":"${word}"}`, secret: word },
  { name: 'a password in Python', line: `{'user': 'a', 'password': '${word}'}`, secret: word },
  { name: 'a password as option', line: `connect host=a password=${word} user=b`, secret: word },
  { name: 'a password in a query', line: `GET /a?x=1&access_token=${word}&b=c`, secret: word },
  { name: 'an option', line: `run --token=${word}`, secret: word },
  { name: 'a bearer token', line: `Authorization: Bearer ${word}`, secret: word },
  { name: 'basic credentials', line: `authorization: basic ${auth}`, secret: auth },
  { name: 'a kubeconfig', line: `client-key-data: ${base64(key)}`, secret: base64(key).slice(20, 60) },
  {
    name: 'a Secret of a registry',
    line: `  .dockerconfigjson: ${base64(JSON.stringify(pullSecret))}`,
    secret: base64(JSON.stringify(pullSecret)).slice(8, 40),
  },
  { name: 'a password in a URL', line: `proxy http://user:${word}@proxy:3128`, secret: word },
  { name: 'a token in a URL', line: `clone https://${word}@git.example.com/a`, secret: word },
  { name: 'a JSON Web Token', line: `got ${secrets.jwt.text} here`, secret: secrets.jwt.text.slice(50, 80) },
  { name: 'an OpenShift token', line: `oc login --token ${secrets.token.text}`, secret: 'canary-Token' },
];

/** Lines that both redactions must not change. */
export const plainLines: readonly string[] = [
  'the SHA-256 of the snapshot of etcd is not 3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855a, which the bootstrap recorded',
  'pulling quay.io/openshift-release-dev/ocp-release@sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef failed',
  "the host name is 'localhost': set one with hostname in sno-config.yaml, by DHCP or by reverse DNS",
  'ssh-rsa AAAA',
  '"initialClusterToken": "etcd-cluster"',
  'Get "https://api-int.site1.example.com:6443/api/v1/nodes": dial tcp 192.168.126.10:6443: connect: connection refused',
];
