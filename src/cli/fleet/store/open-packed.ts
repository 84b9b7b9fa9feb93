import {
  fetchPack,
  isFleetId,
  type ShardPack,
  storeProblem,
  openRequestedStore,
  unencryptedFaults,
  type StoreInputs,
} from '../../../fleet/store/index.js';
import { recipientFaults } from '../../../fleet/build/index.js';
import {
  type LoadedFleet,
  readFleet,
  fleetFileName,
  packedFolder,
  fleetFilesOf,
  selectableColumns,
  selectableSite,
  siteSelector,
} from '../../../fleet/table/index.js';
import { processSurroundings } from '../../surroundings.js';
import { problem } from '../../../core/problem.js';
import { failure, problemsOf, success, type Result } from '../../../core/result.js';
import { noStandardInput, standardInput } from '../../../disk/external-files/standard-input.js';
import { buildId } from '../../../disk/program-files/package.js';
import type { ObjectStore } from '../../../remote/object-store/object-store.js';
import type { GlobalOptions } from '../../options.js';
import { stateAccess } from '../../request.js';
import type { CreateFleetOptions } from '../fleet-options.js';
import { noteOf } from './store-note.js';
import { parseShard } from './shards-option.js';

type Options = GlobalOptions & CreateFleetOptions & { readonly store: string };

/**
 * Reads the sites of a shard from its pack into memory. Problems: pack/…, store/…, and those of `readFleet` and `siteSelector`.
 */
export async function openPackedInputs(options: Options, stop: AbortSignal): Promise<Result<StoreInputs>> {
  const keys = await stateAccess(options, standardInput()).keys();
  const shard = parseShard(options.shard ?? '');
  const store = openRequestedStore(options, processSurroundings(), stop, { onWait: noteOf(options) });
  const fleetId = parseFleetId(options.fleetId ?? '');
  if (!keys.ok || !shard.ok || !store.ok || !fleetId.ok)
    return failure(...[keys, shard, store, fleetId].flatMap(problemsOf));
  const access = { shard: shard.value, keys: keys.value, fleetId: fleetId.value, program: buildId() ?? '' };
  const pack = await fetched(store.value, access);
  if (!pack.ok) return pack;
  const opened = fleetIn(pack.value, options);
  if (!opened.ok) return opened;
  const faults = [...(await recipientFaults(opened.value.fleet)), ...unencryptedFaults(opened.value)];
  if (faults.length > 0) return failure(...faults);
  const { packed, variables, stdin, fleetKey } = pack.value;
  const read = stdin && { reader: stdin.reader, read: { kind: 'file', bytes: stdin.bytes } as const };
  return success({
    opened: opened.value,
    access: { keys: keys.value, ...(read && { stdin: read }) },
    store: store.value,
    pack: { packed, variables, fleetKey },
  });
}

/** Problems: pack/setting. */
function parseFleetId(text: string): Result<string> {
  if (isFleetId(text)) return success(text);
  const hint = 'use the fleet ID that `fleet pack` prints';
  return failure(problem('pack/setting', '--fleet-id is not a fleet ID', { hint }));
}

async function fetched(
  store: ObjectStore,
  access: Parameters<typeof fetchPack>[1],
): Promise<Result<ShardPack>> {
  try {
    return await fetchPack(store, access);
  } catch (error) {
    return failure(storeProblem(error));
  }
}

/** The fleet with the selected sites of the shard; there may be none. The rows contain the values of the secrets. */
function fleetIn(pack: ShardPack, { only, where }: Options): Result<LoadedFleet> {
  const { packed, variables, columns, rows, hasLayers } = pack;
  const folder = packedFolder(packed, { variables, stdin: noStandardInput });
  const read = readFleet(folder.inputsAt('.'), fleetFileName);
  if (!read.ok) return read;
  const fleet = { ...read.value, secrets: new Map<string, never>() };
  const table = { rows, faults: [], leftOut: [], columns, ...(hasLayers && { hasLayers }) };
  // A name that is not in this shard may be in another one.
  const isSelected = siteSelector({ only, where }, { columns: selectableColumns(fleet, table) });
  if (!isSelected.ok) return isSelected;
  return success({
    fleet,
    table,
    rows: rows.filter((row) => isSelected.value(selectableSite(row, fleet))),
    faults: [],
    files: fleetFilesOf(fleet, folder),
  });
}
