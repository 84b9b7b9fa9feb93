import type { Problem } from '../../core/problem.js';
import { rfc3339 } from '../../core/rfc3339.js';
import type { BmcClient } from '../../remote/redfish/bmc-client.js';
import { BmcFault } from '../../remote/redfish/bmc-fault.js';
import {
  bootMachine,
  checkReadiness,
  ejectFrom,
  type MachineOfBmc,
} from '../../remote/redfish/boot-machine.js';
import { resultOfStart } from '../../remote/redfish/earlier-start.js';
import {
  otherBootOf,
  recordOfMachine,
  type BootedSite,
  type MachineIdentity,
  type OtherBoot,
  type SiteHardware,
} from './boot-record.js';
import { otherBootFault, refusedMedium } from './machine-problems.js';
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

/** Checks whether a site can be booted, from its image if the URL is given. Changes nothing. */
export function checkSite(visit: BootSession, imageUrl?: string): Promise<SiteBootResult> {
  const hidden = imageUrl === undefined ? [] : [imageUrl];
  return visited(visit, hidden, async (client) => {
    const { power, isSlotFull, nextBoot, onlyProtocol } = await checkReadiness(
      client,
      machineOf(visit),
      imageUrl,
    );
    const medium = isSlotFull ? 'virtual media inserted' : 'no virtual media';
    const protocol =
      onlyProtocol === undefined || imageUrl !== undefined ? [] : [`images over ${onlyProtocol} only`];
    const source = nextBoot === undefined ? [] : [`boots from ${nextBoot} next`];
    return {
      state: 'ready',
      words: [`power ${power.toLowerCase()}`, medium, ...source, ...protocol].join(', '),
    };
  });
}

function machineOf({ site: { address } }: BootSession): MachineOfBmc {
  const { system, isIdrac } = address;
  return { ...(system !== undefined && { system }), ...(isIdrac === true && { isIdrac }) };
}

export interface SiteBootOptions {
  readonly imageUrl: string;
  /** Boots the site even if an earlier run has booted it. */
  readonly isAgain: boolean;
  /** Also boots a machine that was booted as another site. */
  readonly isReinstall?: boolean;
  readonly hardware: SiteHardware;
  /** Why its medium must not be booted now. Not called for a machine that an earlier run has started. */
  readonly faultOfMedium?: () => string | undefined;
}

/**
 * Boots a site from its image. If an earlier run was killed while it started the machine, its result is looked up first: only a machine
 * that was certainly not started is started again, because it may be running its cluster.
 */
export function bootSite(
  visit: BootSession,
  { imageUrl, isAgain, isReinstall = false, hardware, faultOfMedium }: SiteBootOptions,
  keeper: BootRecordWriter,
): Promise<SiteBootResult> {
  const { site, pacing } = visit;
  const { system, origin } = site.address;
  const keep = (reached: BootedSite['state'], more: StartTraces = {}): Promise<void> =>
    keeper.keep(site.name, {
      state: reached,
      updatedAt: rfc3339(pacing.present()),
      bmc: origin,
      ...(system !== undefined && { system }),
      ...(uuid !== undefined && { uuid }),
      ...(hardware.macs.length > 0 && { macs: hardware.macs }),
      ...(hardware.disk !== undefined && { disk: hardware.disk }),
      ...more,
    });
  let uuid: string | undefined;
  const refuseOther = (found: string | undefined): void => {
    uuid = found;
    const other = otherBootOf(keeper.all(), site.name, identity());
    if (other !== undefined && !isReinstall) throw occupied(site.name, other);
  };
  const identity = (): MachineIdentity => ({
    address: site.address,
    ...(uuid !== undefined && { uuid }),
    macs: hardware.macs,
  });
  return visited(visit, [imageUrl], async (client) => {
    const before = keeper.of(site.name);
    const earlier = isAgain ? undefined : recordOfMachine(before, site.address);
    if (earlier?.state === 'starting' && (await isStarted(client, visit, earlier))) {
      uuid = earlier.uuid;
      await keep('booted', slotOf(earlier.slot));
      return { state: 'booted', words: 'started by an earlier run' };
    }
    const fault = faultOfMedium?.();
    if (fault !== undefined) return { state: 'failed', words: fault, problems: [refusedMedium(site, fault)] };
    let slot: string | undefined;
    await bootMachine(client, {
      ...machineOf(visit),
      imageUrl,
      onFound: refuseOther,
      beforeStart: ({ isOff, isSourceShown, lastReset, ...prepared }) => {
        slot = prepared.slot;
        return keep('starting', {
          slot,
          ...(isOff && { wasOff: true }),
          ...(isSourceShown && { wasSourceShown: true }),
          ...(lastReset !== undefined && { lastReset }),
        });
      },
      onRefused: () => keeper.restore(site.name, before?.state === 'starting' ? undefined : before),
    });
    await keep('booted', slotOf(slot));
    // The machine does not run the installation of another site any more.
    for (;;) {
      const other = otherBootOf(keeper.all(), site.name, identity());
      if (other === undefined) break;
      await keeper.restore(other.name, undefined);
    }
    return { state: 'booted', words: 'starting from its image' };
  });
}

/** A machine that was booted before may run its cluster. */
function occupied(site: string, other: OtherBoot): BmcFault {
  const { message, hint } = otherBootFault(site, other);
  return new BmcFault('occupied', message, { hint });
}

type StartTraces = Pick<BootedSite, 'slot' | 'wasOff' | 'wasSourceShown' | 'lastReset'>;

/** Whether an earlier run has started the machine. Throws BmcFault if that is unknown. */
async function isStarted(
  client: BmcClient,
  visit: BootSession,
  { slot, wasOff = false, wasSourceShown = false, lastReset }: BootedSite,
): Promise<boolean> {
  const result = await resultOfStart(client, machineOf(visit), {
    wasOff,
    wasSourceShown,
    ...(slot !== undefined && { slot }),
    ...(lastReset !== undefined && { lastReset }),
  });
  if (result !== 'unknown') return result === 'started';
  throw new BmcFault(
    'stuck',
    'an earlier run was stopped while it started the machine, which may run by now',
    {
      hint: 'look at its console: if it is not installing and runs no cluster, boot it with `fleet boot --again`',
    },
  );
}

function slotOf(slot: string | undefined): StartTraces {
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
    await keeper.keep(site.name, { ...known, state: 'ejected', updatedAt: rfc3339(pacing.present()) });
    return { state: 'ejected', words: 'virtual media ejected' };
  });
}

type Happened = Pick<SiteBootResult, 'state' | 'words'> & Partial<Pick<SiteBootResult, 'problems'>>;

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
