import type { Problem } from '../../core/problem.js';
import { namesOf, unknownNames, type NamesToCheck, type NamesByRange } from './known-names.js';
import { admissionPluginsByRange, authorizationModesByRange } from './tables.generated.js';

/**
 * Names of the admission plugins of the upstream kube-apiserver 1.x.
 * @internal
 */
export function knownAdmissionPlugins(kubernetesMinor: number): ReadonlySet<string> {
  return namesOf(admissionPluginsByRange, kubernetesMinor);
}

/**
 * Names of the authorization modes of the upstream kube-apiserver 1.x.
 * @internal
 */
export function knownAuthorizationModes(kubernetesMinor: number): ReadonlySet<string> {
  return namesOf(authorizationModesByRange, kubernetesMinor);
}

/** Reports control-plane/unknown-admission-plugin for each plugin that the upstream kube-apiserver 1.x does not have. */
export function admissionPluginProblems(minor: number, plugins: readonly string[]): readonly Problem[] {
  return unknownToApiserver('admission plugin', admissionPluginsByRange, { minor, names: plugins });
}

/** Reports control-plane/unknown-admission-plugin for each mode that the upstream kube-apiserver 1.x does not have. */
export function authorizationModeProblems(minor: number, modes: readonly string[]): readonly Problem[] {
  return unknownToApiserver('authorization mode', authorizationModesByRange, { minor, names: modes });
}

function unknownToApiserver(kind: string, names: NamesByRange, given: NamesToCheck): readonly Problem[] {
  const table = { names, owner: 'kube-apiserver', major: 1, kind };
  return unknownNames('control-plane/unknown-admission-plugin', table, given);
}
