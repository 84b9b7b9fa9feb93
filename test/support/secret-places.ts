import { serializeReceipt, type Receipt } from '../../src/disk/receipt/receipt.js';
import { kubeconfigText } from '../remote/kubernetes/throwaway-tls.js';
import { masterConfig } from '../shell/disk/machine-files.js';
import { soundReceipt } from './sound-receipt.js';

/** A place of a secret in a file, and the text of the file that contains it. */
export interface Place {
  readonly name: string;
  readonly write: (secret: string) => string;
}

const rsaLabel = 'key/rsa-2048/tls/root-ca';

/** The fields of a state file that are replaced by the secret. */
export interface StateDocument {
  readonly generatedValues: Readonly<Record<string, string>>;
}

/** Places of a secret in a valid state file. */
export function statePlaces(sound: StateDocument): readonly Place[] {
  const stateWith = (more: object): string => JSON.stringify({ ...sound, ...more });
  const withValues = (more: object): string =>
    stateWith({ generatedValues: { ...sound.generatedValues, ...more } });
  return [
    { name: 'as the whole', write: (secret) => secret },
    { name: 'as a text', write: (secret) => JSON.stringify(secret) },
    { name: 'in broken JSON', write: (secret) => `{"version": 2, "generatedValues": {"a": "${secret}` },
    { name: 'as version', write: (version) => stateWith({ version }) },
    { name: 'as the generated values', write: (generatedValues) => stateWith({ draws: generatedValues }) },
    { name: 'as the name of a generated value', write: (secret) => withValues({ [secret]: 1 }) },
    { name: 'within a draw', write: (secret) => withValues({ [rsaLabel]: [secret] }) },
    {
      name: 'as a broken key',
      write: (secret) =>
        withValues({ [rsaLabel]: `-----BEGIN PRIVATE KEY-----\n${secret}\n-----END PRIVATE KEY-----` }),
    },
    { name: 'as the clock', write: (clock) => withValues({ clock }) },
    { name: 'as the path of a written file', write: (path) => stateWith({ written: { [path]: '0' } }) },
    {
      name: 'as a path outside of the directory',
      write: (path) => stateWith({ written: { [`../${path}`]: '0' } }),
    },
    { name: 'as a hash', write: (secret) => stateWith({ written: { 'metadata.json': secret } }) },
    { name: 'as a variable', write: (name) => stateWith({ environment: { [name]: 'a' } }) },
    {
      name: 'as the value of a variable',
      write: (secret) =>
        stateWith({ environment: { OPENSHIFT_INSTALL_INVOKER: secret, '--offline-files': secret } }),
    },
    { name: 'as the cluster', write: (name) => stateWith({ cluster: { name, baseDomain: name } }) },
    {
      name: 'as a time limit',
      write: (secret) => stateWith({ bootableUntil: secret, bootableFrom: secret }),
    },
    { name: 'as a run', write: (secret) => stateWith({ lastRuns: { [secret]: secret } }) },
  ];
}

/** Places of a secret in the plan of an interrupted run. */
export const planPlaces: readonly Place[] = [
  { name: 'as the whole', write: (secret) => secret },
  { name: 'as a step', write: (secret) => JSON.stringify([secret]) },
  { name: 'as a path', write: (path) => JSON.stringify([{ path }]) },
  { name: 'as a path outside of the directory', write: (path) => JSON.stringify([{ path: `../${path}` }]) },
  { name: 'as a staged file', write: (staged) => JSON.stringify([{ path: 'a', staged }]) },
];

const hash = '0'.repeat(64);

function receiptWith(more: object): string {
  return serializeReceipt({ ...soundReceipt, ...more });
}

/** Places of a secret in a manipulated receipt. */
export const receiptPlaces: readonly Place[] = [
  { name: 'as the whole', write: (secret) => secret },
  { name: 'in broken JSON', write: (secret) => `{"apiVersion": "${secret}` },
  { name: 'as kind', write: (kind) => JSON.stringify({ kind }) },
  { name: 'as another member', write: (secret) => `${receiptWith({}).slice(0, -2)},"a":"${secret}"}\n` },
  { name: 'as target', write: (target) => receiptWith({ target }) },
  { name: 'as the cluster', write: (name) => receiptWith({ cluster: { name, baseDomain: name } }) },
  { name: 'as version', write: (version) => receiptWith({ program: { version } }) },
  {
    name: 'as a variable',
    write: (secret) => receiptWith({ environment: { [secret]: 'a', OPENSHIFT_INSTALL_INVOKER: secret } }),
  },
  {
    name: 'as an output',
    write: (path) => receiptWith({ outputs: [{ path, bytes: 1, mode: '0644', sha256: hash }] }),
  },
  { name: 'as an input', write: (path) => receiptWith({ inputs: [{ path, bytes: 1, sha256: hash }] }) },
  { name: 'as a folder', write: (folder) => receiptWith({ inputFolders: [folder] }) },
  { name: 'as a hash', write: (sha256) => receiptWith({ inputs: [{ path: 'a', bytes: 1, sha256 }] }) },
  {
    name: 'as a live ISO',
    write: (name) =>
      mediumReceiptWith({ liveIso: { name, path: name, release: name, bytes: 1, sha256: hash } }),
  },
  { name: 'as a URL', write: (rootfs) => mediumReceiptWith({ urls: { rootfs } }) },
  { name: 'as a kernel argument', write: (word) => mediumReceiptWith({ kernelArguments: [word] }) },
  {
    name: 'as the config of a medium',
    write: (path) => mediumReceiptWith({ config: { path, bytes: 1, sha256: hash } }),
  },
];

