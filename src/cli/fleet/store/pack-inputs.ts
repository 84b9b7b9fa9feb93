import { openRequestedStore, type PackInputs, storeFaults } from '../../../fleet/store/index.js';
import { processSurroundings } from '../../surroundings.js';
import { problem, type Problem } from '../../../core/problem.js';
import { failure, problemsOf, success, type Result } from '../../../core/result.js';
import { buildId } from '../../../disk/program-files/package.js';
import { recipientFault } from '../../../formats/age.js';
import { storeAddress } from '../../../remote/object-store/store-address.js';
import type { GlobalOptions } from '../../options.js';
import { stateAccess } from '../../request.js';
import type { PackOptions } from '../fleet-options.js';
import { openFleetOf } from '../open-fleet.js';
import { noteOf } from './store-note.js';
import { numberOfShards } from './shards-option.js';

type Options = GlobalOptions & PackOptions;

/** Problems: pack/setting, store/…, state/recipient, and those of `openFleet`. */
export async function packInputs(options: Options, stop: AbortSignal): Promise<Result<PackInputs>> {
  const surroundings = processSurroundings();
  const { stdin } = surroundings;
  const keys = await stateAccess(options, stdin).keys();
  const opened = openFleetOf({ dir: options.dir }, stdin);
  const shards = numberOfShards(options.shards);
  const store = openRequestedStore(options, surroundings, stop, { onWait: noteOf(options) });
  const index = indexOf(options, surroundings, stop);
  const faults = [
    ...(await givenRecipientFaults(options.recipient ?? [])),
    ...(opened.ok ? await storeFaults(opened.value) : []),
    ...(shards === undefined
      ? [problem('pack/setting', '--shards is not a number of pods from 1 to 10000')]
      : []),
  ];
  const problems = [...[keys, opened, store, index].flatMap(problemsOf), ...faults];
  if (!keys.ok || !opened.ok || !store.ok || !index.ok || shards === undefined || faults.length > 0)
    return failure(...problems);
  const { recipients } = opened.value.fleet;
  return success(
    {
      ...{
        opened: opened.value,
        surroundings,
        keys: keys.value,
        shards,
        program: buildId() ?? '',
        store: store.value,
      },
      recipients: options.recipient ?? recipients.map(({ text }) => text),
      ...(index.value && { index: index.value }),
      stores: [store.value, ...(index.value ? [index.value.store] : [])],
    },
    problems,
  );
}

async function givenRecipientFaults(recipients: readonly string[]): Promise<readonly Problem[]> {
  const reasons = await Promise.all(recipients.map(recipientFault));
  return reasons.flatMap((reason) =>
    reason === undefined ? [] : [problem('pack/setting', `a --recipient ${reason}`)],
  );
}

/** The index of all fleets: by default in the bucket of the store. */
function indexOf(
  options: Options,
  surroundings: PackInputs['surroundings'],
  stop: AbortSignal,
): Result<PackInputs['index']> {
  const address = storeAddress(options.store, surroundings.variables);
  // openRequestedStore reports it.
  if (options.index === false || !address.ok) return success(undefined);
  const bucket = /^s3:\/\/[^/]*/.exec(options.store)?.[0] ?? '';
  const fleet = [bucket.slice('s3://'.length), address.value.prefix].filter((part) => part !== '').join('/');
  const store = openRequestedStore(
    { ...options, store: options.index ?? `${bucket}/index` },
    surroundings,
    stop,
    {
      option: '--index',
      onWait: noteOf(options),
    },
  );
  return store.ok ? success({ store: store.value, fleet }) : store;
}
