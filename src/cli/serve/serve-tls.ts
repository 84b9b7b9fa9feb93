import { createPrivateKey, X509Certificate } from 'node:crypto';
import { hostname } from 'node:os';
import { createSecureContext } from 'node:tls';

import { problem } from '../../core/problem.js';
import { failure, success, type Result } from '../../core/result.js';
import { readNamedText } from '../../disk/named-file.js';
import { KeyPem } from '../../formats/keys/key-pem.js';
import { issueServerCertificate } from '../../serve/tokens/server-certificate.js';
import type { ServerTls } from '../../serve/server.js';
import type { ServingState } from '../../serve/tokens/serving-state.js';
import type { ServeOptions } from './serve-options.js';
import type { ServeSettings } from './serve-settings.js';

/**
 * Returns the server certificate: the given one, or one issued by the server's own CA. Problems: media/serve-tls,
 * usage/unreadable-file.
 */
export async function serverTls(
  { tlsCert, tlsKey }: Pick<ServeOptions, 'tlsCert' | 'tlsKey'>,
  {
    settings,
    state,
    now,
  }: { readonly settings: ServeSettings; readonly state: ServingState; readonly now: Date },
): Promise<Result<ServerTls>> {
  if (tlsCert !== undefined && tlsKey !== undefined) return namedTls(tlsCert, tlsKey);
  const { chainPem, keyPem } = await issueServerCertificate(state.authority, {
    hostnames: namesOf(settings),
    now,
  });
  return success({ cert: chainPem, key: keyPem });
}

function namedTls(certPath: string, keyPath: string): Result<ServerTls> {
  const [cert, key] = [readNamedText('--tls-cert', certPath), readNamedText('--tls-key', keyPath)];
  if (!cert.ok) return cert;
  if (!key.ok) return key;
  const fault = tlsFault(cert.value, key.value);
  return fault === undefined ? success({ cert: cert.value, key: new KeyPem(key.value) }) : unsuitable(fault);
}

function tlsFault(cert: string, key: string): string | undefined {
  const x509 = readAs(() => new X509Certificate(cert));
  const privateKey = readAs(() => createPrivateKey(key));
  if (x509 === undefined) return '--tls-cert is not a PEM certificate';
  if (privateKey === undefined) return '--tls-key is not a PEM private key, or is encrypted';
  if (!x509.checkPrivateKey(privateKey)) return '--tls-key does not match --tls-cert';
  // X509Certificate parses only the first certificate. This checks the rest of the chain.
  const context = readAs(() => createSecureContext({ cert, key }));
  return context === undefined ? '--tls-cert contains an invalid or truncated certificate' : undefined;
}

function readAs<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

function unsuitable(message: string): Result<never> {
  return failure(
    problem('media/serve-tls', message, { hint: 'use PEM files, and a key without a passphrase' }),
  );
}

/** Host names of the server certificate; the host of the URL comes first. */
function namesOf({ url, host }: ServeSettings): readonly string[] {
  const named = url.hostname.replace(/^\[|\]$/g, '');
  return [
    ...new Set([named, ...(host === undefined ? [] : [host]), hostname(), 'localhost', '127.0.0.1', '::1']),
  ];
}
