import { problem } from '../../core/problem.js';
import { failure, success, type Result } from '../../core/result.js';
import type { Variables } from '../../disk/environment.js';
import { StoreFault } from './store-fault.js';
import { sharedProfile, type ProfileSettings } from './shared-config.js';

/** Access keys for a limited or unlimited time. */
export interface StoreCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
  readonly expires?: Date;
}

/** Where the credentials come from, without reading them. */
export type CredentialSource =
  | { readonly kind: 'keys'; readonly keys: StoreCredentials }
  /** Keys with a session token in a file that another program renews. */
  | {
      readonly kind: 'profile';
      readonly keys: StoreCredentials;
      readonly read: () => Result<CredentialSource>;
    }
  | {
      readonly kind: 'web-identity';
      readonly tokenFile: string;
      readonly role?: string;
      readonly session: string;
    }
  | { readonly kind: 'process'; readonly command: string };

/**
 * Finds the source of the credentials in the order of the AWS SDKs: AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_SESSION_TOKEN;
 * AWS_WEB_IDENTITY_TOKEN_FILE; then keys, web identity or `credential_process` of the profile
 * (docs.aws.amazon.com/sdkref/latest/guide/standardized-credentials.html). Problems: store/credentials.
 */
export function credentialSource(variables: Variables): Result<CredentialSource> {
  const keys = keysIn({
    aws_access_key_id: variables['AWS_ACCESS_KEY_ID'],
    aws_secret_access_key: variables['AWS_SECRET_ACCESS_KEY'],
    aws_session_token: variables['AWS_SESSION_TOKEN'],
  });
  if (keys !== undefined) return success({ kind: 'keys', keys });
  const identity = webIdentityIn({
    web_identity_token_file: variables['AWS_WEB_IDENTITY_TOKEN_FILE'],
    role_arn: variables['AWS_ROLE_ARN'],
    role_session_name: variables['AWS_ROLE_SESSION_NAME'],
  });
  return identity === undefined ? profileSource(variables) : success(identity);
}

/** Reads the keys of a profile again. Throws StoreFault. */
export function profileKeys({
  read,
}: CredentialSource & { readonly kind: 'profile' }): Promise<StoreCredentials> {
  const found = read();
  if (found.ok && 'keys' in found.value) return Promise.resolve(found.value.keys);
  return Promise.reject(
    new StoreFault(
      'credentials',
      found.ok ? 'the profile has no access keys any more' : (found.problems[0]?.message ?? ''),
    ),
  );
}

function profileSource(variables: Variables): Result<CredentialSource> {
  const profile = sharedProfile(variables);
  if (!profile.ok) return profile;
  const settings = profile.value;
  const keys = keysIn(settings);
  if (keys !== undefined)
    return success(
      keys.sessionToken === undefined
        ? { kind: 'keys', keys }
        : { kind: 'profile', keys, read: () => profileSource(variables) },
    );
  const identity = webIdentityIn(settings);
  if (identity !== undefined) return success(identity);
  const command = settings['credential_process'] ?? '';
  if (command !== '') return success({ kind: 'process', command });
  return missingCredentials(
    Object.keys(settings).length === 0
      ? 'credentials for the store are missing'
      : 'the profile has no access keys, web identity or credential_process',
  );
}

type Settings = Readonly<Record<string, string | undefined>> | ProfileSettings;

function keysIn(values: Settings): StoreCredentials | undefined {
  const of = (name: string): string => values[name] ?? '';
  const [accessKeyId, secretAccessKey] = [of('aws_access_key_id'), of('aws_secret_access_key')];
  if (accessKeyId === '' || secretAccessKey === '') return undefined;
  const sessionToken = of('aws_session_token');
  return { accessKeyId, secretAccessKey, ...(sessionToken !== '' && { sessionToken }) };
}

function webIdentityIn(values: Settings): CredentialSource | undefined {
  const of = (name: string): string => values[name] ?? '';
  const [tokenFile, role, session] = [of('web_identity_token_file'), of('role_arn'), of('role_session_name')];
  if (tokenFile === '') return undefined;
  return {
    kind: 'web-identity',
    tokenFile,
    session: session === '' ? 'sno-install' : session,
    ...(role !== '' && { role }),
  };
}

function missingCredentials(message: string): Result<never> {
  const hint =
    'set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, AWS_WEB_IDENTITY_TOKEN_FILE and AWS_ROLE_ARN, or AWS_PROFILE';
  return failure(problem('store/credentials', message, { hint }));
}
