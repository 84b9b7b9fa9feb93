import { sortedRecord } from '../../core/map-record.js';
import { problem } from '../../core/problem.js';
import { failure, success, type Result } from '../../core/result.js';
import { parseJson } from '../../formats/json.js';
import { isSameMachine, type BmcAddress } from '../../remote/redfish/bmc-address.js';
import { memberAt, objectOf, textAt } from '../../remote/redfish/resource.js';

/** The file that says which sites were booted, below the folder of the outputs. */
export const bootRecordName = 'boot.json';

/**
 * How far a site came: its power was being switched (`starting`: nobody knows how far), it runs (`booted`), its medium was taken out
 * (`ejected`).
 */
export type Reached = 'starting' | 'booted' | 'ejected';

/** What is known of a site that was booted. Holds no secret. */
export interface BootedSite {
  readonly reached: Reached;
  /** RFC 3339. */
  readonly at: string;
  /** Origin of the BMC. */
  readonly bmc: string;
  /** Path of the machine, where the BMC has several; records of before have none. */
  readonly system?: string;
  /** Path of the slot that has the medium. */
  readonly slot?: string;
  /** Of one that was being started: it was off before, so that it runs by that start if it runs. */
  readonly wasOff?: boolean;
}

/** All that were booted, by name. */
export type BootRecord = ReadonlyMap<string, BootedSite>;

/** What a record knows of a site with this machine: what became of another one says nothing of it. */
export function knownAt(known: BootedSite | undefined, address: BmcAddress): BootedSite | undefined {
  if (known === undefined) return undefined;
  const { bmc: origin, system } = known;
  return isSameMachine({ origin, ...(system !== undefined && { system }) }, address) ? known : undefined;
}

/** Reads a record; an empty text is one of no site. Problems: boot/record. */
export function readBootRecord(text: string, shownAs: string): Result<BootRecord> {
  if (text === '') return success(new Map());
  const root = objectOf(parseJson(text));
  const entries = Object.entries(objectOf(root['sites'])).map(
    ([name, value]) => [name, siteIn(value)] as const,
  );
  if (memberAt(root, 'version') !== 1 || entries.some(([, site]) => site === undefined)) {
    const hint = 'restore it from a copy; without it every site would be booted again';
    return failure(problem('boot/record', `${shownAs} is no record of boots`, { hint }));
  }
  return success(
    new Map(entries.flatMap(([name, site]) => (site === undefined ? [] : [[name, site] as const]))),
  );
}

function siteIn(value: unknown): BootedSite | undefined {
  const data = objectOf(value);
  const [reached, at, bmc, system, slot] = ['reached', 'at', 'bmc', 'system', 'slot'].map((name) =>
    textAt(data, name),
  );
  if (!isReached(reached) || at === undefined || bmc === undefined) return undefined;
  return {
    reached,
    at,
    bmc,
    ...(system !== undefined && { system }),
    ...(slot !== undefined && { slot }),
    ...(memberAt(data, 'wasOff') === true && { wasOff: true }),
  };
}

function isReached(text: string | undefined): text is Reached {
  return text === 'starting' || text === 'booted' || text === 'ejected';
}

/** The text of a record. */
export function bootRecordText(record: BootRecord): string {
  return `${JSON.stringify({ version: 1, sites: sortedRecord(record) }, null, 2)}\n`;
}