function mediumReceiptWith(changes: Partial<NonNullable<Receipt['medium']>>): string {
  const config = { bytes: 1, sha256: hash };
  return receiptWith({ medium: { config, urls: {}, kernelArguments: [], ...changes } });
}

function tokensWith(members: Readonly<Record<string, unknown>>): string {
  const authority = { keyPem: '-----BEGIN PRIVATE KEY-----', certPem: '-----BEGIN CERTIFICATE-----' };
  const sound = { version: 1, tokenKey: 'A'.repeat(43), generations: {}, viewerGeneration: 0, authority };
  return JSON.stringify({ ...sound, ...members });
}

/** Places of a secret in a manipulated token file. */
export const tokenPlaces: readonly Place[] = [
  { name: 'as the whole', write: (secret) => secret },
  { name: 'in broken JSON', write: (secret) => `{"tokenKey": "${secret}` },
  { name: 'as the key', write: (tokenKey) => tokensWith({ tokenKey }) },
  { name: 'as a name', write: (secret) => tokensWith({ generations: { [secret]: 'a' } }) },
  { name: 'as the authority', write: (keyPem) => tokensWith({ authority: { keyPem, certPem: keyPem } }) },
];

/** No process listens on this port. */
const server = 'https://127.0.0.1:1';
/** Places of a secret in a kubeconfig, valid or invalid. */
export const kubeconfigPlaces: readonly Place[] = [
  { name: 'as the whole', write: (secret) => secret },
  { name: 'in broken YAML', write: (secret) => `users:\n- user: {token: "${secret}"\n  x: [` },
  { name: 'as the server', write: (secret) => kubeconfigText({ server: secret }) },
  { name: 'as a server of https', write: (secret) => kubeconfigText({ server: `https://${secret}` }) },
  {
    name: 'as user of the server',
    write: (user) => kubeconfigText({ server: `https://${user}@127.0.0.1:1` }),
  },
  { name: 'as a certificate', write: (caPem) => kubeconfigText({ server, caPem }) },
  { name: 'as client', write: (pem) => kubeconfigText({ server, client: { certPem: pem, keyPem: pem } }) },
  ...[
    'token',
    'password',
    'username',
    'tokenFile',
    'client-key',
    'client-key-data',
    'exec',
    'auth-provider',
  ].map((field) => ({
    name: `as ${field}`,
    write: (secret: string) => kubeconfigText({ server, user: { [field]: secret } }),
  })),
  {
    name: 'as an argument of a program',
    write: (secret) =>
      kubeconfigText({
        server,
        user: { exec: { command: secret, args: [secret], env: [{ name: 'A', value: secret }] } },
      }),
  },
  ...['proxy-url', 'certificate-authority', 'tls-server-name'].map((field) => ({
    name: `as ${field}`,
    write: (secret: string) => kubeconfigText({ server, cluster: { [field]: secret } }),
  })),
  {
    name: 'as the current context',
    write: (secret) =>
      JSON.stringify({ ...(JSON.parse(kubeconfigText({ server })) as object), 'current-context': secret }),
  },
];

const [masterFile] = masterConfig.storage.files;
/** Places of a secret in the master's config. */
export const masterPlaces: readonly Place[] = [
  { name: 'as the whole', write: (secret) => secret },
  { name: 'in broken JSON', write: (secret) => `{"ignition":{"version":"3.2.0"},"a":"${secret}` },
  { name: 'as version', write: (version) => JSON.stringify({ ...masterConfig, ignition: { version } }) },
  {
    name: 'as the source of a file',
    write: (source) =>
      JSON.stringify({ ...masterConfig, storage: { files: [{ ...masterFile, contents: { source } }] } }),
  },
  {
    name: 'as the path of a file',
    write: (path) => JSON.stringify({ ...masterConfig, storage: { files: [{ ...masterFile, path }] } }),
  },
  {
    name: 'as a unit',
    write: (name) => JSON.stringify({ ...masterConfig, systemd: { units: [{ name, contents: name }] } }),
  },
  {
    name: 'as another member',
    write: (secret) => JSON.stringify({ kind: secret, status: secret, message: secret }),
  },
  { name: 'as a page', write: (secret) => `<html>${secret}</html>` },
];
/** Places of a secret in a MachineConfig or another manifest. */
export const manifestPlaces: readonly Place[] = [
  { name: 'as the whole', write: (secret) => secret },
  { name: 'as kind', write: (secret) => `kind: ${JSON.stringify(secret)}\napiVersion: v1\n` },
  {
    name: 'as a role',
    write: (secret) =>
      JSON.stringify({
        apiVersion: 'machineconfiguration.openshift.io/v1',
        kind: 'MachineConfig',
        metadata: { name: '50-a', labels: { 'machineconfiguration.openshift.io/role': secret } },
        spec: { config: { ignition: { version: '3.2.0' } } },
      }),
  },
  {
    name: 'in the config of a MachineConfig',
    write: (secret) =>
      JSON.stringify({
        apiVersion: 'machineconfiguration.openshift.io/v1',
        kind: 'MachineConfig',
        metadata: { name: secret, labels: { 'machineconfiguration.openshift.io/role': 'master' } },
        spec: {
          config: {
            ignition: { version: secret },
            storage: { files: [{ path: secret, contents: { source: secret } }] },
          },
        },
      }),
  },
  { name: 'in broken YAML', write: (secret) => `a: "${secret}\nb: [` },
];
