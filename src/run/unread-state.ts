import { problem, type Problem } from '../core/problem.js';
import { success, type Result } from '../core/result.js';
import { loadState, type LoadedState } from '../disk/directory.js';
import type { StateAccess } from '../disk/state/state-access.js';
import { emptyState, stateFileName } from '../disk/state/state-file.js';

/** Where a state comes from, and whether it has to be read. */
export interface StateOrder {
  readonly dir: string;
  readonly stateFile?: string;
  /** Whether what is asked for can be told of inputs alone, when nothing was named that opens the directory's own state. */
  readonly isStateOptional?: boolean;
}

/** A state, or an empty one in the place of one that was not read. */
export interface KnownState extends LoadedState {
  readonly isUnread: boolean;
}

const without = new Set<Problem['code']>(['state/no-identity', 'state/kept-elsewhere']);

/**
 * The state that a run goes on from. One that is optional is done without where it is encrypted and nothing was named that could open it, or where
 * its keys are kept elsewhere. Warnings: state/not-read. Problems: those of `loadState`.
 */
export async function loadKnownState(order: StateOrder, access: StateAccess): Promise<Result<KnownState>> {
  const { dir, stateFile, isStateOptional = false } = order;
  const loaded = await loadState(dir, stateFile, access);
  if (loaded.ok) return success({ ...loaded.value, isUnread: false }, loaded.warnings);
  const isOwn = stateFile === undefined && access.outside === undefined;
  const [closed] = loaded.problems.filter(({ code }) => without.has(code));
  if (!isStateOptional || !isOwn || closed === undefined) return loaded;
  const [why, opener] =
    closed.code === 'state/kept-elsewhere'
      ? (['its keys are kept elsewhere', 'where they are by --state or --state-command'] as const)
      : ([
          'it is encrypted, and nothing was named that opens it',
          'that by --identity or --passphrase-file',
        ] as const);
  const found = problem('state/not-read', `the inputs are judged without ${stateFileName}: ${why}`, {
    at: { file: stateFileName },
    hint: `name ${opener} to have keys, certificates and outputs judged, too`,
  });
  return success({ state: emptyState, own: undefined, stored: [], isUnread: true }, [found]);
}

/** What cannot be told without the state: which of the manifests an earlier run has written. */
export function toldWithoutState(problems: readonly Problem[]): readonly Problem[] {
  return problems.filter(({ code }) => code !== 'manifest/reserved-name');
}
