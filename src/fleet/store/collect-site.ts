import { join } from 'node:path';

import { problem, type Problem } from '../../core/problem.js';
import { problemsOf } from '../../core/result.js';
import { outputProblems } from '../../disk/receipt/compare-outputs.js';
import { readReceipt } from '../../disk/receipt/read-receipt.js';
import { inspectSiteFolder } from '../../disk/site-record/site-folder.js';
import { writeSite } from '../../disk/site-record/site-contents.js';
import { findChangedFile, readSiteRecord, type SiteRecord } from '../../disk/site-record/site-record.js';
import { factsOf, inOutputFolder, type SiteFacts } from '../build/build-site.js';
import type { SecretsIn } from '../build/site-fingerprint.js';
import type { SiteOptions } from '../build/site-options.js';
import { stalenessOf, type Staleness } from '../build/site-freshness.js';
import type { SiteFiles } from '../table/site-files.js';
import { parseJson } from '../../formats/json.js';
import { textAt } from '../../kube/fields.js';
import { receiptName } from '../../disk/receipt/receipt.js';
import { isSameRecord, type SiteStore } from './site-store.js';
import { storeProblem } from './store-problem.js';

/** Result of a collected site. `collected` (now) and `unchanged` (already present) are up to date with the fleet. */
export type CollectResult = 'collected' | 'unchanged' | 'stale' | 'missing' | 'failed';

export interface CollectedSite {
  readonly name: string;
  readonly is: CollectResult;
  readonly facts: SiteFacts;
  readonly problems: readonly Problem[];
}

/**
 * Copies a site from the store into its folder, all files or none, and checks it against its receipt and the fleet. A site with other inputs
 * or from another build is not copied, nor one that is older than the collected site.
 * Problems: store/…, receipt/…, and those of `commit`.
 */
export async function collectSite(
  {
    order,
    store,
    secretsIn,
  }: { readonly order: SiteOptions; readonly store: SiteStore; readonly secretsIn: SecretsIn },
  name: string,
  site: SiteFiles,
): Promise<CollectedSite> {
  const dir = join(order.dir, order.outputs, name);
  try {
    const found = await store.look(name);
    if (found === undefined) return { name, is: 'missing', facts: {}, problems: [missing()] };
    const stalenessNow = (record: SiteRecord): Staleness | undefined =>
      stalenessOf({ ...order, secretsIn }, record, { name, site });
    const brought = await bring({ order, store, dir, stalenessNow }, name, found.record);
    if ('staleness' in brought) return { name, is: 'stale', facts: {}, problems: [stale(brought.staleness)] };
    if ('problems' in brought) return { name, is: 'failed', facts: {}, problems: brought.problems };
    const { record, is } = brought;
    const problems = receiptProblems(dir).map((each) => inOutputFolder(each, join(order.outputs, name)));
    const facts = factsOf(record);
    if (problems.length > 0) return { name, is: 'failed', facts, problems };
    const staleness = stalenessNow(record);
    return staleness === undefined
      ? { name, is, facts, problems }
      : { name, is: 'stale', facts, problems: [stale(staleness)] };
  } catch (error) {
    return { name, is: 'failed', facts: {}, problems: [storeProblem(error)] };
  }
}

type Brought =
  | { readonly record: SiteRecord; readonly is: 'collected' | 'unchanged' }
  | { readonly staleness: Staleness }
  | { readonly problems: readonly Problem[] };

async function bring(
  by: {
    readonly order: SiteOptions;
    readonly store: SiteStore;
    readonly dir: string;
    readonly stalenessNow: (record: SiteRecord) => Staleness | undefined;
  },
  name: string,
  stored: SiteRecord,
): Promise<Brought> {
  const { order, store, dir } = by;
  const before = readSiteRecord(dir);
  const odd = before && findChangedFile(dir, before, { mayRenew: true });
  if (before !== undefined && odd === undefined && isSameRecord(before, stored))
    return { record: before, is: 'unchanged' };
  const contents = await store.fetch(name);
  if (contents === undefined) return { problems: [missing()] };
  const isSameCluster = clusterIn(dir) === clusterOf(contents.files);
  if (before !== undefined && isSameCluster && contents.record.issued < before.issued)
    return { problems: [rolledBack(before, contents.record)] };
  const staleness = by.stalenessNow(contents.record);
  if (staleness !== undefined && staleness.reason !== 'certificates-not-valid') return { staleness };
  const isEmpty = before === undefined && !inspectSiteFolder(dir).hasState;
  if (!isEmpty && (odd !== undefined || !isSameCluster)) return { problems: [otherSite()] };
  const laid = await writeSite(dir, contents, { command: order.command, within: order.dir, before });
  return laid.ok
    ? { record: contents.record, is: 'collected' }
    : { problems: problemsOf(laid).map((each) => inOutputFolder(each, join(order.outputs, name))) };
}

/** Cluster ID in the receipt of a site's folder; null if there is none. It is generated together with the keys and identifies them. */
function clusterIn(dir: string): string | null {
  const read = readReceipt(join(dir, receiptName));
  return (read.ok ? read.value.receipt.cluster.clusterID : undefined) ?? null;
}

function clusterOf(
  files: readonly { readonly path: string; readonly contents: Uint8Array }[],
): string | null {
  const file = files.find(({ path }) => path === receiptName);
  const receipt = parseJson(Buffer.from(file?.contents ?? '').toString('utf8'));
  return textAt(receipt, ['cluster', 'clusterID']) ?? null;
}

function receiptProblems(dir: string): readonly Problem[] {
  const read = readReceipt(join(dir, receiptName));
  return read.ok ? outputProblems(dir, read.value) : read.problems;
}

function missing(): Problem {
  const hint =
    'see the logs of its shard for the reason; running the same Job again creates only the missing sites';
  return problem('store/site-missing', 'the site is not in the store', { hint });
}

function otherSite(): Problem {
  const message = 'its directory contains a site with other keys, or files that were changed';
  return problem('store/other-site', message, { hint: 'move the directory away and collect again' });
}

function rolledBack(before: SiteRecord, stored: SiteRecord): Problem {
  const message = `the store has an older version, issued ${stored.issued}; the collected one was issued ${before.issued}`;
  const hint = 'restore the newer object in the store, or move the directory away and collect again';
  return problem('store/rollback', message, { hint });
}

function stale({ reason }: Staleness): Problem {
  const reasons: Readonly<Record<string, string>> = {
    'inputs-changed': 'not collected: created from different inputs',
    'program-changed': 'not collected: created by another build of sno-install',
    'certificates-not-valid': 'its certificates have expired or expire within a day',
  };
  const hint =
    'create the fleet in the store again (for a Job: first `fleet pack`), with an identity that decrypts the state files';
  return problem('store/site-stale', reasons[reason] ?? 'it does not match the fleet', { hint });
}
