import { byCodeUnit } from '../../core/compare.js';
import type { FreeKits } from '../../disk/keypool/free-kits.js';
import type { PoolContents } from '../../disk/keypool/pool-contents.js';
import { count } from '../../telling/problem-text.js';

/** What lies in a pool, for people. */
export function poolText(path: string, contents: PoolContents, sites: readonly string[]): string {
  const { free, taking, given, refused } = contents;
  const kits = kitsIn(free);
  const left = sites.filter((name) => !contents.served.has(name)).length;
  return [
    `${path}: ${count(keysIn(free), 'key')}, for ${count(kits, 'site')}`,
    ...free.filter(({ ids }) => ids.length > 0).map((each) => `  ${kindText(each)}: ${ids(each)}`),
    `  ${left} of ${count(sites.length, 'site')} of the table have none yet`,
    ...(given > 0 ? [`  given: ${count(given, 'kit')}`] : []),
    ...(taking.length > 0 ? [`  taken and not erased: by ${count(taking.length, 'site')}`] : []),
    ...(refused > 0 ? [`  refused: ${refused}, which lie in refused/`] : []),
    '',
  ].join('\n');
}

/** The same for programs. */
export function poolJson(
  path: string,
  { free, served, taking, given, refused }: PoolContents,
  sites: readonly string[],
): Readonly<Record<string, unknown>> {
  return {
    pool: path,
    keys: keysIn(free),
    kits: kitsIn(free),
    needs: free.map(({ need, ids }) => ({
      kinds: kindsOf(need.labels),
      approved: need.isApproved,
      kits: ids.length,
    })),
    sites: sites.map((name) => ({ name, served: served.has(name) })),
    taking,
    given,
    refused,
  };
}

function ids({ ids }: FreeKits): string {
  return `for ${count(ids.length, 'site')}`;
}

function kindText({ need }: FreeKits): string {
  const kinds = Object.entries(kindsOf(need.labels)).map(([kind, number]) => `${number} ${kind}`);
  return `${kinds.join(' and ')} a site${need.isApproved ? ', for FIPS mode' : ''}`;
}

/** How many keys there are of a kind, such as `RSA-2048`. */
function kindsOf(labels: readonly string[]): Readonly<Record<string, number>> {
  const kinds = labels.map((label) => (label.split('/')[1] ?? '').toUpperCase());
  return Object.fromEntries(
    [...new Set(kinds)].sort(byCodeUnit).map((kind) => [kind, kinds.filter((each) => each === kind).length]),
  );
}

function kitsIn(free: readonly FreeKits[]): number {
  return free.reduce((sum, { ids }) => sum + ids.length, 0);
}

function keysIn(free: readonly FreeKits[]): number {
  return free.reduce((sum, { need, ids }) => sum + need.labels.length * ids.length, 0);
}
