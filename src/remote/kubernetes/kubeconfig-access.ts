import { X509Certificate, createPrivateKey } from 'node:crypto';
import { dirname, isAbsolute, resolve } from 'node:path';
import process from 'node:process';

import type * as ClientNode from '@kubernetes/client-node';

import { childEnvironment } from '../../core/child-environment.js';
import { isRecord } from '../../core/is-record.js';
import type { Problem } from '../../core/problem.js';
import { type Result, failure, success } from '../../core/result.js';
import { isBelow, readPolicyBelow } from '../../disk/read-policy.js';
import { readRegularFile } from '../../disk/regular-file.js';
import { textAt } from '../../kube/fields.js';
import type * as ClientPackage from './client-package.js';
import { currentContext, type CurrentContext, type KubeconfigPart } from './kubeconfig-fields.js';

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
  readonly namespace?: string;
  readonly certificateEnd: Date | undefined;
}

/**
 * Server and user of the kubeconfig's current context. The package gets only values that were checked here: it reads files and runs
 * programs named by a kubeconfig. Problems: cluster/kubeconfig.
 */
export function accessOf(client: Client, connection: Connection): Result<Access> {
  const read = currentContext(connection.text, connection.path);
  if (!read.ok) return read;
  const context = read.value;
  const dangers = connection.isTrusted === true ? [] : unsafeSettings(context);
  if (dangers.length > 0) return failure(...dangers);
  const credentials = credentialsOf(context, connection);
  if (!credentials.ok) return credentials;
  const end = clientCertificateEnd(context, credentials.value);
  if (!end.ok) return end;
  const { namespace } = context;
  const config = clientConfig(client, context, credentials.value);
  const server = config.getCurrentCluster()?.server ?? '';
  return success({
    config,
    server,
    certificateEnd: end.value,
    ...(namespace !== undefined && { namespace }),
  });
}

const trustHint = 'if you trust this file, add --trust-kubeconfig';

/** Settings that are rejected in an untrusted kubeconfig. Our own kubeconfigs contain only certificates. */
function unsafeSettings({ cluster, user }: CurrentContext): readonly Problem[] {
  const never = (what: string): string => `${what}, which kubeconfigs of sno-install never do`;
  return [
    cluster.fields['insecure-skip-tls-verify'] === true &&
      cluster.refuse(
        'insecure-skip-tls-verify',
        never("disables the check of the server's certificate"),
        trustHint,
      ),
    isSet(cluster.fields['proxy-url']) &&
      cluster.refuse('proxy-url', never('sends requests through a proxy'), trustHint),
    user.fields.exec !== undefined && user.refuse('exec', never('runs a program'), trustHint),
    user.fields['auth-provider'] !== undefined &&
      user.refuse('auth-provider', never('may run a program or read a file'), trustHint),
    ...(['tokenFile', 'token-file'] as const).map(
      (name) =>
        isSet(user.fields[name]) &&
        user.refuse(name, never('sends the contents of a file to the server'), trustHint),
    ),
  ].filter((each) => each !== false);
}

function isSet(value: string | undefined): value is string {
  return value !== undefined && value !== '';
}

/** Values of the context, and the contents of files that it names. */
interface Credentials {
  readonly authority: Buffer | undefined;
  readonly certificate: Buffer | undefined;
  readonly key: Buffer | undefined;
  readonly token: string | undefined;
}

function credentialsOf({ cluster, user }: CurrentContext, connection: Connection): Result<Credentials> {
  const { server = '', 'proxy-url': proxy } = cluster.fields;
  if (!URL.canParse(server) || !server.startsWith('https:'))
    return failure(cluster.refuse('server', 'is not an https:// URL'));
  if (isSet(proxy) && !(URL.canParse(proxy) && /^(?:https?|socks5h?):$/.test(new URL(proxy).protocol)))
    return failure(cluster.refuse('proxy-url', 'is not an http://, https:// or socks5:// URL'));
  if (textAt(user.fields['auth-provider'], ['config', 'tokenFile']) !== undefined)
    return failure(
      user.refuse('auth-provider', 'names a file with a token', 'write the file to tokenFile instead'),
    );
  const tokenFile = isSet(user.fields['token-file']) ? 'token-file' : 'tokenFile';
  const [authority, certificate, key, token] = [
    bytesOf(cluster, 'certificate-authority', connection),
    bytesOf(user, 'client-certificate', connection),
    bytesOf(user, 'client-key', connection),
    fileOf(user, tokenFile, connection),
  ];
  if (!authority.ok || !certificate.ok || !key.ok || !token.ok)
    return failure(...[authority, certificate, key, token].flatMap((each) => (each.ok ? [] : each.problems)));
  const bearer = token.value?.toString('utf8').trim() ?? user.fields.token;
  if (isSet(bearer) && !/^[\x21-\x7e]+$/.test(bearer))
    return failure(
      user.refuse(token.value ? tokenFile : 'token', 'contains blanks or characters that no token has'),
    );
  return success({
    authority: authority.value,
    certificate: certificate.value,
    key: key.value,
    token: isSet(bearer) ? bearer : undefined,
  });
}

