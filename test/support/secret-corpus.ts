import { generateKeyPairSync } from 'node:crypto';

import installConfigFields from '#schemas/install-config' with { type: 'json' };
import snoConfigFields from '#schemas/sno-config' with { type: 'json' };
import type { FieldSchema } from '../../src/formats/field-schema.js';
import { seededEcKey, seededRsaKey } from './seeded-keys.js';

/** A secret, and its parts that must not appear in any output. */
export interface Secret {
  readonly name: string;
  readonly text: string;
  readonly canaries: readonly string[];
}

const auth = Buffer.from('throwaway:canary-of-the-pull-secret').toString('base64');
const password = 'canary-of-the-proxy';
/** A token of an image registry, without a password. */
const hexless = 'sha256~canary-Token_of-Tests7Q2xkZ3Jm';
const jwt = 'eyJhbGciOiJSUzI1NiIsImtpZCI6IiJ9.eyJzdWIiOiJjYW5hcnktb2YtdGVzdHMifQ.Y2FuYXJ5LXNpZ25hdHVyZQ';
/** Valid in form only: its checksum does not match. */
const identity = `AGE-SECRET-KEY-1${'QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L'.repeat(2).slice(0, 58)}`;
const pullSecret = `{"auths":{"quay.io":{"auth":"${auth}"}}}`;

function keySecret(name: string, pem: string): Secret {
  const lines = pem.trim().split('\n').slice(1, -1);
  return { name, text: pem.trim(), canaries: lines.map((line) => line.slice(0, 24)) };
}

const { privateKey } = generateKeyPairSync('ed25519');
const edPem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();

/** Every kind of secret that a user handles while writing the configs. */
export const secrets = {
  rsaKey: keySecret('an RSA key', seededRsaKey('corpus of secrets', 2048)),
  ecKey: keySecret('an EC key', seededEcKey('corpus of secrets', 'P-256')),
  edKey: keySecret('an Ed25519 key', edPem),
  opensshKey: keySecret(
    'a key of OpenSSH',
    seededRsaKey('corpus of secrets', 2048).replaceAll('PRIVATE KEY', 'OPENSSH PRIVATE KEY'),
  ),
  pullSecret: { name: 'a pull secret', text: pullSecret, canaries: [auth, 'canary-of-the-pull'] },
  auth: { name: 'the login of a registry', text: auth, canaries: [auth] },
  proxy: {
    name: 'the URL of a proxy',
    text: `http://user:${password}@proxy.example.com:3128`,
    canaries: [password],
  },
  schemelessProxy: {
    name: 'a proxy without scheme',
    text: `user:${password}@proxy.example.com:3128`,
    canaries: [password],
  },
  slashProxy: {
    name: 'a password with a slash',
    text: `http://user:${password}/x@proxy.example.com:3128`,
    canaries: [password],
  },
  blankProxy: {
    name: 'a password with a blank',
    text: `http://user:a ${password}@proxy.example.com:3128`,
    canaries: [password],
  },
  mirror: {
    name: 'a mirror with its user',
    text: `user:${password}@mirror.example.com/ocp`,
    canaries: [password],
  },
  tokenMirror: {
    name: 'a mirror with a token',
    text: `https://${password}@mirror.example.com/ocp`,
    canaries: [password],
  },
  token: { name: 'an OpenShift token', text: hexless, canaries: ['canary-Token'] },
  identity: { name: 'an age identity', text: identity, canaries: [identity.slice(16, 40)] },
  jwt: { name: 'a JSON Web Token', text: jwt, canaries: [jwt.slice(40, 70)] },
} satisfies Readonly<Record<string, Secret>>;

/** YAML notations of a value. */
export const forms: Readonly<Record<string, (key: string, text: string) => string>> = {
  plain: (key, text) => `${key}: ${text}\n`,
  'in single quotes': (key, text) => `${key}: '${text}'\n`,
  'in double quotes': (key, text) => `${key}: ${JSON.stringify(text)}\n`,
  'in double quotes that are not escaped': (key, text) => `${key}: "${text}"\n`,
  'as a block': (key, text) => `${key}: |\n${text.replace(/^/gm, '  ')}\n`,
  'folded below': (key, text) => `${key}:\n${text.replace(/^/gm, '  ')}\n`,
  'as a list': (key, text) => `${key}:\n- ${text}\n`,
  'as a list in quotes': (key, text) => `${key}: ["${text}", ${text}]\n`,
  'in a map of flow style': (key, text) => `${key}: {${key}: ${text}}\n`,
  'in a map': (key, text) => `${key}:\n  value: ${text}\n  name: ${text}\n  cidr: ${text}\n`,
  'behind a tab': (key, text) => `${key}:\t${text}\n\tx: ${text}\n`,
  'without the end of its quotes': (key, text) => `${key}: '${text}\n`,
  'with something after its quotes': (key, text) => `${key}: '${text}' and '${text}'\n`,
  twice: (key, text) => `${key}: '${text}'\n${key}: '${text}'\n`,
  'as a comment in a broken line': (key, text) => `${key}: a: b # ${text}\n`,
  'as a key': (key, text) => `${key}: x\n"${text.replaceAll('\n', '\\n')}": y\n`,
  'with an anchor': (key, text) => `${key}: &a ${text}\nx: *b ${text}\n`,
  'with a tag': (key, text) => `${key}: !secret ${text}\n`,
  'with a NUL byte': (key, text) => `${key}: ${text}\u0000\n`,
  'with a control character': (key, text) => `${key}: "\u0007${text}"\n`,
};

