import { secretFile } from './core/output-file.js';
import { areAsWritten, type OutputPlan } from './disk/outputs.js';
import { keptState } from './disk/state/keeping.js';
import { recordAfter } from './disk/state/recorded-inputs.js';
import { isSealed, sealedState } from './disk/state/sealing.js';
import { serializeState, stateFileName, type State } from './disk/state/state-file.js';
import type { DrawsInHand } from './effects/draws.js';
import { encryptAge } from './formats/age.js';
import type { Made } from './making.js';
import type { SealedPlan } from './planned-outputs.js';
import { lastRunOf, runsThatStand, type Start } from './unchanged.js';

/** A run that is decided, and not written yet. */
interface Finished {
  readonly start: Start;
  readonly made: Made<DrawsInHand>;
  readonly plan: SealedPlan;
}

/** The state file, unless what it says stands there as it is wanted. Encrypted, the same text is other bytes each time. */
export async function stateToWrite(
  request: {
    readonly dir: string;
    readonly target: string;
    readonly program?: string;
    readonly source?: unknown;
  },
  { start, made, plan }: Finished,
): Promise<OutputPlan['writes']> {
  const { own, seal } = start;
  const state = keptState(sealedState(stateAfter(start, made), seal), start.keeping);
  // What a source gives lies elsewhere, and none of it is ours.
  const inputs =
    request.source === undefined ? recordAfter(made.inputRecord, made.inputs, plan) : made.inputRecord;
  const standing = runsThatStand(state.lastRuns, state.written, plan.written);
  const lastRuns = { ...standing, ...lastRunOf(request, { ...made, inputs }, plan.changes) };
  const { written, sealed } = plan;
  const text = serializeState({ ...state, written, sealed, lastRuns });
  const isSame = own !== undefined && own.text === text && isSealed(own, seal);
  const place = secretFile(stateFileName, text);
  if (isSame && areAsWritten(request.dir, [place], { [stateFileName]: own.sha256 })) return [];
  return [seal === undefined ? place : secretFile(stateFileName, await encryptAge(text, seal))];
}

/** What to keep: draws and environment of this run, outputs of earlier ones. */
function stateAfter({ state, given }: Start, { hand, facts, cluster }: Made<DrawsInHand>): State {
  const bootableFrom = facts.bootableFrom?.toISOString() ?? state.bootableFrom;
  const bootableUntil = facts.bootableUntil?.toISOString() ?? state.bootableUntil;
  return {
    ...state,
    draws: hand.taken(),
    environment: given,
    cluster,
    ...(bootableFrom !== undefined && { bootableFrom }),
    ...(bootableUntil !== undefined && { bootableUntil }),
  };
}
