import { firstSites } from '../../../fleet/problems/index.js';
import { type NodeReportText, groupedByStatus, type StatusGroup } from '../../../fleet/wait/index.js';
import { elapsedText } from '../../../formats/elapsed.js';
import type { SiteProgress } from '../../../remote/kubernetes/many/wait-for-sites.js';
import { count } from '../../../run/problem-text.js';
import type { ProgressForm, Screen } from '../../wait/progress-form.js';

export interface FleetWaitProgress {
  readonly onProgress: (
    sites: readonly SiteProgress[],
    nodes: ReadonlyMap<string, NodeReportText>,
    waitedMs: number,
  ) => void;
  /** Clears the status line. */
  done(): void;
}

/** Limit for separate news lines per update, and the minimum interval of status lines in a log. The last line is always written. */
const [newsAtOnce, logEveryMs] = [5, 10_000];

const [anew, end] = ['\r\u001b[K', '\n'];

/** Prints the overall progress. Immediately reports each site that fails, or whose node reports a failure. */
export function fleetWaitProgress(form: ProgressForm, screen: Screen): FleetWaitProgress {
  if (form === 'silent') return { onProgress: () => undefined, done: () => undefined };
  const reported = new Set<string>();
  let [last, lastMs] = ['', Number.NEGATIVE_INFINITY];
  return {
    onProgress: (sites, nodes, waitedMs) => {
      const news = newsOf(sites, nodes, reported);
      for (const line of newsLines(news, form, waitedMs)) screen.write(`${line}${end}`);
      const counts = countSites(sites);
      if (form === 'line') {
        screen.write(`${anew}${cut(`[${elapsedText(waitedMs)}] ${textOf(counts)}`, screen.columns - 1)}`);
        return;
      }
      const text = textOf(counts);
      const isComplete = counts.reached + counts.notReached === counts.sites;
      if (text === last || (!isComplete && waitedMs - lastMs < logEveryMs)) return;
      [last, lastMs] = [text, waitedMs];
      const seconds = Math.floor(waitedMs / 1000);
      const line =
        form === 'lines' ? `after ${elapsedText(waitedMs)}: ${text}` : JSON.stringify({ seconds, ...counts });
      screen.write(`${line}${end}`);
    },
    done: () => {
      if (form === 'line') screen.write(anew);
    },
  };
}

interface FleetWaitCounts {
  readonly sites: number;
  readonly reached: number;
  readonly notReached: number;
  /** The most frequent state of pending sites. */
  readonly mostly?: { readonly message: string; readonly sites: number };
}

function countSites(sites: readonly SiteProgress[]): FleetWaitCounts {
  const countOf = (kind: string): number => sites.filter(({ outcome }) => outcome?.kind === kind).length;
  const [most] = groupedByStatus(sites, ({ outcome, word }) => (outcome === undefined ? word : undefined));
  return {
    sites: sites.length,
    reached: countOf('reached'),
    notReached: countOf('failed'),
    ...(most && { mostly: { message: most.words, sites: most.names.length } }),
  };
}

function textOf({ sites, reached, notReached, mostly }: FleetWaitCounts): string {
  const failed = notReached === 0 ? '' : `, ${notReached} failed`;
  const most = mostly === undefined ? '' : `; ${count(mostly.sites, 'site')}: ${mostly.message}`;
  return `${reached} of ${count(sites, 'site')} reached${failed}${most}`;
}

/** Returns news that were not printed before, grouped by text. */
function newsOf(
  sites: readonly SiteProgress[],
  nodes: ReadonlyMap<string, NodeReportText>,
  reported: Set<string>,
): readonly StatusGroup[] {
  const isNew = (key: string): boolean => !reported.has(key) && reported.add(key).has(key);
  const failed = groupedByStatus(sites, ({ name, outcome }) =>
    outcome?.kind === 'failed' && isNew(`${name} ended`)
      ? `not reached: ${outcome.problems[0]?.message ?? ''}`
      : undefined,
  );
  const failing = groupedByStatus(sites, ({ name, outcome }) => {
    const node = nodes.get(name);
    if (outcome !== undefined || node?.isFailing !== true || !isNew(`${name} ${node.message}`))
      return undefined;
    return `the node reports a failure: ${node.message}`;
  });
  return [...failed, ...failing];
}

function newsLines(news: readonly StatusGroup[], form: ProgressForm, waitedMs: number): readonly string[] {
  if (form === 'json-lines') {
    const seconds = Math.floor(waitedMs / 1000);
    return news.map(({ words, names }) => JSON.stringify({ seconds, message: words, sites: names }));
  }
  const lines = news
    .slice(0, newsAtOnce)
    .map(({ words, names }) => `after ${elapsedText(waitedMs)}: ${words} (${firstSites(names)})`);
  const more = news.slice(newsAtOnce).reduce((all, { names }) => all + names.length, 0);
  const all = more === 0 ? lines : [...lines, `and ${count(more, 'more site')}`];
  return form === 'line' ? all.map((line) => `${anew}${line}`) : all;
}

function cut(text: string, columns: number): string {
  return text.length > columns ? `${text.slice(0, Math.max(0, columns - 1))}…` : text;
}
