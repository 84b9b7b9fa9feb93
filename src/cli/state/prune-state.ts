import { byCodeUnit } from '../../core/compare.js';
import { without } from '../../core/map-record.js';
import { problemsOf, success } from '../../core/result.js';
import { isSealed, sealedState, wantedSeal, withOutputsToSeal } from '../../disk/state/sealing.js';
import { serializeState, type State } from '../../disk/state/state-file.js';
import { changeState } from '../../disk/state/state-in-place.js';
import { encryptAge } from '../../formats/age.js';
import { isFirstBootAuthority } from '../../pki/first-boot-keys.js';
import type { GlobalOptions, RecipientOptions } from '../options.js';
import { report } from '../output/report.js';
import { configuredIn, namedBy, shownPath } from './named-state.js';

/** Removes the private keys of the CAs that sign only for the first boot from a state file. */
export async function pruneState(options: GlobalOptions & RecipientOptions): Promise<void> {
  const named = namedBy(options);
  let taken: readonly string[] = [];
  const done = await changeState(named, async (stored) => {
    const seal = await wantedSeal({
      access: named.access,
      configured: configuredIn(options),
      stored: [stored],
    });
    if (!seal.ok) return seal;
    taken = Object.keys(stored.state.draws).filter(isFirstBootAuthority).sort(byCodeUnit);
    const kept = sealedState(pruned(stored.state, taken), seal.value);
    const text = serializeState(isSealed(stored, seal.value) ? kept : withOutputsToSeal(kept));
    return success(seal.value === undefined ? text : await encryptAge(text, seal.value));
  });
  const path = shownPath(options);
  report(options, {
    problems: problemsOf(done),
    text: summary(path, taken),
    json: { path, keys: taken },
  });
}

function pruned(state: State, labels: readonly string[]): State {
  if (labels.length === 0) return state;
  const all = [...new Set([...(state.pruned ?? []), ...labels])].sort(byCodeUnit);
  return { ...state, draws: without(state.draws, labels), pruned: all };
}

function summary(path: string, labels: readonly string[]): string {
  if (labels.length === 0) return `${path} holds no key of such an authority.\n`;
  return [
    ...labels,
    `Took ${labels.length} keys out of ${path}. The Ignition configs hold them too: delete those that are not needed any more.`,
    '',
  ].join('\n');
}
