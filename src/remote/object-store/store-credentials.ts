import { homedir } from 'node:os';
import { join } from 'node:path';

import { problem } from '../../core/problem.js';
import { failure, success, type Result } from '../../core/result.js';
import { readRegularFile } from '../../disk/regular-file.js';
import type { Variables } from '../../disk/environment.js';

export interface StoreCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

/** Credential files of the AWS tools have a few kilobytes. */
const maxBytes = 1024 * 1024;

/**
 * Reads credentials as the AWS tools do: from AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_SESSION_TOKEN, or from a profile in the
 * shared credentials file (docs.aws.amazon.com/sdkref/latest/guide/file-format.html). Problems: store/credentials.
 */
export function storeCredentials(variables: Variables): Result<StoreCredentials> {
  const own = credentialsIn({
    aws_access_key_id: variables['AWS_ACCESS_KEY_ID'],
    aws_secret_access_key: variables['AWS_SECRET_ACCESS_KEY'],
    aws_session_token: variables['AWS_SESSION_TOKEN'],
  });
  if (own !== undefined) return success(own);
  const named = variables['AWS_SHARED_CREDENTIALS_FILE'] ?? '';
  const read = readRegularFile(named === '' ? join(homedir(), '.aws', 'credentials') : named, maxBytes);
  if (read.kind === 'unreadable')
    return missingCredentials(`cannot read the credentials file: ${read.reason}`);
  if (read.kind === 'absent') return missingCredentials('credentials for the store are missing');
  const profile = variables['AWS_PROFILE'] ?? '';
  const found = credentialsIn(sectionOf(read.bytes.toString('utf8'), profile === '' ? 'default' : profile));
  return found === undefined
    ? missingCredentials('the credentials file has no credentials for this profile')
    : success(found);
}

function credentialsIn(values: Readonly<Record<string, string | undefined>>): StoreCredentials | undefined {
  const of = (name: string): string => values[name] ?? '';
  const [accessKeyId, secretAccessKey] = [of('aws_access_key_id'), of('aws_secret_access_key')];
  if (accessKeyId === '' || secretAccessKey === '') return undefined;
  const sessionToken = of('aws_session_token');
  return { accessKeyId, secretAccessKey, ...(sessionToken !== '' && { sessionToken }) };
}

/** Settings in a section. Indented lines are nested settings, which are not used. */
function sectionOf(text: string, name: string): Readonly<Record<string, string>> {
  let section: string | undefined;
  const found = new Map<string, string>();
  for (const line of text.split(/\r?\n/)) {
    const head = /^\[\s*([^\]]+?)\s*\]/.exec(line);
    if (head) section = head[1];
    const [, key, value] = /^([a-z_]+)\s*=\s*(.*?)\s*$/i.exec(line) ?? [];
    if (section === name && key !== undefined && value !== undefined) found.set(key.toLowerCase(), value);
  }
  return Object.fromEntries(found);
}

function missingCredentials(message: string): Result<never> {
  const hint =
    'set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_SHARED_CREDENTIALS_FILE and AWS_PROFILE';
  return failure(problem('store/credentials', message, { hint }));
}
