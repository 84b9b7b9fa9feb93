import { createPrivateKey, X509Certificate } from 'node:crypto';

import { problem } from '../core/problem.js';
import { failure, success, type Result } from '../core/result.js';

/** PEM, as a kubeconfig holds it or the files that it names; undefined where it has none. */
export interface Credentials {
  readonly authority: Buffer | undefined;
  readonly certificate: Buffer | undefined;
  readonly key: Buffer | undefined;
}

/**
 * When the client certificate ends; undefined without one. Node itself skips an authority that is none, and says what is
 * wrong with the others in the words of OpenSSL. Problems: cluster/kubeconfig.
 */
export function clientCertificateEnd(credentials: Credentials, kubeconfig: string): Result<Date | undefined> {
  const { authority, certificate, key } = credentials;
  if (authority !== undefined && reading(() => new X509Certificate(authority)) === undefined)
    return refused(`certificate-authority of ${kubeconfig} is no certificate`);
  if (certificate === undefined) return success(undefined);
  const client = reading(() => new X509Certificate(certificate));
  if (client === undefined) return refused(`client-certificate of ${kubeconfig} is no certificate`);
  const privateKey = key && reading(() => createPrivateKey(key));
  if (privateKey === undefined) return refused(`client-key of ${kubeconfig} is no private key`);
  if (!client.checkPrivateKey(privateKey))
    return refused(`client-key of ${kubeconfig} is not the key of its client-certificate`);
  return success(new Date(client.validTo));
}

function reading<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

function refused(message: string): Result<never> {
  const hint = 'take the auth/kubeconfig that sno-install wrote, or another with --kubeconfig';
  return failure(problem('cluster/kubeconfig', message, { hint }));
}
