import { fileKubeconfig } from '../../control-plane/shared/file-kubeconfig.js';
import type { NodeFile } from '../../ignition/types.js';
import type { ClientName } from '../../pki/aio-clients.js';
import type { CertifiedKey } from '../../pki/certified-key.js';
import { aioPaths, localApi } from './aio-paths.js';

/** How one identity on the node reaches the API: a folder with kubeconfig, certificate, key and the API's authority. */
interface Access {
  readonly client: ClientName;
  readonly user: string;
  readonly kubeconfig: string;
  /** Path of the pair without its ending. */
  readonly pair: string;
}

/** Everyone on the node who is not a component of the control plane. */
export const accesses: readonly Access[] = [
  {
    client: 'kubelet-bootstrap-client',
    user: 'kubelet-bootstrap',
    kubeconfig: aioPaths.bootstrapKubeconfig,
    pair: `${aioPaths.kubernetesPki}/kubelet-bootstrap`,
  },
  inFolder('aiokube-client', 'aiokube', aioPaths.bootAdmin),
  inFolder('csr-approver-client', 'csr-approver', aioPaths.approver),
  inFolder('kube-proxy-client', 'kube-proxy', aioPaths.kubeProxy),
];

/** The authority that clients on the node know the API server by. */
export const apiAuthority = `${aioPaths.kubernetesPki}/api-server-ca.crt`;

/** Whose certificates the kubelet takes: the API server's alone. */
export const kubeletClientAuthority = `${aioPaths.kubernetesPki}/kubelet-client-ca.crt`;

function inFolder(client: ClientName, user: string, folder: string): Access {
  return { client, user, kubeconfig: `${folder}/kubeconfig`, pair: `${folder}/client` };
}

/** The kubeconfig of a client, its pair, and where it needs one of its own, the authority. */
export function filesOf(
  { user, kubeconfig, pair }: Access,
  { certPem, keyPem }: CertifiedKey,
): readonly NodeFile[] {
  const caFile = pair.startsWith(aioPaths.kubeProxy)
    ? `${aioPaths.kubeProxy}/api-server-ca.crt`
    : apiAuthority;
  const [certFile, keyFile] = [`${pair}.crt`, `${pair}.key`];
  const text = fileKubeconfig({ user, server: localApi, caFile, certFile, keyFile });
  return [
    { path: kubeconfig, mode: 0o600, contents: text },
    { path: certFile, mode: 0o600, contents: certPem },
    { path: keyFile, mode: 0o600, contents: keyPem },
  ];
}

/** A PEM file that everybody may read. */
export function publicPem(path: string, contents: string): NodeFile {
  return { path, mode: 0o644, contents };
}
