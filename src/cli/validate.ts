import { problemsOf } from '../core/result.js';
import { check } from '../run.js';
import { isTargetName } from '../targets.js';
import type { AioOptions, GlobalOptions } from './options.js';
import { report } from './report.js';
import { requestOf } from './request.js';

/** Makes everything in memory, as `create` of this target would, and reports the problems it meets. */
export async function validate(target: string, options: GlobalOptions & AioOptions): Promise<void> {
  if (!isTargetName(target)) throw new Error(`internal error: there is no target ${target}`);
  const result = await check(requestOf(target, options));
  const warnings = problemsOf(result).length;
  const text =
    warnings === 0
      ? 'no problems found\n'
      : `no errors found, ${warnings} warning${warnings === 1 ? '' : 's'}\n`;
  report(options, { problems: problemsOf(result), text });
}
