import { fileKubeconfig } from '../../control-plane/shared/file-kubeconfig.js';
import type { NodeFile } from '../../ignition/types.js';
import type { ClientName } from '../../pki/aio-clients.js';
import type { CertifiedKey } from '../../pki/certified-key.js';
import { aioPaths, localApiUrl } from './aio-paths.js';

/** An identity on the node with access to the API: a kubeconfig, certificate and key. */
interface ApiClient {
  readonly client: ClientName;
  readonly user: string;
  readonly kubeconfig: string;
  /** Path of certificate and key, without the extension. */
  readonly pair: string;
}

/** All API clients on the node except the control plane components. */
export const apiClients: readonly ApiClient[] = [
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

/** CA with which clients on the node verify the API server. */
export const apiServerCa = `${aioPaths.kubernetesPki}/api-server-ca.crt`;

/** CA of the kubelet's clients; it signs only the API server's client certificate. */
export const kubeletClientCa = `${aioPaths.kubernetesPki}/kubelet-client-ca.crt`;

function inFolder(client: ClientName, user: string, folder: string): ApiClient {
  return { client, user, kubeconfig: `${folder}/kubeconfig`, pair: `${folder}/client` };
}

/** Kubeconfig, certificate and key of a client. kube-proxy has its own copy of the CA, because its pod mounts only its own folder. */
export function apiClientFiles(
  { user, kubeconfig, pair }: ApiClient,
  { certPem, keyPem }: CertifiedKey,
): readonly NodeFile[] {
  const caFile = pair.startsWith(aioPaths.kubeProxy)
    ? `${aioPaths.kubeProxy}/api-server-ca.crt`
    : apiServerCa;
  const [certFile, keyFile] = [`${pair}.crt`, `${pair}.key`];
  const text = fileKubeconfig({ user, server: localApiUrl, caFile, certFile, keyFile });
  return [
    { path: kubeconfig, mode: 0o600, contents: text },
    { path: certFile, mode: 0o600, contents: certPem },
    { path: keyFile, mode: 0o600, contents: keyPem.reveal() },
  ];
}

/** A world-readable PEM file. */
export function publicPem(path: string, contents: string): NodeFile {
  return { path, mode: 0o644, contents };
}
