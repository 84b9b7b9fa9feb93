import type { Stdin } from '../../disk/outside/standard-input.js';
import type { FleetProblem } from '../../fleet/grouped-problems.js';
import { judgeFleet, type ReadFleet } from '../../fleet/judge-fleet.js';
import { originOf } from '../../fleet/judge-site.js';
import { rehearsedJudge } from '../../fleet/review/rehearsed-judge.js';
import { workersFor } from '../../run/threads/workers.js';
import type { AioOptions, GlobalOptions } from '../options.js';
import { siteProgress } from '../progress.js';
import { offlineOf, reviewOrder } from './review-order.js';

export interface SitesToJudge {
  readonly opened: ReadFleet;
  readonly stdin: Stdin;
  readonly jobs: number;
}

/** Checks every site of a fleet as `create` would, and shows the progress. Problems: those of `judgeFleet`. */
export async function judgedSites(
  options: GlobalOptions & AioOptions,
  { opened, stdin, jobs }: SitesToJudge,
): Promise<readonly FleetProblem[]> {
  const { dir } = options;
  const { length } = opened.rows;
  const screen = siteProgress(options, length);
  const workers = workersFor(
    { items: length, jobs },
    () => ({ task: 'judge', order: reviewOrder(opened, { dir }, { ...options, stdin }) }),
    () =>
      rehearsedJudge(originOf(opened), { present: new Date(), variables: process.env }, offlineOf(options)),
  );
  const { run, atOnce } = workers;
  try {
    return await judgeFleet(opened, { judge: run, atOnce, onSite: screen.onSite });
  } finally {
    screen.done();
    await workers.close();
  }
}
