import { problemsOf } from '../core/result.js';
import { run, type RunReport, type RunOptions } from '../run/run.js';
import type { GlobalOptions } from './options.js';
import { report, type Report } from './output/report.js';
import { progressLine } from './progress.js';

/** Generates a target with a progress line, and reports the result. */
export async function reportRun(
  options: GlobalOptions,
  requestWith: (progress: Pick<RunOptions, 'onProgress'>) => RunOptions,
  said: (made: RunReport) => Partial<Report> | Promise<Partial<Report>>,
): Promise<void> {
  const progress = progressLine(options);
  const result = await run(requestWith({ onProgress: progress.onProgress }));
  progress.done();
  const { problems = [], ...shown }: Partial<Report> = result.ok ? await said(result.value) : {};
  report(options, { ...shown, problems: [...problemsOf(result), ...problems] });
}
