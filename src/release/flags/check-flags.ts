import type { Problem } from '../../core/problem.js';
import { flagTables, type FlaggedProgram } from './flag-table.js';
import { unknownNames } from './known-names.js';
import type { ProgramSource } from './program-sources.js';

/** Versions that decide which flags there are. */
export interface ProgramVersions {
  /** The x of Kubernetes 1.x. */
  readonly kubernetesMinor: number;
  /** The major and minor version of etcd, which is 3.x. */
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

/** The programs of Kubernetes take underscores for dashes (component-base, cli/flag/flags.go); etcd does not. */
function withDashes(flag: string): string {
  return flag.replaceAll('_', '-');
}

function minorOf(version: ProgramVersions['etcd']): number {
  return Number(version.split('.')[1]);
}
