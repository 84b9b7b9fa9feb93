import { join } from 'node:path';

import type { Clock } from '../../core/clock.js';
import { problemsOf, success, failure, type Result } from '../../core/result.js';
import { scalarText, tracedAt } from '../../formats/yaml/traced.js';
import { waitGoal, type WaitCondition } from '../../remote/kubernetes/goals/wait-goal.js';
import { waitForSites } from '../../remote/kubernetes/many/wait-for-sites.js';
import type { ClusterClient } from '../../remote/kubernetes/reader.js';
import { reportsPath } from '../../serve/reports/site-reports.js';
import { downloadsPath, readDownloads } from '../../serve/site-downloads.js';
import type { BootInputs } from '../boot/boot-inputs.js';
import { bootRecordIn, bootRecordKeeper } from '../boot/boot-record-file.js';
import type { BmcLimits } from '../boot/boot-settings.js';
import { planVisits, visitAll, type ReportedSite } from '../boot/visit-all.js';
import { bundleFinding } from '../rollout/bundle-findings.js';
import { stateIn } from '../rollout/open-rollout.js';
import { rolloutStateNames, type RolloutOperation, type RolloutState } from '../rollout/rollout-state.js';
import { tokensPath } from '../serving/tokens-path.js';
import type { LoadedFleet } from '../table/check-fleet.js';
import { filesOf } from '../table/check-site-files.js';
import type { SiteRow } from '../table/site-table.js';
import { nodeReportTexts } from '../wait/node-report-texts.js';
import { siteApi, type ApiAccess } from '../wait/site-api.js';
import { nextStep, type NextStep, type SiteFacts } from './next-step.js';

export interface ReportRequest {
  /** The folder of fleet.yaml. */
  readonly dir: string;
  readonly fleet: LoadedFleet;
  /** The token file of `serve`. */
  readonly tokens?: string;
  readonly api: ApiAccess;
  /** The BMCs; absent if they are not contacted. */
  readonly bmcs?: { readonly inputs: BootInputs; readonly limits: BmcLimits; readonly jobs: number };
  readonly clock: Clock;
  /** Called with the number of contacted BMCs. */
  readonly onSite?: (done: number) => void;
}

export type SiteReport = SiteFacts & NextStep;

export interface FleetReport {
  /** In the order of the table. */
  readonly sites: readonly SiteReport[];
  /** Number of selected sites that a rollout has completed, holds or has not started. */
  readonly others: number;
}

/** Number of API servers to contact in parallel, as in `fleet wait-for`. */
const apiJobs = 256;

/**
 * Collects the signs of life of the sites that are not installed: those that failed or run in the newest rollout, all without a
 * rollout. Changes nothing. Problems: rollout/state, boot/record, usage/unreadable-file.
 */
export async function reportSites(request: ReportRequest): Promise<Result<FleetReport>> {
  const { dir, fleet } = request;
  const outputs = join(dir, fleet.fleet.outputs);
  const newest = newestRollouts(outputs);
  const record = bootRecordIn({ outputs });
  if (!newest.ok || !record.ok) return failure(...[newest, record].flatMap(problemsOf));
  const rows = fleet.rows.filter(({ name }) => isOpen(newest.value.get(name)));
  const apis = await apiAnswers(rows, newest.value, { ...request, outputs });
  const bmcs = await bmcAnswers(rows, request);
  const tokens = tokensPath({ dir, ...(request.tokens !== undefined && { tokens: request.tokens }) }, fleet);
  const downloads = readDownloads(downloadsPath(tokens));
  const folders = rows.map(({ name }) => ({ name, dir: join(outputs, name) }));
  const nodes = nodeReportTexts(reportsPath(tokens), folders)();
  const sites: SiteReport[] = [];
  for (const row of rows) {
    const { name } = row;
    const [rollout, boot, medium, node, bmc] = [
      newest.value.get(name),
      record.value.get(name),
      downloads.get(name),
      nodes.get(name),
      bmcs.get(name),
    ];
    const startedAt = rollout?.startedAt ?? boot?.updatedAt ?? '';
    const bundle = await bundleFinding(join(outputs, name), startedAt);
    const facts: SiteFacts = {
      name,
      ...(rollout && { rollout }),
      ...(boot && { boot: { state: boot.state, updatedAt: boot.updatedAt } }),
      ...(medium && { medium }),
      ...(node && { node }),
      api: apis.get(name) ?? { isReached: false, message: 'not contacted' },
      ...(bmc && { bmc: { isFault: bmc.state === 'failed', message: bmc.words } }),
      ...(bundle && { bundle }),
    };
    const step = nextStep(facts, {
      dir,
      outputs: join(outputs, name),
      host: hostOf(fleet, row),
      now: request.clock.present(),
    });
    sites.push({ ...facts, ...step });
  }
  return success({ sites, others: fleet.rows.length - rows.length });
}

