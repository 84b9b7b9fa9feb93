import { problem, type Problem } from '../../core/problem.js';
import { recipientFaults } from '../build/fleet-options.js';
import type { SiteOptions } from '../build/site-options.js';
import type { LoadedFleet } from '../table/check-fleet.js';
import type { ShardPack } from './pack/shard-pack.js';
import type { ObjectStore } from '../../remote/object-store/object-store.js';

/** Inputs of `fleet create --store`. */
export interface StoreInputs {
  readonly opened: LoadedFleet;
  readonly access: Pick<SiteOptions, 'keys' | 'stdin'>;
  readonly store: ObjectStore;
  /** For sites whose inputs come from a pack. */
  readonly pack?: Required<Pick<SiteOptions, 'packed' | 'variables'>> & Pick<ShardPack, 'fleetKey'>;
}

/** Faults of a fleet whose outputs go to a store. Problems: store/plain, and those of `recipientFaults`. */
export async function storeFaults(opened: LoadedFleet): Promise<readonly Problem[]> {
  return [...(await recipientFaults(opened.fleet)), ...unencryptedFaults(opened)];
}

function unencryptedFaults({ fleet }: LoadedFleet): readonly Problem[] {
  if (fleet.recipients.length > 0 && fleet.encryptOutputs === true) return [];
  const message =
    '--store requires encrypted outputs, but fleet.yaml does not set recipients and encryptOutputs';
  const hint = 'add "recipients: [age1…]" and "encryptOutputs: true" to fleet.yaml';
  return [problem('store/plain', message, { at: { file: 'fleet.yaml' }, hint })];
}
