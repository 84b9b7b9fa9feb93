import { defineAsset } from '../../graph/asset.js';
import type { NodeFile } from '../../ignition/types.js';
import { fileKubeconfig } from '../control-plane/kubeconfig.js';
import type { CertifiedKey } from '../tls/certified-key.js';
import type { ClientName } from './certificate-catalog.js';
import { clientPairs, pairOf, rotatorPairs } from './certificates.js';
import { aioPaths, localApi } from './paths.js';

/** How one identity on the node reaches the API: a folder with kubeconfig, certificate, key and the API's authority. */
interface Access {
  readonly client: ClientName;
  readonly user: string;
  readonly kubeconfig: string;
  /** Path of the pair without its ending. */
  readonly pair: string;
}

/** Everyone on the node who is not a component of the control plane. */
const accesses: readonly Access[] = [
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

/**
 * Kubeconfigs over files, the pairs they name, and the authorities that the node needs: the API's, and that of the API
 * server as a client of the kubelet.
 */
export const accessFiles = defineAsset({
  name: 'aio/access-files',
  needs: { clients: clientPairs, rotators: rotatorPairs },
  make: ({ clients, rotators }): readonly NodeFile[] => [
    publicPem(apiAuthority, pairOf(rotators, 'localhost-serving-signer').certPem),
    publicPem(kubeletClientAuthority, pairOf(rotators, 'kube-apiserver-to-kubelet-signer').certPem),
    // The container of kube-proxy sees its own folder only.
    publicPem(
      `${aioPaths.kubeProxy}/api-server-ca.crt`,
      pairOf(rotators, 'localhost-serving-signer').certPem,
    ),
    ...accesses.flatMap((access) => filesOf(access, clients[access.client])),
  ],
});

const apiAuthority = `${aioPaths.kubernetesPki}/api-server-ca.crt`;

/** Whose certificates the kubelet takes: the API server's alone. */
export const kubeletClientAuthority = `${aioPaths.kubernetesPki}/kubelet-client-ca.crt`;

function inFolder(client: ClientName, user: string, folder: string): Access {
  return { client, user, kubeconfig: `${folder}/kubeconfig`, pair: `${folder}/client` };
}

function filesOf({ user, kubeconfig, pair }: Access, { certPem, keyPem }: CertifiedKey): readonly NodeFile[] {
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

function publicPem(path: string, contents: string): NodeFile {
  return { path, mode: 0o644, contents };
}