type SiteOfRollout = NonNullable<SiteFacts['rollout']>;

const operations: readonly RolloutOperation[] = ['boot', 'reinstall', 'upgrade'];

/** The newest entry of each site in the states of the operations. */
function newestRollouts(outputs: string): Result<ReadonlyMap<string, SiteOfRollout>> {
  const read = operations.map((operation) => stateIn(join(outputs, rolloutStateNames[operation]), operation));
  const states = read.flatMap((each) => (each.ok && each.value ? [each.value] : []));
  const problems = read.flatMap(problemsOf);
  return problems.length > 0 ? failure(...problems) : success(newestOf(states));
}

function newestOf(states: readonly RolloutState[]): ReadonlyMap<string, SiteOfRollout> {
  const ordered = states.toSorted((left, right) => Date.parse(left.updatedAt) - Date.parse(right.updatedAt));
  return new Map(
    ordered.flatMap(({ operation, until, sites }) =>
      [...sites].map(([name, site]) => [name, { ...site, operation, until }] as const),
    ),
  );
}

function isOpen(rollout: SiteOfRollout | undefined): boolean {
  return rollout === undefined || ['starting', 'waiting', 'failed'].includes(rollout.state);
}

/** One check of each API against the goal of its rollout. */
async function apiAnswers(
  rows: readonly SiteRow[],
  rollouts: ReadonlyMap<string, SiteOfRollout>,
  { fleet, outputs, api, clock }: ReportRequest & { readonly outputs: string },
): Promise<ReadonlyMap<string, SiteFacts['api']>> {
  const answers = await waitForSites<ClusterClient>(
    rows.map((row) => ({
      name: row.name,
      goal: waitGoal(conditionOf(rollouts.get(row.name)), () => filesOf(fleet, row).inputs),
      connect: () => siteApi(join(outputs, row.name), api),
    })),
    { clock, timeoutMs: 0, jobs: apiJobs, stop: api.stop, onProgress: () => undefined },
  );
  return new Map(
    answers.map(({ name, word, outcome }): readonly [string, SiteFacts['api']] => {
      if (outcome?.kind === 'reached') {
        const { version } = outcome.facts;
        const message = version === undefined ? conditionOf(rollouts.get(name)) : `version ${version}`;
        return [name, { isReached: true, message }];
      }
      const own = outcome?.kind === 'failed' ? outcome.problems[0]?.message : undefined;
      return [name, { isReached: false, message: word ?? own ?? 'no answer' }];
    }),
  );
}

const conditions: readonly WaitCondition[] = [
  'bootstrap-complete',
  'install-complete',
  'post-install-complete',
];

/** The state of an upgrade has its release in the place of the condition. */
function conditionOf(rollout: SiteOfRollout | undefined): WaitCondition {
  return conditions.find((each) => each === rollout?.until) ?? 'install-complete';
}

/** Login, power and media of the BMCs. Changes nothing. */
async function bmcAnswers(
  rows: readonly SiteRow[],
  { bmcs, api: { stop }, clock, onSite }: ReportRequest,
): Promise<ReadonlyMap<string, ReportedSite>> {
  if (bmcs === undefined) return new Map();
  const { inputs, limits, jobs } = bmcs;
  const names = new Set(rows.map(({ name }) => name));
  const sites = inputs.sites.filter(({ name }) => names.has(name));
  const visited = await visitAll(
    planVisits({ ...inputs, sites }, () => undefined, { mode: 'check', isAgain: false }),
    {
      settings: { ...limits, mode: 'check', jobs },
      isAgain: false,
      keeper: bootRecordKeeper(inputs, new Map()),
      stop,
      present: () => clock.present(),
      ...(onSite && { onSite }),
    },
  );
  return new Map(visited.map((each) => [each.site.name, each]));
}

/** The name of the API, which is the address of the node. */
function hostOf(fleet: LoadedFleet, row: SiteRow): string {
  const [install] = filesOf(fleet, row).documentsOf('install-config.yaml');
  const textOf = (path: readonly string[]): string =>
    scalarText(install && tracedAt(install, [...path])) ?? '';
  return `api.${textOf(['metadata', 'name'])}.${textOf(['baseDomain'])}`;
}
