import { readRegularFile } from '../../disk/regular-file.js';
import type { StoreCredentials } from './store-credentials.js';
import { StoreFault } from './store-fault.js';
import type { StoreResponse } from './store-request.js';
import { errorCodeOf } from './error-code.js';
import { valuesOfXml } from './sts-response.js';

export interface WebIdentity {
  readonly tokenFile: string;
  readonly role?: string;
  readonly session: string;
}

/** Posts a form without a signature. Throws StoreFault without a complete response. */
export type PostForm = (body: Uint8Array) => Promise<StoreResponse>;

/** Tokens have a few kilobytes. */
const maxTokenBytes = 64 * 1024;

/**
 * Exchanges the token in a file, which is read each time, for temporary credentials. Throws StoreFault.
 * Source: docs.aws.amazon.com/STS/latest/APIReference/API_AssumeRoleWithWebIdentity.html
 */
export async function assumeRole(identity: WebIdentity, post: PostForm): Promise<StoreCredentials> {
  const form = new URLSearchParams({
    Action: 'AssumeRoleWithWebIdentity',
    Version: '2011-06-15',
    RoleSessionName: identity.session,
    WebIdentityToken: tokenIn(identity.tokenFile),
    ...(identity.role !== undefined && { RoleArn: identity.role }),
  });
  const answer = await post(Buffer.from(form.toString()));
  if (answer.status === 200) return credentialsIn(answer.body.toString('utf8'));
  const code = errorCodeOf(answer);
  const shown = code === undefined ? '' : ` (${code})`;
  const mayPass = answer.status >= 500 || answer.status === 429 || code === 'IDPCommunicationError';
  if (mayPass) throw new StoreFault('unreachable', `STS: HTTP ${answer.status}${shown}`, { mayPass });
  throw new StoreFault('credentials', refusals[code ?? ''] ?? `STS: HTTP ${answer.status}${shown}`);
}

function tokenIn(file: string): string {
  const read = readRegularFile(file, maxTokenBytes);
  const reason =
    read.kind === 'absent' ? 'it does not exist' : read.kind === 'file' ? undefined : read.reason;
  if (reason !== undefined)
    throw new StoreFault('credentials', `cannot read AWS_WEB_IDENTITY_TOKEN_FILE: ${reason}`);
  const token = read.kind === 'file' ? read.bytes.toString('utf8').trim() : '';
  // A JWT has only these characters. Source: RFC 7515 §3.1
  if (!/^[\w.~+/=-]+$/.test(token))
    throw new StoreFault('credentials', 'AWS_WEB_IDENTITY_TOKEN_FILE does not contain one token');
  return token;
}

/** Amazon names some errors differently than its own documentation and than MinIO. */
const refusals: Readonly<Record<string, string>> = {
  ExpiredToken: 'the web identity token has expired',
  ExpiredTokenException: 'the web identity token has expired',
  InvalidIdentityToken: 'STS does not accept the web identity token',
  AccessDenied: 'STS does not allow this role for the web identity token',
  MissingParameter: 'STS needs a role: set AWS_ROLE_ARN',
  ValidationError: 'STS rejects the role or its session name: check AWS_ROLE_ARN and AWS_ROLE_SESSION_NAME',
  InvalidParameterValue:
    'STS rejects the web identity token, which may have expired, or the role of AWS_ROLE_ARN',
};

function credentialsIn(xml: string): StoreCredentials {
  const found = valuesOfXml(xml, ['AccessKeyId', 'SecretAccessKey', 'SessionToken', 'Expiration']);
  const [accessKeyId, secretAccessKey, sessionToken, expiration] = found ?? [];
  const expires = new Date(expiration ?? '');
  if (
    accessKeyId === undefined ||
    secretAccessKey === undefined ||
    sessionToken === undefined ||
    Number.isNaN(expires.getTime())
  )
    throw new StoreFault('credentials', 'STS sends no valid credentials; check AWS_ENDPOINT_URL_STS');
  return { accessKeyId, secretAccessKey, sessionToken, expires };
}
