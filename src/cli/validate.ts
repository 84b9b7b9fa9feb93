import { problemsOf } from '../core/result.js';
import { check } from '../run.js';
import type { GlobalOptions } from './options.js';
import { report } from './report.js';
import { requestOf } from './request.js';

/** Makes everything in memory, as `create single-node-ignition-config` would, and reports the problems it meets. */
export async function validate(options: GlobalOptions): Promise<void> {
  const result = await check(requestOf('single-node-ignition-config', options));
  const warnings = problemsOf(result).length;
  const text =
    warnings === 0
      ? 'no problems found\n'
      : `no errors found, ${warnings} warning${warnings === 1 ? '' : 's'}\n`;
  report(options, { problems: problemsOf(result), text });
}
