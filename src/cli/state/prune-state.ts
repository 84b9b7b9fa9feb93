import { byCodeUnit } from '../../core/compare.js';
import { omitKeys } from '../../core/map-record.js';
import { problemsOf, success } from '../../core/result.js';
import { isSealed, withRecipients, chooseSeal, withOutputsToReseal } from '../../disk/state/sealing.js';
import { serializeState, type State } from '../../disk/state/state-file.js';
import { changeState } from '../../disk/state/change-state.js';
import { encryptAge } from '../../formats/age.js';
import { isFirstBootAuthority } from '../../pki/first-boot-keys.js';
import type { GlobalOptions, RecipientOptions } from '../options.js';
import { report } from '../output/report.js';
import { configuredRecipients, requestedState, shownPath } from './requested-state.js';

/** Removes the private keys of the CAs that sign only for the first boot from a state file. */
export async function pruneState(options: GlobalOptions & RecipientOptions): Promise<void> {
  const named = requestedState(options);
  let prunedLabels: readonly string[] = [];
  const done = await changeState(named, async (stored) => {
    const seal = await chooseSeal({
      access: named.access,
      configured: configuredRecipients(options),
      stored: [stored],
    });
    if (!seal.ok) return seal;
    prunedLabels = Object.keys(stored.state.generatedValues).filter(isFirstBootAuthority).sort(byCodeUnit);
    const kept = withRecipients(pruned(stored.state, prunedLabels), seal.value);
    const text = serializeState(isSealed(stored, seal.value) ? kept : withOutputsToReseal(kept));
    return success(seal.value === undefined ? text : await encryptAge(text, seal.value));
  });
  const path = shownPath(options);
  report(options, {
    problems: problemsOf(done),
    text: summary(path, prunedLabels),
    json: { path, keys: prunedLabels },
  });
}

function pruned(state: State, labels: readonly string[]): State {
  if (labels.length === 0) return state;
  const all = [...new Set([...(state.pruned ?? []), ...labels])].sort(byCodeUnit);
  return { ...state, generatedValues: omitKeys(state.generatedValues, labels), pruned: all };
}

function summary(path: string, labels: readonly string[]): string {
  if (labels.length === 0) return `${path} contains no keys to remove.\n`;
  return [
    ...labels,
    `Removed ${labels.length} keys from ${path}. The Ignition configs contain them too: delete the ones you no longer need.`,
    '',
  ].join('\n');
}