/** The path of every text field of a config. */
function textPaths(schema: FieldSchema, path: readonly string[] = []): readonly (readonly string[])[] {
  if (schema.type === 'string') return [path];
  const items = schema.items ? textPaths(schema.items, [...path, '[]']) : [];
  const fields = Object.entries(schema.properties ?? {}).flatMap(([name, field]) =>
    textPaths(field, [...path, name]),
  );
  const more = schema.additionalProperties ? textPaths(schema.additionalProperties, [...path, 'any']) : [];
  return [...items, ...fields, ...more];
}

/** The YAML of one text at a path: `aio.files.[].url` with its maps and lists. */
export function yamlAt([step, ...rest]: readonly string[], text: string): string {
  if (step === undefined) return ` ${JSON.stringify(text)}\n`;
  const below = yamlAt(rest, text).replace(/^(?=.)(?! ")/gm, '  ');
  if (step === '[]') return `\n-${below.replace(/^\n/, '').replace(/^ {2}/, ' ')}`;
  return `\n${step}:${below}`;
}

export const textFields = {
  'install-config.yaml': textPaths(installConfigFields),
  'sno-config.yaml': textPaths(snoConfigFields),
} as const;

/** Every notation that marks a document as a Secret. */
export const secretDocuments: Readonly<Record<string, (value: string) => string>> = {
  plain: (value) => `apiVersion: v1\nkind: Secret\nmetadata:\n  name: a\nstringData:\n  name: ${value}\n`,
  'in single quotes': (value) => `apiVersion: v1\nkind: 'Secret'\nstringData:\n  name: ${value}\n`,
  'in double quotes': (value) => `apiVersion: v1\n"kind" : "Secret"\nstringData:\n  name: ${value}\n`,
  'with a comment': (value) => `kind: Secret # note\napiVersion: v1\nstringData:\n  name: ${value}\n`,
  'with a tag': (value) => `apiVersion: v1\nkind: !!str Secret\nstringData: {name: ${value}}\n`,
  'with an anchor': (value) => `apiVersion: v1\nkind: &k Secret\nstringData: {name: ${value}}\n`,
  'in flow style': (value) => `{apiVersion: v1, kind: Secret, stringData: {name: ${value}}}\n`,
  'in flow style with quotes': (value) =>
    `{"apiVersion":"v1","kind":"Secret","stringData":{"a":"${value}"}}\n`,
  'in JSON over lines': (value) =>
    `{\n  "kind"\n  :\n  "Secret",\n  "stringData": {\n    "a": "${value}"\n  }\n}\n`,
  'on the next line': (value) => `apiVersion: v1\nkind:\n  Secret\nstringData:\n  name: ${value}\n`,
  'with an explicit key': (value) => `apiVersion: v1\n? kind\n: Secret\nstringData:\n  name: ${value}\n`,
  'as a block': (value) => `apiVersion: v1\nkind: >-\n  Secret\nstringData:\n  name: ${value}\n`,
  'with an escape': (value) => `apiVersion: v1\n"kind": "Se\\u0063ret"\nstringData:\n  name: ${value}\n`,
  'with an escaped key': (value) => `apiVersion: v1\n"k\\x69nd": Secret\nstringData:\n  name: ${value}\n`,
  'in a list': (value) => `kind: List\nitems:\n- kind: Secret\n  stringData:\n    name: ${value}\n`,
  'in a list of Secrets': (value) => `kind: SecretList\nitems:\n- stringData:\n    name: ${value}\n`,
  'as the second document': (value) => `kind: ConfigMap\n---\nstringData:\n  name: ${value}\nkind: Secret\n`,
  'with a broken line': (value) => `kind: Secret\nstringData:\n  name: ${value}\n x: : y\n`,
};
