import type { Problem } from '../../core/problem.js';
import { namesOf, unknownNames } from './known-names.js';
import { admissionPluginsByRange, authorizationModesByRange } from './tables.generated.js';

/**
 * Names of the admission plugins that the upstream kube-apiserver 1.x has.
 * @internal
 */
export function knownAdmissionPlugins(kubernetesMinor: number): ReadonlySet<string> {
  return namesOf(admissionPluginsByRange, kubernetesMinor);
}

/**
 * Names of the authorization modes that the upstream kube-apiserver 1.x has.
 * @internal
 */
export function knownAuthorizationModes(kubernetesMinor: number): ReadonlySet<string> {
  return namesOf(authorizationModesByRange, kubernetesMinor);
}

/** Problems (control-plane/unknown-admission-plugin) for each plugin that the upstream kube-apiserver 1.x does not have. */
export function admissionPluginProblems(minor: number, plugins: readonly string[]): readonly Problem[] {
  const table = {
    names: admissionPluginsByRange,
    owner: 'kube-apiserver',
    major: 1,
    kind: 'admission plugin',
  };
  return unknownNames('control-plane/unknown-admission-plugin', table, { minor, names: plugins });
}

/** Problems (control-plane/unknown-admission-plugin) for each mode that the upstream kube-apiserver 1.x does not have. */
export function authorizationModeProblems(minor: number, modes: readonly string[]): readonly Problem[] {
  const table = {
    names: authorizationModesByRange,
    owner: 'kube-apiserver',
    major: 1,
    kind: 'authorization mode',
  };
  return unknownNames('control-plane/unknown-admission-plugin', table, { minor, names: modes });
}
