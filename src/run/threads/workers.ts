import type { Tinypool } from 'tinypool';

import { programFile } from '../../disk/program-files/package.js';

/** A task of a thread; src/fleet/thread-task.ts implements it. */
export type ThreadTask =
  'make' | 'judge' | 'golden' | 'compare' | 'certificates' | 'render' | 'compare-outputs' | 'compare-media';

/** Processes items, one or several at a time. */
export interface Workers<Item, Done> {
  /** Rejects if the program itself failed. */
  readonly run: (item: Item) => Promise<Done>;
  /** How many items to submit before the first is done. */
  readonly atOnce: number;
  readonly close: () => Promise<void>;
}

/** A task with the data that all items share; each thread gets a copy. */
export interface TaskOptions {
  readonly task: ThreadTask;
  readonly order: unknown;
}

/** Number of items and limit of threads. */
export interface Amount {
  readonly items: number;
  readonly jobs: number;
}

/** Up to this number, items are done here before a thread would have started. */
const fewItems = 16;

/** Threads for many items; for few items or one job, `here` processes them one after another. */
export function workersFor<Item, Done>(
  { items, jobs }: Amount,
  elsewhere: () => TaskOptions,
  here: () => (item: Item) => Promise<Done>,
): Workers<Item, Done> {
  if (jobs > 1 && items > fewItems) return threads(elsewhere(), jobs);
  let run: ReturnType<typeof here> | undefined;
  return { run: (item) => (run ??= here())(item), atOnce: 1, close: () => Promise.resolve() };
}

/**
 * At most `jobs` threads of this process, started when no thread is free. Each runs the program itself, which then executes the task
 * (src/cli.ts). `Done` is a copy of the task's result for an `Item`.
 */
export function threads<Item, Done>(order: TaskOptions, jobs: number): Workers<Item, Done> {
  let started: ReturnType<typeof start> | undefined;
  return {
    run: async (item) => {
      const pool = await (started ??= start(order, jobs));
      return (await pool.run(item)) as Done;
    },
    // One queued item per thread, so that no thread waits for the slowest.
    atOnce: 2 * jobs,
    close: async () => {
      await (await started)?.destroy();
    },
  };
}

async function start(order: TaskOptions, jobs: number): Promise<Tinypool> {
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