/** Bytes of the field `NAME-data`, or of the file in the field `NAME`; undefined without both. Data takes precedence, as in client-go. */
function bytesOf(
  part: KubeconfigPart<object>,
  name: string,
  connection: Connection,
): Result<Buffer | undefined> {
  const data = textOf(part, `${name}-data`);
  return isSet(data) ? success(Buffer.from(data, 'base64')) : fileOf(part, name, connection);
}

function textOf({ fields }: KubeconfigPart<object>, name: string): string | undefined {
  const value: unknown = isRecord(fields) ? fields[name] : undefined;
  return typeof value === 'string' ? value : undefined;
}

/** The file that a field names. A kubeconfig that is not trusted reaches only files in its own folder. */
function fileOf(
  part: KubeconfigPart<object>,
  name: string,
  { path, isTrusted = false }: Connection,
): Result<Buffer | undefined> {
  const named = textOf(part, name);
  if (!isSet(named)) return success(undefined);
  const folder = resolve(dirname(path));
  const file = isAbsolute(named) ? named : resolve(folder, named);
  if (!isTrusted && !isBelow(folder, file))
    return failure(part.refuse(name, 'names a file outside the folder of the kubeconfig', trustHint));
  const read = readRegularFile(file, maxBytes, isTrusted ? undefined : readPolicyBelow(folder));
  if (read.kind === 'file') return success(read.bytes);
  const reason = read.kind === 'absent' ? 'it does not exist' : read.reason;
  return failure(part.refuse(name, `names a file that cannot be read: ${reason}`));
}

/** A bundle with all public CAs has about 250 KB. */
const maxBytes = 1024 * 1024;

/**
 * End of the client certificate's validity; undefined without one. Node ignores an invalid CA certificate, and reports other errors
 * in the words of OpenSSL, so both are checked here.
 */
function clientCertificateEnd(
  { cluster, user }: CurrentContext,
  { authority, certificate, key }: Credentials,
): Result<Date | undefined> {
  const refuse = (part: KubeconfigPart<object>, name: string, what: string): Result<never> =>
    failure(part.refuse(isSet(textOf(part, `${name}-data`)) ? `${name}-data` : name, what));
  if (authority !== undefined && valueOrUndefined(() => new X509Certificate(authority)) === undefined)
    return refuse(cluster, 'certificate-authority', 'is not a certificate');
  if (certificate === undefined) return success(undefined);
  const client = valueOrUndefined(() => new X509Certificate(certificate));
  if (client === undefined) return refuse(user, 'client-certificate', 'is not a certificate');
  const privateKey = key && valueOrUndefined(() => createPrivateKey(key));
  if (privateKey === undefined) return refuse(user, 'client-key', 'is not a private key');
  if (!client.checkPrivateKey(privateKey))
    return refuse(user, 'client-key', 'does not match client-certificate');
  return success(new Date(client.validTo));
}

function valueOrUndefined<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/** The config of the package, made of checked values only. */
function clientConfig(client: Client, context: CurrentContext, given: Credentials): ClientNode.KubeConfig {
  const { fields: cluster } = context.cluster;
  const { fields: user } = context.user;
  const base64 = (bytes: Buffer | undefined): string | undefined => bytes?.toString('base64');
  const config = new client.KubeConfig();
  config.loadFromOptions({
    clusters: [
      {
        name: 'cluster',
        server: (cluster.server ?? '').replace(/\/$/, ''),
        caData: base64(given.authority),
        skipTLSVerify: cluster['insecure-skip-tls-verify'] === true,
        tlsServerName: cluster['tls-server-name'],
        proxyUrl: cluster['proxy-url'],
      },
    ],
    users: [
      {
        name: 'user',
        certData: base64(given.certificate),
        keyData: base64(given.key),
        token: given.token,
        username: user.username,
        password: user.password,
        impersonateUser: user.as,
        exec: user.exec === undefined ? undefined : withoutKeys(user.exec),
        authProvider: user['auth-provider'],
      },
    ],
    contexts: [{ name: 'context', cluster: 'cluster', user: 'user' }],
    currentContext: 'context',
  });
  return config;
}

/** A credential plugin without the variables that contain private keys or pull secrets. Node leaves out undefined variables. */
function withoutKeys(exec: unknown): unknown {
  if (!isRecord(exec)) return exec;
  const kept = childEnvironment(process.env);
  const dropped = Object.keys(process.env).filter((name) => !Object.hasOwn(kept, name));
  const given: readonly unknown[] = Array.isArray(exec['env']) ? exec['env'] : [];
  return { ...exec, env: [...dropped.map((name) => ({ name, value: undefined })), ...given] };
}
