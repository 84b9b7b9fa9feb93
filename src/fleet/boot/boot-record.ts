import { sortedRecord } from '../../core/map-record.js';
import { problem } from '../../core/problem.js';
import { failure, success, type Result } from '../../core/result.js';
import { parseJson } from '../../formats/json.js';
import { isSameMachine, type BmcAddress } from '../../remote/redfish/bmc-address.js';
import { memberAt, objectOf, textAt } from '../../remote/redfish/resource.js';

/** Record of booted sites, in the outputs folder. */
export const bootRecordName = 'boot.json';

/**
 * Progress of a site: power was being switched and the result is unknown (`starting`), the machine runs (`booted`), the medium was
 * ejected (`ejected`).
 */
export type BootProgress = 'starting' | 'booted' | 'ejected';

/** Recorded state of a site that was booted. Contains no secret. */
export interface BootedSite {
  readonly state: BootProgress;
  /** RFC 3339. */
  readonly updatedAt: string;
  /** Origin of the BMC's URL. */
  readonly bmc: string;
  /** Redfish path of the system, if the BMC manages several; absent in records of older versions. */
  readonly system?: string;
  /** Redfish path of the virtual media slot that holds the medium. */
  readonly slot?: string;
  /** The machine was off before it was started. If it runs now, this start succeeded. */
  readonly wasOff?: boolean;
  /** Before the start, the BMC showed the virtual CD as the next boot source. Firmware clears it at the start. */
  readonly wasSourceShown?: boolean;
  /** LastResetTime of the machine before the start, as its BMC wrote it. */
  readonly lastReset?: string;
  /** UUID of the machine from its BMC, in lower case. */
  readonly uuid?: string;
  /** The site's configured MAC addresses at the boot, in lower case. */
  readonly macs?: readonly string[];
  /** The site's installation disk at the boot: its path or its hints. */
  readonly disk?: string;
}

/** Booted sites by name. */
export type BootRecord = ReadonlyMap<string, BootedSite>;

/** Returns the recorded state only if it belongs to the same BMC and system; a replaced machine starts without a record. */
export function recordOfMachine(known: BootedSite | undefined, address: BmcAddress): BootedSite | undefined {
  if (known === undefined) return undefined;
  const { bmc: origin, system } = known;
  return isSameMachine({ origin, ...(system !== undefined && { system }) }, address) ? known : undefined;
}

/** What identifies a machine: the address of its BMC, its UUID, the MAC addresses in the site's configuration. */
export interface MachineIdentity {
  readonly address: BmcAddress;
  readonly uuid?: string;
  readonly macs?: readonly string[];
}

/** A recorded boot of a machine under another name or at another BMC address. */
export interface OtherBoot {
  readonly name: string;
  readonly known: BootedSite;
  /** The identifier that is equal. */
  readonly by: 'BMC address' | 'system UUID' | 'MAC address';
}

/**
 * The recorded boot of the same machine under another name or at another BMC address: the site was renamed, a BMC was moved or has a new
 * address. Undefined for the site's record of this BMC.
 */
export function otherBootOf(
  record: BootRecord,
  site: string,
  { address, uuid, macs = [] }: MachineIdentity,
): OtherBoot | undefined {
  for (const [name, known] of record) {
    const isSameBmc = recordOfMachine(known, address) !== undefined;
    if (isSameBmc && name === site) continue;
    if (isSameBmc) return { name, known, by: 'BMC address' };
    if (uuid !== undefined && known.uuid === uuid) return { name, known, by: 'system UUID' };
    if (known.macs?.some((mac) => macs.includes(mac)) === true) return { name, known, by: 'MAC address' };
  }
  return undefined;
}

/** The parts of a site's configuration that name its hardware. */
export interface SiteHardware {
  readonly macs: readonly string[];
  readonly disk?: string;
}

/** How the configured hardware differs from that of the recorded boot; undefined if it is the same or not recorded. */
export function changedHardware(
  { macs, disk }: Pick<BootedSite, 'macs' | 'disk'>,
  now: SiteHardware,
): 'MAC addresses' | 'installation disk' | undefined {
  const isOther = macs !== undefined && macs.length > 0 && now.macs.length > 0;
  if (isOther && !macs.some((mac) => now.macs.includes(mac))) return 'MAC addresses';
  return disk !== undefined && now.disk !== undefined && disk !== now.disk ? 'installation disk' : undefined;
}

/** Keys of the state and of its time. 0.1.0 writes version 1. */
const namesByVersion = {
  1: { state: 'reached', updatedAt: 'at' },
  2: { state: 'state', updatedAt: 'updatedAt' },
} as const;

/** Reads a record; an empty text is an empty record. Problems: boot/record. */
export function readBootRecord(text: string, shownAs: string): Result<BootRecord> {
  if (text === '') return success(new Map());
  const root = objectOf(parseJson(text));
  const version = memberAt(root, 'version');
  const names = namesByVersion[version === 1 ? 1 : 2];
  const entries = Object.entries(objectOf(root['sites'])).map(
    ([name, value]) => [name, siteIn(value, names)] as const,
  );
  if ((version !== 1 && version !== 2) || entries.some(([, site]) => site === undefined)) {
    const hint = 'restore it from a backup; without it every site is booted again';
    return failure(problem('boot/record', `${shownAs} is not a boot record`, { hint }));
  }
  return success(
    new Map(entries.flatMap(([name, site]) => (site === undefined ? [] : [[name, site] as const]))),
  );
}

function siteIn(value: unknown, names: (typeof namesByVersion)[1 | 2]): BootedSite | undefined {
  const data = objectOf(value);
  const [state, updatedAt, bmc, system, slot, lastReset, uuid, disk] = [
    names.state,
    names.updatedAt,
    'bmc',
    'system',
    'slot',
    'lastReset',
    'uuid',
    'disk',
  ].map((name) => textAt(data, name));
  const macs = memberAt(data, 'macs');
  if (!isBootProgress(state) || updatedAt === undefined || bmc === undefined) return undefined;
  return {
    state,
    updatedAt,
    bmc,
    ...(system !== undefined && { system }),
    ...(slot !== undefined && { slot }),
    ...(memberAt(data, 'wasOff') === true && { wasOff: true }),
    ...(memberAt(data, 'wasSourceShown') === true && { wasSourceShown: true }),
    ...(lastReset !== undefined && { lastReset }),
    ...(uuid !== undefined && { uuid }),
    ...(Array.isArray(macs) && { macs: macs.filter((mac) => typeof mac === 'string') }),
    ...(disk !== undefined && { disk }),
  };
}

function isBootProgress(text: string | undefined): text is BootProgress {
  return text === 'starting' || text === 'booted' || text === 'ejected';
}

export function serializeBootRecord(record: BootRecord): string {
  const sites = [...record].map(
    ([name, { state, updatedAt, ...more }]) => [name, { state, updatedAt, ...more }] as const,
  );
  return `${JSON.stringify({ version: 2, sites: sortedRecord(sites) }, null, 2)}\n`;
}
