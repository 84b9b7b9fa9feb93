import { join } from 'node:path';

import { isError, type Problem } from '../../../core/problem.js';
import { problemsOf } from '../../../core/result.js';
import { replaceFile } from '../../../disk/replace-file.js';
import { GroupedProblems, namedSites } from '../../../fleet/problems/index.js';
import { comparedSites, comparisonGoal, type ComparedSite } from '../../../fleet/running/index.js';
import { elapsedText } from '../../../formats/elapsed.js';
import { differenceData, type Difference } from '../../../review/diff/difference.js';
import { count } from '../../../run/problem-text.js';
import type { SiteProgress } from '../../../remote/kubernetes/many/wait-for-sites.js';
import { apiStatesFileName } from '../../../serve/api-states/api-state.js';
import { apiStateWriter, type PolledSite } from '../../../serve/api-states/api-state-writer.js';
import { metricText, type Metric } from '../../../serve/metrics/metric-text.js';
import { dryRunTimeoutMs } from '../../apply/print-apply.js';
import type { GlobalOptions } from '../../options.js';
import { exitCodes } from '../../output/exit-codes.js';
import { report, reportResult } from '../../output/report.js';
import { realClock } from '../../real-clock.js';
import { onStopSignals } from '../../stop-signals.js';
import { fleetProblemsShown } from '../print-fleet-problems.js';
import { openRunningSites, visitSites, type RunningSitesOptions } from './open-running-sites.js';

export interface DriftOptions extends Pick<
  RunningSitesOptions,
  'only' | 'where' | 'jobs' | 'trustKubeconfig' | 'allowCommands'
> {
  readonly metrics?: string;
}

type Options = GlobalOptions & DriftOptions;

/** Compares the clusters of sites with their configuration, and prints the number of objects that differ. */
export async function compareFleet(options: Options): Promise<void> {
  const signals = onStopSignals();
  const opened = await openRunningSites(options, signals.stop);
  if (!opened.ok) {
    signals.release();
    report({ ...options, isReadOnly: true }, { problems: opened.problems });
    return;
  }
  const { rows } = opened.value.opened;
  const found = new Map<string, readonly Difference[]>();
  const run = await visitSites(options, opened.value, {
    goalOf: (name, chosen) => comparisonGoal(chosen, (differences) => found.set(name, differences)),
    timeoutMs: dryRunTimeoutMs,
    signals,
    title: `comparing ${count(rows.length, 'site')}`,
  });
  signals.release();
  const sites = comparedSites(run.sites, found);
  const problems = new GroupedProblems();
  for (const { name, outcome } of run.sites)
    if (outcome?.kind === 'failed') problems.add(name, outcome.problems.filter(isError));
  const written =
    options.metrics === undefined
      ? undefined
      : replaceFile(options.metrics, driftMetrics(sites, realClock.present()), {
          mode: 0o644,
          followsLink: true,
        });
  const kept = recordForPage(opened.value.outputs, run.sites, sites);
  const ok = sites.every(isEqual);
  reportResult(options, {
    problems: [
      ...fleetProblemsShown(options, problems.list(), rows.length),
      ...(written === undefined ? [] : problemsOf(written)),
      ...kept,
    ],
    text: textOf(sites, run.waitedMs),
    json: { ok, seconds: Math.floor(run.waitedMs / 1000), sites: sites.map(shownSite) },
  });
  if (!ok) process.exitCode = exitCodes.problems;
  if (written?.ok === false) process.exitCode = exitCodes.notWritten;
  if (signals.stop.aborted) process.exitCode = signals.exitCode();
}

/** Saves the results where the status page of `serve` reads the last state of each API. */
function recordForPage(
  outputs: string,
  visited: readonly SiteProgress[],
  sites: readonly ComparedSite[],
): readonly Problem[] {
  const times = new Map(visited.map(({ name, receivedAt }) => [name, receivedAt]));
  return apiStateWriter(join(outputs, apiStatesFileName), 'configuration-equal').close(
    sites.map((site): PolledSite => {
      const receivedAt = times.get(site.name);
      return {
        name: site.name,
        state: isEqual(site) ? 'reached' : 'not-reached',
        said: site.reason ?? (isEqual(site) ? '' : differencesOfSite(site)),
        ...(receivedAt !== undefined && { receivedAt }),
      };
    }),
  );
}

