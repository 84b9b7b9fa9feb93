import { problem } from '../../core/problem.js';
import { failure, success, type Result } from '../../core/result.js';
import type { WantedObjects } from '../../remote/kubernetes/apply/chosen-objects.js';
import type { ApplyOptions } from '../options.js';
import { waitTimeout } from '../wait/wait-timeout.js';

/** Parses `--wave` and `--timeout`. Problems: usage/unknown-argument, usage/conflicting-options. */
export function wantedObjects({
  wave,
  timeout,
  prune,
}: Pick<ApplyOptions, 'wave' | 'timeout' | 'prune'>): Result<WantedObjects> {
  if (wave !== undefined && prune === true) {
    const hint = 'remove one of them: a single wave deletes nothing';
    return failure(problem('usage/conflicting-options', '--wave and --prune cannot be combined', { hint }));
  }
  const waveMs = timeout === undefined ? success(undefined) : waitTimeout(timeout);
  if (!waveMs.ok) return waveMs;
  return success({
    ...(wave !== undefined && { wave }),
    ...(waveMs.value !== undefined && { waveMs: waveMs.value }),
  });
}
