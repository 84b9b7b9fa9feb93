import { problemsOf } from '../core/result.js';
import { run, type RunReport, type RunOptions } from '../run/run.js';
import type { GlobalOptions } from './options.js';
import { report, type Report } from './output/report.js';
import { progressLine } from './progress.js';

/** Generates a target with a progress line, and reports the result. */
export async function reportRun(
  options: GlobalOptions,
  requestWith: (progress: Pick<RunOptions, 'onProgress'>) => RunOptions,
  said: (made: RunReport) => Omit<Report, 'problems'> | Promise<Omit<Report, 'problems'>>,
): Promise<void> {
  const progress = progressLine(options);
  const result = await run(requestWith({ onProgress: progress.onProgress }));
  progress.done();
  report(options, { problems: problemsOf(result), ...(result.ok && (await said(result.value))) });
}
