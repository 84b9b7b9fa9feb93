import { createServer } from 'node:https';

import { onTestFinished } from 'vitest';

import { kubeconfigText, type ApiCertificates } from '../../remote/kubernetes/throwaway-tls.js';
import { listeningPort } from '../../support/ports.js';

/** Kubeconfig of an API whose bootstrap is complete. It trusts the authority of the API, or `caPem`. */
export async function completeApi(
  { serving, authority, admin }: ApiCertificates,
  caPem = authority.certPem,
): Promise<string> {
  const server = createServer({ key: serving.keyPem, cert: serving.certPem }, (_request, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ kind: 'ConfigMap', apiVersion: 'v1', data: { status: 'complete' } }));
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return kubeconfigText({
    server: `https://127.0.0.1:${await listeningPort(server)}`,
    caPem,
    client: admin,
    cluster: { 'tls-server-name': 'api.site1.example.com' },
  });
}
