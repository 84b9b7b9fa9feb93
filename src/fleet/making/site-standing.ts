import { join } from 'node:path';

import { lookIntoSite } from '../../disk/site-record/site-folder.js';
import { oddOutput, readSiteRecord, type SiteRecord } from '../../disk/site-record/site-record.js';
import { answersTo } from '../../disk/state/recorded-inputs.js';
import { isRenewed, stillServes } from '../../run/effects/clock.js';
import { inputsAmong } from '../../disk/environment.js';
import type { Inputs } from '../../graph/context.js';
import { siteFingerprint } from './site-fingerprint.js';
import type { SiteOrder } from './site-order.js';

/** Why a site is to be made again. */
export type Staleness =
  | { readonly why: 'inputs' | 'program' | 'ended' | 'interrupted' | 'unknown' }
  | { readonly why: 'output-gone' | 'output-changed'; readonly path: string };

/** How a site stands to what it is made of. */
export type SiteStanding =
  | { readonly is: 'missing' }
  | { readonly is: 'current'; readonly record: SiteRecord }
  | ({ readonly is: 'stale'; readonly record?: SiteRecord } & Staleness);

/** A site and what it would be made of. */
interface StandingSite {
  readonly name: string;
  readonly inputs: Inputs;
}

type StandingOrder = Pick<
  SiteOrder,
  | 'dir'
  | 'outputs'
  | 'recordKey'
  | 'target'
  | 'recipients'
  | 'encryptOutputs'
  | 'program'
  | 'variables'
  | 'offlineFiles'
  | 'present'
  | 'renewal'
>;

/**
 * How a site stands, by its record: no state is opened. Where `mayRenew`, the record of a site that was copied is touched, so that the
 * next look is a short one.
 */
export function siteStanding(
  order: StandingOrder,
  { name, inputs }: StandingSite,
  { mayRenew }: { readonly mayRenew: boolean },
): SiteStanding {
  const dir = join(order.dir, order.outputs, name);
  const { isUnsettled, hasState } = lookIntoSite(dir);
  const record = readSiteRecord(dir);
  if (isUnsettled) return { is: 'stale', why: 'interrupted', ...(record && { record }) };
  if (record === undefined) return hasState ? { is: 'stale', why: 'unknown' } : { is: 'missing' };
  const staleness = stalenessOf(order, record, { name, inputs }) ?? oddnessOf(dir, record, { mayRenew });
  return staleness === undefined ? { is: 'current', record } : { is: 'stale', record, ...staleness };
}

/** Why a site of this record is to be made again, whatever became of its outputs; undefined where it is as its files ask. */
export function stalenessOf(
  order: StandingOrder,
  record: SiteRecord,
  { name, inputs }: StandingSite,
): Staleness | undefined {
  if (order.program === undefined || record.program !== order.program) return { why: 'program' };
  const { variables, offlineFiles, present, renewal } = order;
  const given = inputsAmong(variables, offlineFiles === undefined ? {} : { offlineFiles });
  const inputRecord = answersTo(record.questions, inputs);
  if (siteFingerprint(name, order, { inputRecord, given }) !== record.fingerprint) return { why: 'inputs' };
  const mayStay = stillServes(record, given, present) && !isRenewed(record, present, renewal);
  return mayStay ? undefined : { why: 'ended' };
}

function oddnessOf(
  dir: string,
  record: SiteRecord,
  by: { readonly mayRenew: boolean },
): Staleness | undefined {
  const odd = oddOutput(dir, record, by);
  if (odd === undefined) return undefined;
  return { why: odd.is === 'gone' ? 'output-gone' : 'output-changed', path: odd.path };
}
