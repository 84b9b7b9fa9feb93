import { setImmediate as nextTurn } from 'node:timers/promises';

import { printable } from '../../core/printable.js';
import { apiStateRow } from '../api-states/api-state-row.js';
import { rolloutSummary, siteRolloutText } from '../rollouts/rollout-texts.js';
import type { SiteFolder } from '../site-folders.js';
import { board, type Board } from './board.js';
import type { PageSources } from './page-options.js';
import { siteRow } from './site-row.js';
import type { ExternalStatus } from './site-status.js';

/** Keeps the board up to date while the page is open. */
export interface SiteWatch {
  readonly board: Board;
  /** Reads all sites, unless they were read within the last second. */
  readonly lookAtAll: () => Promise<void>;
  /** Reads tokens and changed sites; every 5 seconds all sites. */
  readonly look: () => Promise<void>;
}

/** Interval between reads of all sites. */
const allEveryMs = 5000;
/** Reloads within this time get the same data. */
const momentMs = 1000;
/** Sites per turn of the event loop; a turn takes a few milliseconds. */
const atOnce = 500;

export function siteWatch(sources: PageSources): SiteWatch {
  const shown = board();
  let [lookedAt, underWay]: [number, Promise<void> | undefined] = [Number.NEGATIVE_INFINITY, undefined];
  const all = async (): Promise<void> => {
    const now = sources.now();
    await sources.sites.refresh(now);
    const there = sources.sites.all();
    const names = new Set(there.map(({ name }) => name));
    shown.putSummary((sources.rollouts?.() ?? []).map(rolloutSummary));
    const sites = [...there, ...sources.awaited.filter(({ name }) => !names.has(name))];
    sources.configs.watch(sites);
    // The page does not wait for it; the next look shows the result.
    void sources.outdated?.refresh();
    sources.touched.clear();
    for (let index = 0; index < sites.length; index += atOnce) {
      putRows(shown, sources, sites.slice(index, index + atOnce));
      await nextTurn();
    }
    shown.keepOnly(new Set(sites.map(({ name }) => printable(name))));
    lookedAt = now.getTime();
  };
  const lookWhenOlderThan = async (ageMs: number): Promise<boolean> => {
    if (underWay === undefined && sources.now().getTime() - lookedAt < ageMs) return false;
    underWay ??= all().finally(() => {
      underWay = undefined;
    });
    await underWay;
    return true;
  };
  return {
    board: shown,
    lookAtAll: async () => {
      await lookWhenOlderThan(momentMs);
    },
    look: async () => {
      if (await lookWhenOlderThan(allEveryMs)) return;
      const { touched, sites } = sources;
      await sites.refresh(sources.now());
      putRows(
        shown,
        sources,
        sites.all().filter(({ name }) => touched.has(name)),
      );
      touched.clear();
    },
  };
}

function putRows(
  shown: Board,
  { configs, visits, findings, rollouts, reportOf, apiWords, outdated, payloadOf, now }: PageSources,
  sites: readonly SiteFolder[],
): void {
  if (sites.length === 0) return;
  const [found, said, at, runs] = [findings(), apiWords?.(), now(), rollouts?.() ?? []];
  shown.put(
    sites.map((site) => {
      const { name } = site;
      const [report, word, finding] = [reportOf?.(name), said?.get(name), found.get(name) ?? {}];
      const api = word && apiStateRow(word, at, finding);
      const rollout = siteRolloutText(runs, name);
      const freshness = isExpired(finding, at) ? 'certificates expired' : outdated?.of(site);
      const words = [freshness, payloadOf?.(site)].filter((each) => each !== undefined);
      const medium = words.length === 0 ? undefined : words.join('; ');
      const status = {
        name,
        hasOutputs: configs.isKnown(site),
        visit: visits.of(name),
        finding,
        ...(report && { report }),
        ...(api && { api }),
        ...(rollout !== undefined && { rollout }),
        ...(medium !== undefined && { medium }),
      };
      return siteRow(status, at);
    }),
  );
}

function isExpired({ bootableUntil }: ExternalStatus, now: Date): boolean {
  return bootableUntil !== undefined && Date.parse(bootableUntil) <= now.getTime();
}
