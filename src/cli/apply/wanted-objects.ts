import { success, type Result } from '../../core/result.js';
import type { WantedObjects } from '../../remote/kubernetes/apply/chosen-objects.js';
import type { ApplyOptions } from '../options.js';
import { waitTimeout } from '../wait/wait-timeout.js';

/** Parses `--wave` and `--timeout`. Problems: usage/unknown-argument. */
export function wantedObjects({
  wave,
  timeout,
}: Pick<ApplyOptions, 'wave' | 'timeout'>): Result<WantedObjects> {
  const waveMs = timeout === undefined ? success(undefined) : waitTimeout(timeout);
  if (!waveMs.ok) return waveMs;
  return success({
    ...(wave !== undefined && { wave }),
    ...(waveMs.value !== undefined && { waveMs: waveMs.value }),
  });
}
