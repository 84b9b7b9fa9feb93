import type { Tinypool } from 'tinypool';

import { programFile } from '../../disk/package.js';
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
 * So many threads of this process, started with the first site that is to be made. Each runs the program itself, which answers in a thread
 * by making sites (src/cli.ts).
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
    minThreads: jobs,
    maxThreads: jobs,
    // A thread that waits for work must answer the sockets of its locks.
    useAtomics: false,
    workerData: order,
  });
}
