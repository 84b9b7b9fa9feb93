import { problem, type Problem } from '../core/problem.js';
import { isTimeBound } from '../disk/state/value-labels.js';
import type { PreparedRun } from './unchanged-run.js';

/** Whether a value must not be generated in this run: `state prune` removed it, or it cannot be stored. */
export function isRefusedIn({ state, keeping }: PreparedRun): (label: string) => boolean {
  const pruned = new Set(state.pruned);
  return (label) => pruned.has(label) || (keeping === 'record' && !isTimeBound(label));
}

/** Problems: state/pruned, state/nowhere-to-keep. */
export function missingValueProblems(
  missingLabels: readonly string[],
  { state, source }: Pick<PreparedRun, 'state' | 'source'>,
): readonly Problem[] {
  const pruned = missingLabels.filter((label) => state.pruned?.includes(label));
  const missing = missingLabels.filter((label) => !pruned.includes(label));
  return [
    ...(pruned.length === 0
      ? []
      : [
          problem('state/pruned', `${listed(pruned)} removed by \`state prune\`, but needed here`, {
            hint: 'restore the state from a backup made before that; an installed cluster has its own CAs',
          }),
        ]),
    ...(missing.length === 0
      ? []
      : [
          problem(
            'state/nowhere-to-keep',
            `${listed(missing)} not in ${source}, and new values could not be stored`,
            {
              hint: 'run the command once with a state file, and store that file where the state comes from',
            },
          ),
        ]),
  ];
}

const most = 4;

/** Such as `key/a, key/b and 3 more are`. */
function listed(labels: readonly string[]): string {
  const shown = labels.slice(0, most).join(', ');
  const more = labels.length > most ? ` and ${labels.length - most} more` : '';
  return `${shown}${more} ${labels.length === 1 ? 'is' : 'are'}`;
}
