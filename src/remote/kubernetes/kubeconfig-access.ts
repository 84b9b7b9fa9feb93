import { X509Certificate, createPrivateKey } from 'node:crypto';
import { dirname, resolve } from 'node:path';

import type * as ClientNode from '@kubernetes/client-node';

import { problem } from '../../core/problem.js';
import { type Result, failure, success } from '../../core/result.js';
import { reasonOf } from '../../disk/system-error.js';
import { readRegularFile } from '../../disk/regular-file.js';
import type * as ClientPackage from './client-package.js';

/** The parts of `@kubernetes/client-node` that we use, loaded before the first request. */
export type Client = typeof ClientPackage;

/** A kubeconfig and its trust level. */
export interface Connection {
  /** Path as the user wrote it. Files that it names are relative to its folder. */
  readonly path: string;
  readonly text: string;
  /** Whether to accept everything in the kubeconfig: credential plugins are run, and insecure servers are accepted. */
  readonly isTrusted?: boolean;
  readonly present: () => Date;
  /** Cancels pending requests. */
  readonly stop: AbortSignal;
}

/** API access of a kubeconfig, its context resolved. */
export interface Access {
  readonly config: ClientNode.KubeConfig;
  readonly server: string;
  readonly certificateEnd: Date | undefined;
}

function refused(message: string): Result<never> {
  const hint = 'use the auth/kubeconfig that sno-install wrote, or name another file with --kubeconfig';
  return failure(problem('cluster/kubeconfig', message, { hint }));
}

function notTrusted(path: string, danger: string): Result<never> {
  const hint = 'if you trust this file, add --trust-kubeconfig';
  return failure(
    problem('cluster/kubeconfig', `${path} ${danger}, which kubeconfigs of sno-install never do`, { hint }),
  );
}

/** Returns a setting that is rejected in an untrusted kubeconfig. Our own kubeconfigs contain only certificates. */
function unsafeSetting(cluster: ClientNode.Cluster, user: ClientNode.User): string | undefined {
  if (Boolean(user.exec)) return 'runs a program (`exec`)';
  if (Boolean(user.authProvider)) return 'uses an `auth-provider`, which may run a program';
  return cluster.skipTLSVerify
    ? "disables the check of the server's certificate (`insecure-skip-tls-verify`)"
    : undefined;
}

/** The package reads these files again for each request, and would block on a FIFO forever. */
function whyNotRead(file: string | undefined): string | undefined {
  const read = file === undefined || file === '' ? undefined : readRegularFile(file);
  if (read?.kind === 'absent') return 'it does not exist';
  return read?.kind === 'unreadable' ? read.reason : undefined;
}

/** Server and user of the kubeconfig's current context. Problems: those of kubeconfigs. */
export function accessOf(client: Client, { path, text, isTrusted = false }: Connection): Result<Access> {
  const config = new client.KubeConfig();
  try {
    config.loadFromString(text);
    config.makePathsAbsolute(resolve(dirname(path)));
  } catch {
    // The parser's message may quote a key.
    return refused(`${path} is not a valid kubeconfig`);
  }
  const [cluster, user] = [config.getCurrentCluster(), config.getCurrentUser()];
  if (cluster === null || user === null)
    return refused(`the current context of ${path} has no valid cluster or user`);
  const danger = isTrusted ? undefined : unsafeSetting(cluster, user);
  if (danger !== undefined) return notTrusted(path, danger);
  const { server } = cluster;
  if (!URL.canParse(server) || !server.startsWith('https:'))
    return refused(`the server in ${path} is not an https:// URL`);
  const unreadable = [cluster.caFile, user.certFile, user.keyFile].map(whyNotRead).find(Boolean);
  if (unreadable !== undefined) return refused(`cannot read a file named in ${path}: ${unreadable}`);
  try {
    const end = clientCertificateEnd(
      {
        authority: client.bufferFromFileOrString(cluster.caFile, cluster.caData) ?? undefined,
        certificate: client.bufferFromFileOrString(user.certFile, user.certData) ?? undefined,
        key: client.bufferFromFileOrString(user.keyFile, user.keyData) ?? undefined,
      },
      path,
    );
    return end.ok ? success({ config, server, certificateEnd: end.value }) : end;
  } catch (error) {
    return refused(`cannot read a file named in ${path}: ${reasonOf(error)}`);
  }
}

/** PEM from the kubeconfig or the files that it names; undefined if missing. */
interface Credentials {
  readonly authority: Buffer | undefined;
  readonly certificate: Buffer | undefined;
  readonly key: Buffer | undefined;
}

/**
 * End of the client certificate's validity; undefined without one. Node ignores an invalid CA certificate, and reports other errors
 * in the words of OpenSSL, so both are checked here. Problems: cluster/kubeconfig.
 */
function clientCertificateEnd(credentials: Credentials, kubeconfig: string): Result<Date | undefined> {
  const { authority, certificate, key } = credentials;
  if (authority !== undefined && valueOrUndefined(() => new X509Certificate(authority)) === undefined)
    return refused(`certificate-authority in ${kubeconfig} is not a certificate`);
  if (certificate === undefined) return success(undefined);
  const client = valueOrUndefined(() => new X509Certificate(certificate));
  if (client === undefined) return refused(`client-certificate in ${kubeconfig} is not a certificate`);
  const privateKey = key && valueOrUndefined(() => createPrivateKey(key));
  if (privateKey === undefined) return refused(`client-key in ${kubeconfig} is not a private key`);
  if (!client.checkPrivateKey(privateKey))
    return refused(`client-key in ${kubeconfig} does not match client-certificate`);
  return success(new Date(client.validTo));
}

function valueOrUndefined<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
