import {
  isFleetId,
  openPackedInputs,
  openRequestedStore,
  type StoreInputs,
} from '../../../fleet/store/index.js';
import { processSurroundings } from '../../surroundings.js';
import { problem } from '../../../core/problem.js';
import { failure, problemsOf, success, type Result } from '../../../core/result.js';
import { standardInput } from '../../../disk/external-files/standard-input.js';
import { buildId } from '../../../disk/program-files/package.js';
import type { GlobalOptions } from '../../options.js';
import { stateAccess } from '../../request.js';
import type { CreateFleetOptions } from '../fleet-options.js';
import { noteOf } from './store-note.js';
import { parseShard } from './shards-option.js';

type Options = GlobalOptions & CreateFleetOptions & { readonly store: string };

/** Opens the shard of a pod in its pack. Problems: pack/setting, store/shard, and those of `openPackedInputs` and `openRequestedStore`. */
export async function openPackedShard(options: Options, stop: AbortSignal): Promise<Result<StoreInputs>> {
  const keys = await stateAccess(options, standardInput()).keys();
  const shard = parseShard(options.shard ?? '');
  const store = openRequestedStore(options, processSurroundings(), stop, { onWait: noteOf(options) });
  const fleetId = parseFleetId(options.fleetId ?? '');
  if (!keys.ok || !shard.ok || !store.ok || !fleetId.ok)
    return failure(...[keys, shard, store, fleetId].flatMap(problemsOf));
  const access = { shard: shard.value, keys: keys.value, fleetId: fleetId.value, program: buildId() ?? '' };
  return openPackedInputs(store.value, access, options);
}

/** Problems: pack/setting. */
function parseFleetId(text: string): Result<string> {
  if (isFleetId(text)) return success(text);
  const hint = 'use the fleet ID that `fleet pack` prints';
  return failure(problem('pack/setting', '--fleet-id is not a fleet ID', { hint }));
}
