import type { StoreFault } from '../../../remote/object-store/store-fault.js';
import type { GlobalOptions } from '../../options.js';
import { isData } from '../../output/data.js';
import { isLogged } from '../../output/report.js';

/** Prints the reason for retries, at most every 30 seconds. */
export function noteOf(options: GlobalOptions): (fault: StoreFault) => void {
  let reportedAt: number | undefined;
  return ({ message }) => {
    const now = performance.now();
    if (isData(options) || !isLogged(options, 'info')) return;
    if (reportedAt !== undefined && now - reportedAt < 30_000) return;
    reportedAt = now;
    process.stderr.write(`the store does not answer (${message}); retrying\n`);
  };
}
