import { isMainThread } from 'node:worker_threads';

import { exitCodes } from './command-line/output/exit-codes.js';
import { runCommandLine } from './cli/main.js';
import type { SiteRow } from './fleet/site-table.js';
import type { SiteResult } from './fleet/making/make-site.js';

/** What a thread does that loads the program: it makes sites of a fleet, one after the other. */
export async function inThread(row: SiteRow): Promise<SiteResult> {
  const { siteThread } = await import('./fleet/making/site-thread.js');
  return siteThread(row);
}

if (isMainThread) {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    // A reader that goes away early, such as `head`, is no error of ours; what was found out is still the answer.
    if (error.code === 'EPIPE') process.exit(process.exitCode ?? exitCodes.done);
    process.stderr.write(
      `sno-install: the results cannot be written to stdout: ${error.code ?? error.message}\n`,
    );
    process.exit(exitCodes.notWritten);
  });

  // The bundle is CommonJS, which cannot wait here; nothing comes after.
  void runCommandLine(process.argv.slice(2));
}