/** `2 objects differ: ConfigMap default/a (changed), Secret default/b (removed)`. */
function differencesOfSite({ differences = [] }: ComparedSite): string {
  const verb = differences.length === 1 ? 'differs' : 'differ';
  return `${count(differences.length, 'object')} ${verb}: ${shownNames(differences)}`;
}

function shownNames(differences: readonly Difference[]): string {
  const first = differences.slice(0, shownObjects).map((each) => `${each.name} (${each.change})`);
  const left = differences.length - first.length;
  return `${first.join(', ')}${left === 0 ? '' : `, and ${left} more`}`;
}

function isEqual({ differences }: ComparedSite): boolean {
  return differences?.length === 0;
}

function stateOf({ differences }: ComparedSite): 'equal' | 'different' | 'not-compared' {
  if (differences === undefined) return 'not-compared';
  return differences.length === 0 ? 'equal' : 'different';
}

function shownSite(site: ComparedSite): object {
  const { name, differences, reason } = site;
  return {
    name,
    state: stateOf(site),
    ...(differences && {
      objects: differences.length,
      differences: differences.map(differenceData),
    }),
    ...(reason !== undefined && { message: reason }),
  };
}

/** Objects named in a row; JSON contains all. */
const shownObjects = 3;

function textOf(sites: readonly ComparedSite[], waitedMs: number): string {
  const different = sites.filter((site) => stateOf(site) === 'different');
  const width = Math.max(4, ...different.map(({ name }) => name.length));
  const rows = different.map(({ name, differences = [] }) => {
    return `${name.padEnd(width)}  ${String(differences.length).padStart(7)}  ${shownNames(differences)}`;
  });
  const reasons = new Map<string, string[]>();
  for (const { name, reason } of sites)
    if (reason !== undefined) reasons.set(reason, [...(reasons.get(reason) ?? []), name]);
  const unread = [...reasons].map(
    ([reason, names]) => `not compared (${namedSites(names, sites.length)}): ${reason}`,
  );
  const counted = (['equal', 'different', 'not-compared'] as const).flatMap((state) => {
    const number = sites.filter((site) => stateOf(site) === state).length;
    return number === 0 ? [] : [`${number} ${state.replace('-', ' ')}`];
  });
  return [
    ...(rows.length === 0 ? [] : [`${'SITE'.padEnd(width)}  OBJECTS  DIFFERENT`, ...rows]),
    ...unread,
    `${count(sites.length, 'site')}: ${counted.join(', ')} (after ${elapsedText(waitedMs)})`,
    '',
  ].join('\n');
}

/** For the textfile collector of node_exporter, or a push gateway. */
function driftMetrics(sites: readonly ComparedSite[], present: Date): string {
  const gauge = { type: 'gauge' } as const;
  const metrics: readonly Metric[] = [
    {
      ...gauge,
      name: 'sno_site_drift_objects',
      help: 'Objects of the cluster that differ from the configuration.',
      samples: sites.flatMap(({ name, differences }) =>
        differences === undefined ? [] : [{ labels: { site: name }, value: differences.length }],
      ),
    },
    {
      ...gauge,
      name: 'sno_site_drift_compared',
      help: 'Whether the last comparison reached the cluster.',
      samples: sites.map((site) => ({
        labels: { site: site.name },
        value: stateOf(site) === 'not-compared' ? 0 : 1,
      })),
    },
    {
      ...gauge,
      name: 'sno_drift_time_seconds',
      unit: 'seconds',
      help: 'Time of the last comparison, in seconds since 1970.',
      samples: [{ value: Math.floor(present.getTime() / 1000) }],
    },
  ];
  return metricText(metrics, 'openmetrics');
}
