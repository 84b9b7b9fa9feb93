import type { Tinypool } from 'tinypool';

import { programFile } from '../../disk/own/package.js';
import type { SiteRow } from '../site-table.js';
import type { SiteResult } from './make-site.js';
import type { SiteOrder } from './site-order.js';

/** Threads that make sites. */
export interface SitePool {
  /** Makes a site in a thread that is free, or becomes so. Rejects where the program itself failed. */
  readonly make: (row: SiteRow) => Promise<SiteResult>;
  readonly close: () => Promise<void>;
}

/**
 * So many threads of this process at most: one more is started for a site that finds none free. Each runs the program itself, which
 * answers in a thread by making sites (src/cli.ts).
 */
export function sitePool(order: SiteOrder, jobs: number): SitePool {
  let started: ReturnType<typeof start> | undefined;
  return {
    make: async (row) => {
      const pool = await (started ??= start(order, jobs));
      // What it gives is what `siteThread` returns.
      return (await pool.run(row)) as SiteResult;
    },
    close: async () => {
      await (await started)?.destroy();
    },
  };
}

async function start(order: SiteOrder, jobs: number): Promise<Tinypool> {
  const { Tinypool: Pool } = await import('tinypool');
  return new Pool({
    filename: programFile(),
    runtime: 'worker_threads',
    minThreads: 1,
    maxThreads: jobs,
    // A thread takes long to start: none ends before the run does. The longest that a timer waits.
    idleTimeout: 2 ** 31 - 1,
    // A thread that waits for work must answer the sockets of its locks.
    useAtomics: false,
    workerData: order,
  });
}
