import { problem, type Problem } from '../core/problem.js';
import { success, type Result } from '../core/result.js';
import { loadState, type LoadedState } from '../disk/directory.js';
import type { StateAccess } from '../disk/state/state-access.js';
import { emptyState, stateFileName } from '../disk/state/state-file.js';

/** Source of a state, and whether it is required. */
export interface StateOptions {
  readonly dir: string;
  readonly stateFile?: string;
  /** Whether the command can work without the directory's encrypted state if no identity was given. */
  readonly isStateOptional?: boolean;
}

/** A state, or an empty one if it was not read. */
export interface KnownState extends LoadedState {
  readonly isUnread: boolean;
}

const without = new Set<Problem['code']>(['state/no-identity', 'state/kept-elsewhere']);

/**
 * The state of a run. An optional state is skipped if it is encrypted and no identity was given, or if its keys are stored elsewhere.
 * Warnings: state/not-read. Problems: those of `loadState`.
 */
export async function loadKnownState(order: StateOptions, access: StateAccess): Promise<Result<KnownState>> {
  const { dir, stateFile, isStateOptional = false } = order;
  const loaded = await loadState(dir, stateFile, access);
  if (loaded.ok) return success({ ...loaded.value, isUnread: false }, loaded.warnings);
  const isOwn = stateFile === undefined && access.outside === undefined;
  const [closed] = loaded.problems.filter(({ code }) => without.has(code));
  if (!isStateOptional || !isOwn || closed === undefined) return loaded;
  const [why, opener] =
    closed.code === 'state/kept-elsewhere'
      ? (['its keys are stored elsewhere', 'where they are by --state or --state-command'] as const)
      : ([
          'it is encrypted, and neither an identity nor a passphrase was given',
          'that by --identity or --passphrase-file',
        ] as const);
  const found = problem('state/not-read', `the inputs are checked without ${stateFileName}: ${why}`, {
    at: { file: stateFileName },
    hint: `name ${opener} to have keys, certificates and outputs judged, too`,
  });
  return success({ state: emptyState, own: undefined, stored: [], isUnread: true }, [found]);
}

/** Without the state, it is unknown which manifests an earlier run wrote; leaves out problems that depend on it. */
export function reportedWithoutState(problems: readonly Problem[]): readonly Problem[] {
  return problems.filter(({ code }) => code !== 'manifest/reserved-name');
}
