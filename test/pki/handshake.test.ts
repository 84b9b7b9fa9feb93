import { once } from 'node:events';
import { isIP } from 'node:net';
import { checkServerIdentity, connect, createServer, type TLSSocket } from 'node:tls';
import { beforeAll, describe, expect, it } from 'vitest';

import type { CertifiedKey } from '../../src/pki/certified-key.js';
import { snoConfigText } from '../support/minimal-config.js';
import { makePki, type Pki } from '../support/pki.js';

// A handshake uses the real clock, so the certificates must be valid now.
const present = new Date();

let pki: Pki;
beforeAll(async () => {
  pki = await makePki({ now: present });
});

interface Attempt {
  readonly serving: CertifiedKey;
  /** PEM of the CAs that the client trusts. */
  readonly ca: string;
  readonly hostname: string;
  readonly client?: CertifiedKey;
  /** PEM of the CAs that the server trusts. If set, the server requests a client certificate. */
  readonly clientCa?: string;
}

/** Runs a TLS handshake on loopback. Returns the name in the client certificate, or the error. */
async function handshake({ serving, ca, hostname, client, clientCa }: Attempt): Promise<string> {
  const server = createServer({
    key: serving.keyPem.reveal(),
    cert: serving.chainPem,
    ...(clientCa !== undefined && { ca: clientCa, requestCert: true, rejectUnauthorized: true }),
  });
  const accepted = new Promise<string>((resolve) => {
    server.on('secureConnection', (socket: TLSSocket) => {
      // The client closes right after the handshake, which some Node.js releases report as an error of the server socket.
      socket.on('error', () => undefined);
      const subject: unknown = socket.getPeerCertificate().subject;
      resolve(
        typeof subject === 'object' && subject !== null && 'CN' in subject ? String(subject.CN) : 'nobody',
      );
      socket.end();
    });
    server.on('tlsClientError', (error: Error) => {
      resolve(`refused by the server: ${'code' in error ? String(error.code) : error.message}`);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const socket = connect({
    host: '127.0.0.1',
    port,
    ca,
    // An address is not sent as a server name (RFC 6066 §3), so Node.js would check the address of the connection.
    ...(isIP(hostname) === 0 ? { servername: hostname } : {}),
    checkServerIdentity: (_connected, certificate) => checkServerIdentity(hostname, certificate),
    ...(client && { key: client.keyPem.reveal(), cert: client.chainPem }),
  });
  const refused = new Promise<string>((resolve) => {
    socket.on('error', (error: Error) => {
      resolve(`refused by the client: ${'code' in error ? String(error.code) : error.message}`);
    });
  });
  socket.resume();
  const result = await Promise.race([refused, accepted]);
  socket.destroy();
  server.close();
  return result;
}

describe('a serving certificate', () => {
  const serving = [
    ['kube-apiserver-localhost-server', 'kube-apiserver-localhost-ca-bundle'],
    ['kube-apiserver-service-network-server', 'kube-apiserver-service-network-ca-bundle'],
    ['kube-apiserver-lb-server', 'kube-apiserver-lb-ca-bundle'],
    ['kube-apiserver-internal-lb-server', 'kube-apiserver-complete-server-ca-bundle'],
  ] as const;
  it.each(serving)('%s is trusted under each of its names by clients with %s', async (base, bundle) => {
    const pair = pki.leaves[base];
    expect(pair.hostnames.length).toBeGreaterThan(0);
    for (const hostname of pair.hostnames) {
      expect(await handshake({ serving: pair, ca: pki.bundles[bundle], hostname }), hostname).toBe('nobody');
    }
  });

  it.each(['machine-config-server', 'journal-gatewayd'] as const)(
    '%s is trusted by clients with the root',
    async (base) => {
      const pair = pki.leaves[base];
      const ca = pki.signers['root-ca'].certPem;
      const result = await handshake({ serving: pair, ca, hostname: pair.hostnames[0] ?? 'localhost' });
      expect(result).toBe(
        base === 'journal-gatewayd' ? 'refused by the client: ERR_TLS_CERT_ALTNAME_INVALID' : 'nobody',
      );
    },
  );

  it('is rejected under another name and with another authority', async () => {
    const pair = pki.leaves['kube-apiserver-lb-server'];
    const ca = pki.bundles['kube-apiserver-lb-ca-bundle'];
    const hostname = pair.hostnames[0] ?? '';

    expect(await handshake({ serving: pair, ca, hostname: 'localhost' })).toBe(
      'refused by the client: ERR_TLS_CERT_ALTNAME_INVALID',
    );
    expect(await handshake({ serving: pair, ca: pki.signers['root-ca'].certPem, hostname })).toMatch(
      /^refused by the client: (SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_GET_ISSUER_CERT_LOCALLY)$/,
    );
  });
});

describe('a client certificate', () => {
  const clients = [
    ['admin-kubeconfig-client', 'system:admin'],
    ['kube-apiserver-to-kubelet-client', 'system:kube-apiserver'],
    ['kube-control-plane-kube-controller-manager-client', 'system:admin'],
    ['kube-control-plane-kube-scheduler-client', 'system:admin'],
    ['kubelet-client', 'system:serviceaccount:openshift-machine-config-operator:node-bootstrapper'],
  ] as const;
  it.each(clients)('%s is known to kube-apiserver as %s', async (base, name) => {
    expect(await asClient(pki.leaves[base], pki.bundles['kube-apiserver-complete-client-ca-bundle'])).toBe(
      name,
    );
  });

  it('of the aggregator is known by its own bundle and by no other', async () => {
    const client = pki.leaves['aggregator-client'];

    expect(await asClient(client, pki.bundles['aggregator-ca-bundle'])).toBe('system:kube-apiserver-proxy');
    expect(await asClient(client, pki.bundles['kube-apiserver-complete-client-ca-bundle'])).toMatch(
      /^refused/,
    );
  });

  function asClient(client: CertifiedKey, clientCa: string): Promise<string> {
    const serving = pki.leaves['kube-apiserver-localhost-server'];
    const ca = pki.bundles['kube-apiserver-localhost-ca-bundle'];
    return handshake({ serving, ca, hostname: 'localhost', client, clientCa });
  }
});

describe.each(['ECDSA-P256', 'ECDSA-P384'])('certificates of %s', (algorithm) => {
  it('serve and identify alike', async () => {
    const files = { 'sno-config.yaml': snoConfigText(`certificates: { keyAlgorithm: ${algorithm} }\n`) };
    const { leaves, bundles } = await makePki({ now: present, files });

    const attempt: Attempt = {
      serving: leaves['kube-apiserver-service-network-server'],
      ca: bundles['kube-apiserver-complete-server-ca-bundle'],
      hostname: '172.30.0.1',
      client: leaves['kube-control-plane-kube-scheduler-client'],
      clientCa: bundles['kube-apiserver-complete-client-ca-bundle'],
    };
    expect(await handshake(attempt)).toBe('system:admin');
    expect(await handshake({ ...attempt, hostname: '172.30.0.2' })).toBe(
      'refused by the client: ERR_TLS_CERT_ALTNAME_INVALID',
    );
  });
});
