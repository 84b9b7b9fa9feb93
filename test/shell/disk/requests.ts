import { spawnSync } from 'node:child_process';
import { createHash, X509Certificate } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { liveMachine, type Machine } from './machine.js';

/** The signers, the identity that kubelets join with, and the names of the node. */
export const client = 'kubernetes.io/kube-apiserver-client-kubelet';
const serving = 'kubernetes.io/kubelet-serving';
export const bootstrapper = 'system:serviceaccount:openshift-machine-config-operator:node-bootstrapper';
export const ownNames = 'DNS:sno1,IP:192.168.126.10,IP:fd2e:6f44::10';

/** A certificate request as a test describes it. */
export interface Request {
  readonly signer: string;
  readonly username: string;
  readonly usages: readonly string[];
  readonly subject: string;
  /** As openssl's -addext takes it; none when undefined. */
  readonly alternativeNames?: string;
  /** The PEM to send instead of a request by openssl. */
  readonly pem?: string;
  /** Of a key that is not on the node's disk. */
  readonly isOfForeignKey?: true;
  /** The certificate that it was asked for with, as an API server since 1.32 says. */
  readonly askedWith?: 'current certificate' | 'another certificate';
}

/** The first one of the kubelet. */
export const ownClient: Request = {
  signer: client,
  username: bootstrapper,
  usages: ['digital signature', 'client auth'],
  subject: '/O=system:nodes/CN=system:node:sno1',
};
/** That for its serving certificate. */
export const ownServing: Request = {
  signer: serving,
  username: 'system:node:sno1',
  usages: ['digital signature', 'server auth'],
  subject: '/O=system:nodes/CN=system:node:sno1',
  alternativeNames: ownNames,
};

/** A node whose key waits for its first certificate, or one that has it. */
export type NodeState = 'joining' | 'joined';

/** A request by the real openssl, of a throwaway key. */
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

/** A key that is not the node's. */
export function foreignKey(machine: Machine): string {
  return newKey(join(machine.root, 'foreign.key'));
}

/** A new key at the path, which it gives back. */
export function newKey(path: string): string {
  openssl('ecparam', '-name', 'prime256v1', '-genkey', '-noout', '-out', path);
  return path;
}

function openssl(...args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync('openssl', args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return stdout;
}

/** Where the kubelet has its keys and certificates. */
export const pki = 'var/lib/kubelet/pki';
export const pendingKey = `${pki}/kubelet-client.key.tmp`;
export const currentCertificate = `${pki}/kubelet-client-current.pem`;

/** A node with its key on the disk, and its certificate where it has joined. */
export function nodeThatIs(state: NodeState): Machine {
  const machine = liveMachine();
  mkdirSync(join(machine.root, pki), { recursive: true });
  const key = newKey(join(machine.root, pendingKey));
  if (state === 'joined') machine.write(currentCertificate, certificateOf(key) + readFileSync(key, 'utf8'));
  return machine;
}

/** A certificate of the key, as good as any to whoever does not ask who signed it. */
export function certificateOf(key: string, days = 3650): string {
  const subject = '/O=system:nodes/CN=system:node:sno1';
  return openssl('req', '-x509', '-new', '-key', key, '-subj', subject, '-days', String(days));
}

/** The request as the API gives it. */
export function objectOf(machine: Machine, name: string, request: Request): object {
  const { signer, username, usages, askedWith, isOfForeignKey } = request;
  const key = isOfForeignKey === true ? foreignKey(machine) : join(machine.root, pendingKey);
  const spec = {
    signerName: signer,
    username,
    usages,
    request: Buffer.from(pemOf(request, key)).toString('base64'),
    ...(askedWith && {
      extra: { 'authentication.kubernetes.io/credential-id': [credential(machine, askedWith)] },
    }),
  };
  return { metadata: { name }, spec };
}

/** Source: apiserver, pkg/authentication/request/x509/x509.go */
function credential(machine: Machine, askedWith: Required<Request>['askedWith']): string {
  const der =
    askedWith === 'current certificate'
      ? new X509Certificate(machine.read(currentCertificate)).raw
      : Buffer.from('another certificate');
  return `X509SHA256=${createHash('sha256').update(der).digest('hex')}`;
}
