import type { Tinypool } from 'tinypool';

import { programFile } from '../../disk/own/package.js';

/** What a thread does with each of its items; src/cli/thread-task.ts says how. */
export type ThreadTask =
  'make' | 'judge' | 'golden' | 'compare' | 'certificates' | 'render' | 'compare-outputs';

/** What does the same with one item after the other, or with several at a time. */
export interface Workers<Item, Done> {
  /** Rejects where the program itself failed. */
  readonly run: (item: Item) => Promise<Done>;
  /** How many items are to be given to them before the first is done. */
  readonly atOnce: number;
  readonly close: () => Promise<void>;
}

/** A task with what is the same for all items, of which each thread gets a copy in memory. */
export interface TaskOrder {
  readonly task: ThreadTask;
  readonly order: unknown;
}

/** How many items wait to be done, and how many threads may be at them. */
export interface Amount {
  readonly items: number;
  readonly jobs: number;
}

/** So many items are done here before a thread would have started. */
const fewItems = 16;

/** Threads for many items; for few, or where one at a time is asked for, `here` does them one after the other. */
export function workersFor<Item, Done>(
  { items, jobs }: Amount,
  elsewhere: () => TaskOrder,
  here: () => (item: Item) => Promise<Done>,
): Workers<Item, Done> {
  if (jobs > 1 && items > fewItems) return threads(elsewhere(), jobs);
  let run: ReturnType<typeof here> | undefined;
  return { run: (item) => (run ??= here())(item), atOnce: 1, close: () => Promise.resolve() };
}

/**
 * So many threads of this process at most: one more is started for an item that finds none free. Each runs the program itself, which
 * does in a thread what its order says (src/cli.ts). `Done` is what the task gives for an `Item`, as a copy.
 */
export function threads<Item, Done>(order: TaskOrder, jobs: number): Workers<Item, Done> {
  let started: ReturnType<typeof start> | undefined;
  return {
    run: async (item) => {
      const pool = await (started ??= start(order, jobs));
      return (await pool.run(item)) as Done;
    },
    // One more each than is under way: no thread waits for the slowest of the others.
    atOnce: 2 * jobs,
    close: async () => {
      await (await started)?.destroy();
    },
  };
}

async function start(order: TaskOrder, jobs: number): Promise<Tinypool> {
  const { Tinypool: Pool } = await import('tinypool');
  return new Pool({
    filename: programFile(),
    runtime: 'worker_threads',
    minThreads: 1,
    maxThreads: jobs,
    // A thread takes long to start: none ends before the run does. The longest that a timer waits.
    idleTimeout: 2 ** 31 - 1,
    // What a site leaves is garbage before long: the wider space that Node gives by itself takes 20 MB a thread and spares no time.
    resourceLimits: { maxYoungGenerationSizeMb: 8 },
    // A thread that waits for work must answer the sockets of its locks.
    useAtomics: false,
    workerData: order,
  });
}
