import { type Result, failure, problemsOf, success } from '../../core/result.js';
import { defineAsset } from '../../graph/asset.js';
import type { Context } from '../../graph/context.js';
import {
  type KubeadminPassword,
  readLine,
  hashPath,
  passwordPath,
  parseSuppliedPassword,
  passwordProblem,
  generatePassword,
} from '../../pki/kubeadmin-password.js';
import { installConfig } from '../config/install-config.js';

/** The user's own password; undefined if there is none. Problems: tls/kubeadmin-hash, tls/kubeadmin-password. */
export const suppliedPassword = defineAsset({
  name: 'auth/supplied-kubeadmin-password',
  needs: {},
  tryMake: async (_needs, { inputs }: Context): Promise<Result<KubeadminPassword | undefined>> => {
    const hash = readLine(inputs, hashPath, 'tls/kubeadmin-hash');
    const password = readLine(inputs, passwordPath, 'tls/kubeadmin-password');
    if (!hash.ok || !password.ok) return failure(...problemsOf(hash), ...problemsOf(password));
    if (hash.value !== undefined) return parseSuppliedPassword(hash.value, password.value);
    if (password.value === undefined) return success(undefined);
    return passwordProblem('tls/kubeadmin-password', passwordPath, `exists without ${hashPath}`);
  },
});

export const kubeadminPassword = defineAsset({
  name: 'auth/kubeadmin',
  // Unused dependency: no password is generated while the config has errors.
  needs: { config: installConfig, supplied: suppliedPassword },
  make: async ({ supplied }, context): Promise<KubeadminPassword> =>
    supplied ?? (await generatePassword(context)),
});
