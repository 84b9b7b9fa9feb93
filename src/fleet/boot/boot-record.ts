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
  readonly reached: BootProgress;
  /** RFC 3339. */
  readonly at: string;
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
}

/** Booted sites by name. */
export type BootRecord = ReadonlyMap<string, BootedSite>;

/** Returns the recorded state only if it belongs to the same BMC and system; a replaced machine starts without a record. */
export function recordOfMachine(known: BootedSite | undefined, address: BmcAddress): BootedSite | undefined {
  if (known === undefined) return undefined;
  const { bmc: origin, system } = known;
  return isSameMachine({ origin, ...(system !== undefined && { system }) }, address) ? known : undefined;
}

/** Reads a record; an empty text is an empty record. Problems: boot/record. */
export function readBootRecord(text: string, shownAs: string): Result<BootRecord> {
  if (text === '') return success(new Map());
  const root = objectOf(parseJson(text));
  const entries = Object.entries(objectOf(root['sites'])).map(
    ([name, value]) => [name, siteIn(value)] as const,
  );
  if (memberAt(root, 'version') !== 1 || entries.some(([, site]) => site === undefined)) {
    const hint = 'restore it from a backup; without it every site is booted again';
    return failure(problem('boot/record', `${shownAs} is not a boot record`, { hint }));
  }
  return success(
    new Map(entries.flatMap(([name, site]) => (site === undefined ? [] : [[name, site] as const]))),
  );
}

function siteIn(value: unknown): BootedSite | undefined {
  const data = objectOf(value);
  const [reached, at, bmc, system, slot, lastReset] = [
    'reached',
    'at',
    'bmc',
    'system',
    'slot',
    'lastReset',
  ].map((name) => textAt(data, name));
  if (!isReached(reached) || at === undefined || bmc === undefined) return undefined;
  return {
    reached,
    at,
    bmc,
    ...(system !== undefined && { system }),
    ...(slot !== undefined && { slot }),
    ...(memberAt(data, 'wasOff') === true && { wasOff: true }),
    ...(memberAt(data, 'wasSourceShown') === true && { wasSourceShown: true }),
    ...(lastReset !== undefined && { lastReset }),
  };
}

function isReached(text: string | undefined): text is BootProgress {
  return text === 'starting' || text === 'booted' || text === 'ejected';
}

export function serializeBootRecord(record: BootRecord): string {
  return `${JSON.stringify({ version: 1, sites: sortedRecord(record) }, null, 2)}\n`;
}
