import { dirname, join } from 'node:path';

import { fingerprintOf } from '../../disk/file-size.js';
import { readRecord } from '../../disk/record-file.js';
import { readRolloutState, rolloutStateNames, type RolloutState } from '../rollout/rollout-state.js';
import type { RolloutStatus } from '../../serve/rollouts/rollout-status.js';
import type { SiteFolder } from '../../serve/site-folders.js';

/**
 * Returns a reader of the rollouts in the parent folders of the sites: newest first, the newest of each operation. Files are read
 * again after a change. Unreadable files are ignored, because `fleet rollout` and its relatives report them.
 */
export function rolloutReader(
  sites: () => readonly Pick<SiteFolder, 'dir'>[],
): () => readonly RolloutStatus[] {
  let [mark, known]: [string | undefined, readonly RolloutStatus[]] = [undefined, []];
  return () => {
    const folders = [...new Set(sites().map(({ dir }) => dirname(dir)))];
    const paths = folders.flatMap((folder) =>
      Object.values(rolloutStateNames).map((name) => join(folder, name)),
    );
    const present = paths.map(fingerprintOf).join('\n');
    if (present !== mark) [mark, known] = [present, newest(paths.flatMap(stateAt))];
    return known;
  };
}

function stateAt(path: string): readonly RolloutState[] {
  const text = readRecord(path);
  const state = text.ok ? readRolloutState(text.value, path) : text;
  return state.ok ? [state.value] : [];
}

function newest(states: readonly RolloutState[]): readonly RolloutState[] {
  const sorted = states.toSorted((left, right) => Date.parse(right.updatedAt) - Date.parse(left.updatedAt));
  return sorted.filter(
    ({ operation }, index) => sorted.findIndex((other) => other.operation === operation) === index,
  );
}
