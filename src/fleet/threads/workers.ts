import type { Tinypool } from 'tinypool';

import { programFile } from '../../disk/program-files/package.js';
import type { Workers } from './in-order.js';
import type { TaskFunction, TaskName, TaskOptions, ThreadTasks } from './tasks.js';

export type TaskWorkers<Name extends TaskName> = Workers<
  ThreadTasks[Name]['item'],
  ThreadTasks[Name]['done']
>;

/** Number of items and limit of threads. */
export interface Amount {
  readonly items: number;
  readonly jobs: number;
}

/** Up to this number, items are done here before a thread would have started. */
const fewItems = 16;

/** Threads for many items; for few items or one job, `here` processes them one after another. */
export function workersFor<Name extends TaskName>(
  { items, jobs }: Amount,
  elsewhere: () => TaskOptions<Name>,
  here: () => TaskFunction<Name>,
): TaskWorkers<Name> {
  if (jobs > 1 && items > fewItems) return threads(elsewhere(), jobs);
  let run: ReturnType<typeof here> | undefined;
  return { run: (item) => (run ??= here())(item), atOnce: 1, close: () => Promise.resolve() };
}

/**
 * At most `jobs` threads of this process, started when no thread is free. Each runs the program itself, which then executes the task
 * (src/cli.ts).
 */
export function threads<Name extends TaskName>(order: TaskOptions<Name>, jobs: number): TaskWorkers<Name> {
  let started: ReturnType<typeof start> | undefined;
  return {
    run: async (item) => {
      const pool = await (started ??= start(order, jobs));
      return (await pool.run(item)) as ThreadTasks[Name]['done'];
    },
    // One queued item per thread, so that no thread waits for the slowest.
    atOnce: 2 * jobs,
    close: async () => {
      await (await started)?.destroy();
    },
  };
}

async function start(order: TaskOptions<TaskName>, jobs: number): Promise<Tinypool> {
  const { Tinypool: Pool } = await import('tinypool');
  return new Pool({
    filename: programFile(),
    runtime: 'worker_threads',
    minThreads: 1,
    maxThreads: jobs,
    // Starting a thread is slow: none ends before the run does. This is the longest timeout.
    idleTimeout: 2 ** 31 - 1,
    // Data of a site is short-lived: Node's default young generation takes 20 MB more per thread and saves no time.
    resourceLimits: { maxYoungGenerationSizeMb: 8 },
    // A thread that waits for work must answer the sockets of its locks.
    useAtomics: false,
    workerData: order,
  });
}
