import { join } from 'node:path';

import { inspectSiteFolder } from '../../disk/site-record/site-folder.js';
import {
  findChangedFile,
  isRecordUntrusted,
  readSiteRecord,
  type SiteRecord,
} from '../../disk/site-record/site-record.js';
import { recordOfRequests } from '../../disk/state/recorded-inputs.js';
import { isRenewed, stillServes } from '../../run/effects/clock.js';
import { environmentInputs } from '../../disk/environment.js';
import type { SiteFiles } from '../table/site-files.js';
import { hasFaults } from '../table/site-problems.js';
import { siteFingerprint, type SecretsIn } from './site-fingerprint.js';
import type { SiteOptions } from './site-options.js';

/** Why a site has to be created again. */
export type Staleness =
  | {
      readonly reason:
        | 'inputs-changed'
        | 'program-changed'
        | 'certificates-not-valid'
        | 'interrupted'
        | 'inputs-unknown'
        | 'record-untrusted';
    }
  | { readonly reason: 'output-missing' | 'output-changed'; readonly path: string };

/** Status of a site's outputs relative to its inputs. */
export type SiteFreshness =
  | { readonly status: 'missing' }
  | { readonly status: 'current'; readonly record: SiteRecord }
  | ({ readonly status: 'stale'; readonly record?: SiteRecord } & Staleness);

/** A site with its current input files. */
interface CurrentSite {
  readonly name: string;
  readonly site: Pick<SiteFiles, 'inputs' | 'faults' | 'problems'>;
}

type FreshnessOrder = Pick<
  SiteOptions,
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
> & {
  /** Default: `values`. */
  readonly secretsIn?: SecretsIn;
};

/**
 * Determines the status of a site from its record, without opening the state. `mayRenew` allows touching the record of a copied
 * site whose outputs are unchanged, so that the next check does not read them again.
 */
export function siteFreshness(
  order: FreshnessOrder,
  name: string,
  { site, mayRenew }: Pick<CurrentSite, 'site'> & { readonly mayRenew: boolean },
): SiteFreshness {
  const dir = join(order.dir, order.outputs, name);
  const { isUnsettled, hasState } = inspectSiteFolder(dir);
  const record = readSiteRecord(dir);
  if (isUnsettled) return { status: 'stale', reason: 'interrupted', ...(record && { record }) };
  if (record === undefined && isRecordUntrusted(dir)) return { status: 'stale', reason: 'record-untrusted' };
  if (record === undefined)
    return hasState ? { status: 'stale', reason: 'inputs-unknown' } : { status: 'missing' };
  const staleness = stalenessOf(order, record, { name, site }) ?? oddnessOf(dir, record, { mayRenew });
  return staleness === undefined ? { status: 'current', record } : { status: 'stale', record, ...staleness };
}

/** Why a site with this record has to be created again; undefined if it is up to date. Does not check the output files. */
export function stalenessOf(
  order: FreshnessOrder,
  record: SiteRecord,
  { name, site }: CurrentSite,
): Staleness | undefined {
  if (order.program === undefined || record.program !== order.program) return { reason: 'program-changed' };
  const { variables, offlineFiles, present, renewal } = order;
  const given = environmentInputs(variables, offlineFiles === undefined ? {} : { offlineFiles });
  const inputRecord = recordOfRequests(record.questions, site.inputs);
  // A placeholder without a value may leave the same text.
  if (hasFaults(site)) return { reason: 'inputs-changed' };
  const known = order.secretsIn === 'marks' ? record.markedFingerprint : record.fingerprint;
  if (siteFingerprint(name, order, { inputRecord, given }) !== known) return { reason: 'inputs-changed' };
  const mayStay = stillServes(record, given, present) && !isRenewed(record, present, renewal);
  return mayStay ? undefined : { reason: 'certificates-not-valid' };
}

function oddnessOf(
  dir: string,
  record: SiteRecord,
  by: { readonly mayRenew: boolean },
): Staleness | undefined {
  const odd = findChangedFile(dir, record, by);
  if (odd === undefined) return undefined;
  return { reason: odd.is === 'gone' ? 'output-missing' : 'output-changed', path: odd.path };
}
