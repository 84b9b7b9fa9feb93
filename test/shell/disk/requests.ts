import { spawnSync } from 'node:child_process';
import { createHash, X509Certificate } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { liveMachine, type Machine } from './machine.js';

/** The signers, the user that joining kubelets authenticate as, and the node's names. */
export const client = 'kubernetes.io/kube-apiserver-client-kubelet';
const serving = 'kubernetes.io/kubelet-serving';
export const bootstrapper = 'system:serviceaccount:openshift-machine-config-operator:node-bootstrapper';
export const ownNames = 'DNS:sno1,IP:192.168.126.10,IP:fd2e:6f44::10';

/** Options of a certificate request. */
export interface Request {
  readonly signer: string;
  readonly username: string;
  readonly usages: readonly string[];
  readonly subject: string;
  /** A value of openssl's -addext. Default: none. */
  readonly alternativeNames?: string;
  /** Replaces the request that openssl would create. */
  readonly pem?: string;
  /** The key is not on the node's disk. */
  readonly hasOtherKey?: true;
  /** The client certificate of the requester, which API servers report since 1.32. */
  readonly presentedKey?: 'current certificate' | 'another certificate';
}

/** The kubelet's first request for a client certificate. */
export const ownClient: Request = {
  signer: client,
  username: bootstrapper,
  usages: ['digital signature', 'client auth'],
  subject: '/O=system:nodes/CN=system:node:sno1',
};
/** The kubelet's request for a serving certificate. */
export const ownServing: Request = {
  signer: serving,
  username: 'system:node:sno1',
  usages: ['digital signature', 'server auth'],
  subject: '/O=system:nodes/CN=system:node:sno1',
  alternativeNames: ownNames,
};

/** `joining`: the node has a key but no certificate. `joined`: it has both. */
export type NodeState = 'joining' | 'joined';

/** A request created by the real openssl with a throwaway key. */
export function pemOf({ subject, alternativeNames, pem }: Request, key: string): string {
  if (pem !== undefined) return pem;
  const names = alternativeNames === undefined ? [] : ['-addext', `subjectAltName=${alternativeNames}`];
  const { status, stdout, stderr } = spawnSync(
    'openssl',
    ['req', '-new', '-key', key, '-subj', subject, ...names],
    {
      encoding: 'utf8',
    },
  );
  if (status !== 0) throw new Error(stderr);
  return stdout;
}

/** A key that is not on the node. */
export function otherKey(machine: Machine): string {
  return newKey(join(machine.root, 'foreign.key'));
}

/** Creates a key at the path. Returns the path. */
export function newKey(path: string): string {
  openssl('ecparam', '-name', 'prime256v1', '-genkey', '-noout', '-out', path);
  return path;
}

function openssl(...args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync('openssl', args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return stdout;
}

/** Folder of the kubelet's keys and certificates. */
export const pki = 'var/lib/kubelet/pki';
export const pendingKey = `${pki}/kubelet-client.key.tmp`;
export const currentCertificate = `${pki}/kubelet-client-current.pem`;

/** A node with its key on the disk, and with its certificate if it has joined. */
export function nodeInState(state: NodeState): Machine {
  const machine = liveMachine();
  mkdirSync(join(machine.root, pki), { recursive: true });
  const key = newKey(join(machine.root, pendingKey));
  if (state === 'joined') machine.write(currentCertificate, certificateOf(key) + readFileSync(key, 'utf8'));
  return machine;
}

/** A certificate for the key. Only its issuer is invalid. */
export function certificateOf(key: string, days = 3650): string {
  const subject = '/O=system:nodes/CN=system:node:sno1';
  return openssl('req', '-x509', '-new', '-key', key, '-subj', subject, '-days', String(days));
}

/** The CertificateSigningRequest object returned by the API. */
export function objectOf(machine: Machine, name: string, request: Request): object {
  const { signer, username, usages, presentedKey, hasOtherKey } = request;
  const key = hasOtherKey === true ? otherKey(machine) : join(machine.root, pendingKey);
  const spec = {
    signerName: signer,
    username,
    usages,
    request: Buffer.from(pemOf(request, key)).toString('base64'),
    ...(presentedKey && {
      extra: { 'authentication.kubernetes.io/credential-id': [credential(machine, presentedKey)] },
    }),
  };
  return { metadata: { name }, spec };
}

/** Source: apiserver, pkg/authentication/request/x509/x509.go */
function credential(machine: Machine, presentedKey: Required<Request>['presentedKey']): string {
  const der =
    presentedKey === 'current certificate'
      ? new X509Certificate(machine.read(currentCertificate)).raw
      : Buffer.from('another certificate');
  return `X509SHA256=${createHash('sha256').update(der).digest('hex')}`;
}
