import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import type { Machine } from '../real/control-plane/support/machine.js';
import { outputOf } from '../real/control-plane/support/run-program.js';
import { readRoot, type Lab } from './lab.js';
import { nodeName } from './site.js';

/** Certificate requests by other clients, by name, and the node's log line for each. */
export const outsideRequests = {
  /** A serving certificate for another node, requested by a client that is not its kubelet. */
  'somebody-elses': /is not from this kubelet and is not approved: /,
  /** A client certificate for this node with an attacker's key, requested with the bootstrap kubeconfig before the node has joined. */
  'attackers-before': /is not approved: its key is not the one that waits on this node's disk$/,
  /** The same request after the node has joined. */
  'attackers-after': /is not approved: the kubelet has its client certificate already$/,
} as const;

export type OutsideRequest = keyof typeof outsideRequests;

/** Creates the requests that are due and do not exist yet. Returns all that exist. */
export async function createOutsideRequests(
  lab: Lab,
  machine: Machine,
  root: string,
  wanted: readonly OutsideRequest[],
): Promise<readonly OutsideRequest[]> {
  // A symlink; its target is a path on the machine.
  const isIn = namesBelow(join(root, 'var/lib/kubelet/pki')).includes('kubelet-client-current.pem');
  const due = (Object.keys(outsideRequests) as OutsideRequest[]).filter(
    (name) => !wanted.includes(name) && (name === 'somebody-elses' || isIn === (name === 'attackers-after')),
  );
  const brought: OutsideRequest[] = [];
  for (const name of due) if (await createRequest(lab, machine, root, name)) brought.push(name);
  return [...wanted, ...brought];
}

/** Returns false while the API server does not answer. */
async function createRequest(
  lab: Lab,
  machine: Machine,
  root: string,
  name: OutsideRequest,
): Promise<boolean> {
  const isServing = name === 'somebody-elses';
  const node = isServing ? 'node2' : nodeName;
  const names = isServing ? ['-addext', 'subjectAltName=DNS:node2,IP:192.168.126.11'] : [];
  const request = {
    apiVersion: 'certificates.k8s.io/v1',
    kind: 'CertificateSigningRequest',
    metadata: { name },
    spec: {
      request: Buffer.from(await requestPem(`/O=system:nodes/CN=system:node:${node}`, names)).toString(
        'base64',
      ),
      signerName: `kubernetes.io/${isServing ? 'kubelet-serving' : 'kube-apiserver-client-kubelet'}`,
      usages: ['digital signature', isServing ? 'server auth' : 'client auth'],
    },
  };
  const kubeconfig = isServing ? lab.site.adminKubeconfig : readRoot(root, 'etc/kubernetes/kubeconfig');
  const argv = ['create', '--request-timeout=5s', '-f', '-'];
  return (await machine.kubectl(kubeconfig, argv, JSON.stringify(request))).code === 0;
}

/** A certificate request whose key is discarded. The string table lifts OpenSSL's limit of 64 characters for common names. */
async function requestPem(subject: string, more: readonly string[]): Promise<string> {
  const config =
    'openssl_conf=i\n[i]\nstbl_section=s\n[s]\nCN=min:1,max:255\n[req]\ndistinguished_name=d\n[d]\n';
  const script =
    `openssl req -new -newkey ec -pkeyopt ec_paramgen_curve:P-256 -noenc -keyout /dev/null -config <(printf '${config}') ` +
    '-subj "${@}" 2>/dev/null';
  return outputOf(['bash', '-c', script, 'bash', subject, ...more]);
}

function namesBelow(folder: string): readonly string[] {
  return existsSync(folder) ? readdirSync(folder) : [];
}
