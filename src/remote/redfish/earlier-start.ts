import type { BmcClient } from './bmc-client.js';
import type { MachineOfBmc } from './boot-machine.js';
import { bootSourceOf, isBootSourceSet } from './boot-source.js';
import { findMachine } from './machine.js';
import { pollUntil } from './pacing.js';
import { lastResetOf, powerOf } from './power.js';
import { isInserted } from './virtual-media.js';

/** The machine before a start whose result is unknown, because the run was killed. */
export interface EarlierStart {
  /** Path of the slot with the medium. */
  readonly slot?: string;
  readonly wasOff: boolean;
  /** The BMC showed that the next start would be one from the virtual CD. */
  readonly wasSourceShown: boolean;
  readonly lastReset?: string;
}

/** Time for a power transition to end. */
const settleMs = 60_000;

/**
 * Whether the earlier start was done. The machine may be running its cluster by now, so only proof that it was not started allows another
 * start. A machine that was off and is on was started. A machine that could only be restarted was on before: the boot source that the
 * firmware has consumed, or a newer LastResetTime, proves the restart. Changes nothing. Throws BmcFault.
 */
export async function resultOfStart(
  client: Pick<BmcClient, 'get' | 'pacing'>,
  { system, isIdrac = false }: MachineOfBmc,
  { slot, wasOff, wasSourceShown, lastReset }: EarlierStart,
): Promise<'started' | 'not started' | 'unknown'> {
  const settled = async () => {
    const found = await findMachine(client, system);
    return /^Powering/.test(powerOf(found)) ? undefined : found;
  };
  const machine = await pollUntil(settled, { limitMs: settleMs, pacing: client.pacing });
  if (machine === undefined) return 'unknown';
  const power = powerOf(machine);
  if (power === 'On' && wasOff) return 'started';
  const isShown = await isBootSourceSet(client, machine, await bootSourceOf(client, machine, isIdrac));
  const isConsumed = wasSourceShown && !isShown;
  if (power === 'Off') return isConsumed ? 'unknown' : 'not started';
  if (power !== 'On' || slot === undefined || !isInserted(await client.get(slot))) return 'unknown';
  const reset = lastResetOf(machine);
  const isReset = lastReset !== undefined && reset !== undefined && reset !== lastReset;
  if (isConsumed || isReset) return 'started';
  return isShown && lastReset !== undefined && reset === lastReset ? 'not started' : 'unknown';
}
