import { availableParallelism } from 'node:os';

import { isError, problem } from '../../core/problem.js';
import { failure, problemsOf, success, type Result } from '../../core/result.js';
import { kitByKit, needsOfSites, planKits } from '../../fleet/keys/plan-kits.js';
import type { KeyNeed } from '../../disk/keypool/key-kit.js';
import { contentsOf, inPool } from '../../disk/keypool/pool-contents.js';
import { beginPool, type PoolFolder } from '../../disk/keypool/pool-folder.js';
import { clearDrafts } from '../../disk/keypool/taken-kits.js';
import { takeLock } from '../../disk/lock/lock.js';
import { ownTemplates } from '../../disk/own/templates.js';
import { fillPool, type Filled } from '../../fleet/keys/fill-pool.js';
import { recipientFaults } from '../../fleet/making/fleet-order.js';
import { judgeFleet, type ReadFleet } from '../../fleet/judge-fleet.js';
import { originOf, siteJudge } from '../../fleet/judge-site.js';
import { rehearsedKeys } from '../../rehearsed-outputs.js';
import { siteProgress } from '../../command-line/progress.js';
import { report } from '../../command-line/output/report.js';
import { commandLine, urlOrPath } from '../../command-line/request.js';
import { onStopSignals } from '../../command-line/stop-signals.js';
import { count } from '../../telling/problem-text.js';
import { keyProgress } from './key-progress.js';
import type { KeysOptions } from './keys-options.js';

interface FillOrder {
  readonly path: string;
  readonly opened: ReadFleet;
  readonly fill: number | true;
}

/** Draws what the sites of a fleet need into its pool; what is there by the end of it stays, however it ends. */
export async function fillKeys(options: KeysOptions, order: FillOrder): Promise<void> {
  const jobs = options.jobs ?? availableParallelism();
  // Keys are drawn by the threads of libuv, whose number is read once, when the first of them is wanted.
  process.env['UV_THREADPOOL_SIZE'] ??= String(jobs);
  const signals = onStopSignals();
  const filled = await filledPool(options, order, { jobs, stop: signals.stop });
  signals.release();
  const { kits, keys } = filled.ok ? filled.value : { kits: 0, keys: 0 };
  const drew = `drew ${count(keys, 'key')}, for ${count(kits, 'site')}, into ${order.path}`;
  if (signals.stop.aborted) {
    process.stderr.write(`sno-install: interrupted; ${drew}\n`);
    process.exitCode = signals.exitCode();
    return;
  }
  const text = keys === 0 ? `${order.path} holds that many keys already.\n` : `${capital(drew)}.\n`;
  report(options, { problems: problemsOf(filled), text, json: { pool: order.path, kits, keys } });
}

interface Means {
  readonly jobs: number;
  readonly stop: AbortSignal;
}

async function filledPool(
  options: KeysOptions,
  { path, opened, fill }: FillOrder,
  { jobs, stop }: Means,
): Promise<Result<Filled>> {
  const recipients = await recipientsOf(opened);
  if (!recipients.ok) return recipients;
  const sites = await sitesWithNeeds(options, opened, stop);
  if (!sites.ok) return sites;
  return inPool(path, async () => {
    const pool = beginPool(path);
    if (!pool.ok) return pool;
    const lock = await takeLock(path, commandLine());
    if (!lock.ok) return lock;
    try {
      clearDrafts(pool.value);
      const needs = kitByKit(plan(pool.value, sites.value, fill));
      const keys = needs.reduce((sum, { labels }) => sum + labels.length, 0);
      const screen = keyProgress(options, keys);
      const filling = { needs, recipients: recipients.value, jobs, stop, onKit: screen.onKeys };
      const filled = await fillPool(pool.value, filling);
      screen.done();
      return filled.ok ? success(filled.value, sites.warnings) : filled;
    } finally {
      lock.value.release();
    }
  });
}

type SiteNeed = { readonly name: string; readonly need: KeyNeed };

function plan(
  pool: PoolFolder,
  sites: readonly SiteNeed[],
  fill: number | true,
): ReturnType<typeof planKits> {
  const { free, served } = contentsOf(pool);
  return planKits(needsOfSites(sites), { free, served, goal: fill === true ? 'sites' : { keys: fill } });
}

/** Problems: state/recipient, state/no-recipients. */
async function recipientsOf({ fleet }: ReadFleet): Promise<Result<readonly string[]>> {
  if (fleet.recipients.length === 0) {
    const message = 'nothing says who can read the keys that are drawn';
    const hint = 'name recipients in fleet.yaml, as `age-keygen -y` prints them';
    return failure(problem('state/no-recipients', message, { at: { file: 'fleet.yaml' }, hint }));
  }
  const faults = await recipientFaults(fleet);
  return faults.length > 0 ? failure(...faults) : success(fleet.recipients.map(({ text }) => text));
}

/** What each site draws, by a rehearsal. Problems: those of `fleet validate`. */
async function sitesWithNeeds(
  options: KeysOptions,
  opened: ReadFleet,
  stop: AbortSignal,
): Promise<Result<readonly SiteNeed[]>> {
  const { fleet, rows } = opened;
  const offline = options.offlineFiles;
  const templates = ownTemplates();
  const surroundings = { now: new Date(), variables: process.env };
  const screen = siteProgress(options, rows.length);
  const needs: (KeyNeed | undefined)[] = [];
  const judge = siteJudge(originOf(opened), async (inputs) => {
    if (stop.aborted) return success(undefined);
    const request = {
      target: fleet.target,
      inputs,
      templates,
      ...(offline !== undefined && { offlineFiles: urlOrPath(offline) }),
    };
    const need = await rehearsedKeys(request, surroundings);
    needs.push(need.ok ? need.value : undefined);
    return need;
  });
  const found = await judgeFleet(opened, { judge, onSite: screen.onSite });
  screen.done();
  const problems = found.map((each) => each.problem);
  if (problems.some(isError)) return failure(...problems);
  const sites = rows.flatMap(({ name }, index) => {
    const need = needs[index];
    return need === undefined ? [] : [{ name, need }];
  });
  return success(sites, problems);
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
