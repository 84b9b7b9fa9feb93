import { problem, type Problem } from '../../../core/problem.js';
import { quotedName } from '../../../core/quoted.js';
import { namesOf, unknownNameHint, type NamesByRange } from './known-names.js';
import { admissionPluginsByRange, authorizationModesByRange } from './tables.generated.js';

/** Names of the admission plugins that the upstream kube-apiserver of Kubernetes 1.x has. */
export function knownAdmissionPlugins(kubernetesMinor: number): ReadonlySet<string> {
  return namesOf(admissionPluginsByRange, kubernetesMinor);
}

/** Names of the authorization modes that the upstream kube-apiserver of Kubernetes 1.x has. */
export function knownAuthorizationModes(kubernetesMinor: number): ReadonlySet<string> {
  return namesOf(authorizationModesByRange, kubernetesMinor);
}

/** Problems (control-plane/unknown-admission-plugin) for each plugin that kube-apiserver 1.x does not have. */
export function admissionPluginProblems(minor: number, plugins: readonly string[]): readonly Problem[] {
  return unknownNames('admission plugin', admissionPluginsByRange, { minor, names: plugins });
}

/** Problems (control-plane/unknown-admission-plugin) for each authorization mode that kube-apiserver 1.x does not have. */
export function authorizationModeProblems(minor: number, modes: readonly string[]): readonly Problem[] {
  return unknownNames('authorization mode', authorizationModesByRange, { minor, names: modes });
}

interface GivenNames {
  readonly minor: number;
  readonly names: readonly string[];
}

function unknownNames(kind: string, table: NamesByRange, { minor, names }: GivenNames): readonly Problem[] {
  const known = namesOf(table, minor);
  const versionOf = (x: number): string => `1.${x}`;
  const unknown = names.filter((name) => !known.has(name));
  return unknown.map((name) =>
    problem(
      'control-plane/unknown-admission-plugin',
      `kube-apiserver 1.${minor} has no ${kind} ${quotedName(name)}`,
      { hint: unknownNameHint(table, { name, minor, versionOf }) },
    ),
  );
}
