import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import type { Machine } from '../real/control-plane/support/machine.js';
import { outputOf } from '../real/control-plane/support/run-program.js';
import { readRoot, type Lab } from './lab.js';
import { nodeName } from './site.js';

/** What somebody else asks of the cluster, each under its name, and what the node's log says of it. */
export const foreignRequests = {
  /** A serving certificate of another node, as somebody who is not its kubelet. */
  'somebody-elses': /is not this kubelet's, it is left alone: /,
  /** The identity of this very node for an attacker's key, with the bootstrap identity that lies on its disk: before the node is in … */
  'attackers-before': /is left alone: its key is not the one that waits on this node's disk$/,
  /** … and when it is. */
  'attackers-after': /is left alone: the kubelet has its client certificate already$/,
} as const;

export type ForeignRequest = keyof typeof foreignRequests;

/** Brings those requests whose time has come and that are not there yet; gives back all that are there. */
export async function askAsOthers(
  lab: Lab,
  machine: Machine,
  root: string,
  asked: readonly ForeignRequest[],
): Promise<readonly ForeignRequest[]> {
  // A link, whose target is a path of the machine.
  const isIn = namesBelow(join(root, 'var/lib/kubelet/pki')).includes('kubelet-client-current.pem');
  const due = (Object.keys(foreignRequests) as ForeignRequest[]).filter(
    (name) => !asked.includes(name) && (name === 'somebody-elses' || isIn === (name === 'attackers-after')),
  );
  const brought: ForeignRequest[] = [];
  for (const name of due) if (await bring(lab, machine, root, name)) brought.push(name);
  return [...asked, ...brought];
}

/** False while no API answers. */
async function bring(lab: Lab, machine: Machine, root: string, name: ForeignRequest): Promise<boolean> {
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

/** A request with a key that is not kept. The string table lifts OpenSSL's limit of 64 characters for common names. */
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
