import { problem, type ProblemCode } from '../core/problem.js';
import { Redacted } from '../core/redacted.js';
import { failure, success, type Result } from '../core/result.js';
import type { Context, Inputs } from '../graph/context.js';

/** The password of kubeadmin, if known, and its hash. */
export interface KubeadminPassword {
  /** Empty if the user supplied only a hash. */
  readonly password: Redacted<string>;
  /** bcrypt. */
  readonly hash: string;
}

/** Optional file with the bcrypt hash of a password chosen by the user. Source: openshift/installer pkg/asset/password */
export const hashPath = 'tls/kubeadmin-password.hash';

/** Optional file with the password of that hash, which the output then repeats. */
export const passwordPath = 'tls/kubeadmin-password';

/** Letters and digits without ambiguous ones. Source: openshift/installer pkg/asset/password */
const alphabet = 'abcdefghijkmnopqrstuvwxyzABCDEFGHIJKLMNPQRSTUVWXYZ23456789';

/** Four groups of five: 20 of 58 characters, about 117 bits. */
export async function generatePassword({ valueSource }: Context): Promise<KubeadminPassword> {
  const characters = valueSource.text('kubeadmin-password', 20, alphabet);
  const password = [0, 5, 10, 15].map((start) => characters.slice(start, start + 5)).join('-');
  const hash = await valueSource.bcryptHash('kubeadmin-password', password);
  return { password: new Redacted(password), hash };
}

/** The OAuth server rejects shorter passwords. Source: openshift/library-go pkg/authentication/bootstrapauthenticator */
const minPasswordLength = 23;

/** The user's hash, and its password if given. Problems: tls/kubeadmin-hash, tls/kubeadmin-password. */
export async function parseSuppliedPassword(hash: string, password = ''): Promise<Result<KubeadminPassword>> {
  const { bcryptMatches, isBcryptHash } = await import('../formats/keys/bcrypt.js');
  if (!isBcryptHash(hash))
    return passwordProblem('tls/kubeadmin-hash', hashPath, 'is not a single bcrypt hash');
  if (password !== '' && password.length < minPasswordLength) {
    return passwordProblem(
      'tls/kubeadmin-password',
      passwordPath,
      `is shorter than ${minPasswordLength} characters`,
    );
  }
  if (password !== '' && !(await bcryptMatches(password, hash))) {
    return passwordProblem('tls/kubeadmin-password', passwordPath, `does not match ${hashPath}`);
  }
  return success({ password: new Redacted(password), hash });
}

/** The trimmed text of a file; undefined if the file does not exist. */
export function readLine(inputs: Inputs, path: string, code: PasswordCode): Result<string | undefined> {
  const read = inputs.read(path);
  switch (read.kind) {
    case 'absent':
      return success(undefined);
    case 'unreadable':
      return passwordProblem(code, path, `cannot be read: ${read.reason}`);
    case 'file':
      return success(Buffer.from(read.bytes).toString('utf8').trim());
  }
}

type PasswordCode = Extract<ProblemCode, `tls/kubeadmin-${string}`>;

const hints: Readonly<Record<PasswordCode, string>> = {
  'tls/kubeadmin-hash': `write it with \`htpasswd -nbBC 10 "" PASSWORD | tr -d ":\\n"\`, or remove ${passwordPath}* to generate a password`,
  'tls/kubeadmin-password': `write the password to ${passwordPath} and its hash to ${hashPath}, or remove ${passwordPath}* to generate one`,
};

/** The problem of a file; `reason` follows the file name in the message. */
export function passwordProblem(code: PasswordCode, file: string, reason: string): Result<never> {
  return failure(problem(code, `${file} ${reason}`, { at: { file }, hint: hints[code] }));
}
