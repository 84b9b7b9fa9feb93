import { problem, type Problem } from '../../../core/problem.js';
import { quotedName } from '../../../core/quoted.js';
import { flagTables, type FlaggedProgram } from './flag-table.js';
import { namesOf, unknownNameHint } from './known-names.js';
import { openshiftFlags } from './openshift.js';

/** Upstream programs, or those of OpenShift's fork, which have some names more. */
export type FlagProfile = 'OpenShift' | 'Kubernetes';

export interface ProgramVersions {
  /** The x of Kubernetes 1.x. */
  readonly kubernetesMinor: number;
  readonly etcd: `${number}.${number}`;
}

/**
 * Problems (control-plane/unknown-flag) for each flag, named without leading dashes, that the program of this version
 * does not have. A version outside the tables counts as the nearest one in them.
 */
export function flagProblems(
  program: FlaggedProgram,
  version: ProgramVersions,
  flags: readonly string[],
  profile: FlagProfile,
): readonly Problem[] {
  const table = flagTables[program];
  const minor = program === 'etcd' ? etcdMinor(version.etcd) : version.kubernetesMinor;
  const versionOf = program === 'etcd' ? (x: number) => `3.${x}` : (x: number) => `1.${x}`;
  const known = namesOf(table, minor);
  const forked = profile === 'OpenShift' ? openshiftFlags[program] : [];
  const unknown = flags.filter((flag) => !known.has(flagName(program, flag)) && !forked.includes(flag));
  return unknown.map((flag) =>
    problem('control-plane/unknown-flag', `${program} ${versionOf(minor)} has no flag ${quotedName(flag)}`, {
      hint: unknownNameHint(table, { name: flagName(program, flag), minor, versionOf }),
    }),
  );
}

/** The programs of Kubernetes take underscores for dashes (component-base, cli/flag/flags.go); etcd does not. */
function flagName(program: FlaggedProgram, flag: string): string {
  return program === 'etcd' ? flag : flag.replaceAll('_', '-');
}

/** The minor version of etcd 3; a later major counts as later than every minor. */
function etcdMinor(version: ProgramVersions['etcd']): number {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > 3 ? Number.MAX_SAFE_INTEGER : minor;
}
