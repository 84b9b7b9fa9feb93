import { failure, success, type Result } from '../../../core/result.js';
import { noStandardInput } from '../../../disk/external-files/standard-input.js';
import type { ObjectStore } from '../../../remote/object-store/object-store.js';
import { readClassVariables } from '../../table/class-variables.js';
import { readFleet } from '../../table/fleet-file.js';
import { fleetFileName } from '../../table/fleet-paths.js';
import type { LoadedFleet } from '../../table/check-fleet.js';
import { packedFolder } from '../../table/packed-files.js';
import { fleetFilesOf } from '../../table/read-fleet.js';
import {
  selectableColumns,
  selectableSite,
  siteSelector,
  type SiteSelection,
} from '../../table/site-selection.js';
import { storeFaults, type StoreInputs } from '../store-inputs.js';
import { storeProblem } from '../store-problem.js';
import { fetchPack, type PackAccess } from './pack-store.js';
import type { ShardPack } from './shard-pack.js';

/**
 * Reads the selected sites of a shard from its pack into memory. Problems: pack/…, store/…, and those of `readFleet` and
 * `siteSelector`.
 */
export async function openPackedInputs(
  store: ObjectStore,
  access: PackAccess,
  selection: SiteSelection,
): Promise<Result<StoreInputs>> {
  const pack = await fetched(store, access);
  if (!pack.ok) return pack;
  const opened = fleetIn(pack.value, selection);
  if (!opened.ok) return opened;
  const faults = await storeFaults(opened.value);
  if (faults.length > 0) return failure(...faults);
  const { packed, variables, stdin, fleetKey } = pack.value;
  const read = stdin && { reader: stdin.reader, read: { kind: 'file', bytes: stdin.bytes } as const };
  return success({
    opened: opened.value,
    access: { keys: access.keys, ...(read && { stdin: read }) },
    store,
    pack: { packed, variables, fleetKey },
  });
}

async function fetched(store: ObjectStore, access: PackAccess): Promise<Result<ShardPack>> {
  try {
    return await fetchPack(store, access);
  } catch (error) {
    return failure(storeProblem(error));
  }
}

/** The fleet with the selected sites of the shard; there may be none. The rows contain the values of the secrets. */
function fleetIn(pack: ShardPack, { only, where }: SiteSelection): Result<LoadedFleet> {
  const { packed, variables, columns, rows, hasLayers } = pack;
  const folder = packedFolder(packed, { variables, stdin: noStandardInput });
  const read = readFleet(folder.inputsAt('.'), fleetFileName);
  if (!read.ok) return read;
  const files = fleetFilesOf(read.value, folder);
  const { classVariables } = readClassVariables(folder.inputsAt('.'), {
    ...read.value,
    columns: new Map(columns),
    isRaw: files.isRaw,
  });
  const fleet = { ...read.value, classVariables, secrets: new Map<string, never>() };
  const table = { rows, faults: [], leftOut: [], columns, ...(hasLayers && { hasLayers }) };
  // A name that is not in this shard may be in another one.
  const isSelected = siteSelector({ only, where }, { columns: selectableColumns(fleet, table) });
  if (!isSelected.ok) return isSelected;
  return success({
    fleet,
    table,
    rows: rows.filter((row) => isSelected.value(selectableSite(row, fleet))),
    faults: [],
    files,
    fleetInputs: folder.inputsAt('.'),
  });
}
