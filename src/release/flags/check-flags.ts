import type { Problem } from '../../core/problem.js';
import { flagTables, type FlaggedProgram } from './flag-table.js';
import { unknownNames } from './known-names.js';
import type { ProgramSource } from './program-sources.js';

/** Versions that determine the known flags. */
export interface ProgramVersions {
  /** The x of Kubernetes 1.x. */
  readonly kubernetesMinor: number;
  /** Major and minor version of etcd 3.x. */
  readonly etcd: `${number}.${number}`;
}

/**
 * Reports control-plane/unknown-flag for each flag (without leading dashes) that the program does not have in this version.
 * A version outside the tables is treated as the nearest one in them.
 */
export function flagProblems(
  program: FlaggedProgram,
  version: ProgramVersions,
  flags: readonly string[],
  { moreFlags }: ProgramSource,
): readonly Problem[] {
  const isEtcd = program === 'etcd';
  const normal = flags.map((flag) => (isEtcd ? flag : withDashes(flag)));
  return unknownNames(
    'control-plane/unknown-flag',
    { names: flagTables[program], owner: program, major: isEtcd ? 3 : 1, kind: 'flag' },
    {
      minor: isEtcd ? minorOf(version.etcd) : version.kubernetesMinor,
      names: normal.filter((flag) => !moreFlags[program].includes(flag)),
    },
  );
}

/** Kubernetes programs accept underscores for dashes (component-base, cli/flag/flags.go); etcd does not. */
function withDashes(flag: string): string {
  return flag.replaceAll('_', '-');
}

function minorOf(version: ProgramVersions['etcd']): number {
  return Number(version.split('.')[1]);
}
