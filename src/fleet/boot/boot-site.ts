import type { Problem } from '../../core/problem.js';
import { rfc3339 } from '../../core/rfc3339.js';
import type { BmcClient } from '../../remote/redfish/bmc-client.js';
import { bootMachine, ejectFrom, isOn, checkReadiness } from '../../remote/redfish/boot-machine.js';
import { recordOfMachine, type BootedSite } from './boot-record.js';
import { RecordFault, type BootRecordWriter } from './boot-record-writer.js';
import { visitBmc, type BootSession } from './visit-bmc.js';

/** Result for one site. */
export interface SiteBootResult {
  readonly name: string;
  readonly state: 'ready' | 'booted' | 'ejected' | 'failed' | 'stopped';
  /** Short description of the result for people. */
  readonly words: string;
  readonly problems: readonly Problem[];
}

/** Checks whether a site can be booted, without changing anything. */
export function checkSite(visit: BootSession): Promise<SiteBootResult> {
  return visited(visit, [], async (client) => {
    const { power, isSlotFull } = await checkReadiness(client, visit.site.address.system);
    const medium = isSlotFull ? 'virtual media inserted' : 'no virtual media';
    return { state: 'ready', words: `power ${power.toLowerCase()}, ${medium}` };
  });
}

export interface SiteBootOptions {
  readonly imageUrl: string;
  /** Boots the site even if an earlier run has booted it. */
  readonly isAgain: boolean;
}

/**
 * Boots a site from its image. If an earlier run was interrupted while it started the machine, and the machine was off before and runs
 * now, it counts as booted. A machine that was on before is booted again, since its power state proves nothing.
 */
export function bootSite(
  visit: BootSession,
  { imageUrl, isAgain }: SiteBootOptions,
  keeper: BootRecordWriter,
): Promise<SiteBootResult> {
  const { site, pacing } = visit;
  const { system, origin } = site.address;
  const keep = (
    reached: BootedSite['reached'],
    more: Pick<BootedSite, 'slot' | 'wasOff'> = {},
  ): Promise<void> =>
    keeper.keep(site.name, {
      reached,
      at: rfc3339(pacing.present()),
      bmc: origin,
      ...(system !== undefined && { system }),
      ...more,
    });
  return visited(visit, [imageUrl], async (client) => {
    const earlier = isAgain ? undefined : recordOfMachine(keeper.of(site.name), site.address);
    if (earlier?.reached === 'starting' && earlier.wasOff === true && (await isOn(client, system))) {
      await keep('booted', slotOf(earlier.slot));
      return { state: 'booted', words: 'started by an earlier run' };
    }
    let slot: string | undefined;
    await bootMachine(client, {
      ...(system !== undefined && { system }),
      imageUrl,
      beforeStart: (prepared) => {
        slot = prepared.slot;
        return keep('starting', { slot, ...(prepared.isOff && { wasOff: true }) });
      },
    });
    await keep('booted', slotOf(slot));
    return { state: 'booted', words: 'starting from its image' };
  });
}

function slotOf(slot: string | undefined): Pick<BootedSite, 'slot'> {
  return slot === undefined ? {} : { slot };
}

/** Ejects the medium from the slot that the boot used. */
export function ejectSite(
  visit: BootSession,
  known: BootedSite,
  keeper: BootRecordWriter,
): Promise<SiteBootResult> {
  const { site, pacing } = visit;
  return visited(visit, [], async (client) => {
    if (known.slot !== undefined) await ejectFrom(client, known.slot);
    await keeper.keep(site.name, { ...known, reached: 'ejected', at: rfc3339(pacing.present()) });
    return { state: 'ejected', words: 'virtual media ejected' };
  });
}

type Happened = Pick<SiteBootResult, 'state' | 'words'>;

async function visited(
  session: BootSession,
  hidden: readonly string[],
  act: (client: BmcClient) => Promise<Happened>,
): Promise<SiteBootResult> {
  const { name } = session.site;
  try {
    const visit = await visitBmc(session, hidden, act);
    if (visit.state !== 'done') return { name, ...visit };
    return { name, problems: [], ...visit.value };
  } catch (error) {
    if (!(error instanceof RecordFault)) throw error;
    return { name, state: 'failed', words: 'cannot write the boot record', problems: error.problems };
  }
}
