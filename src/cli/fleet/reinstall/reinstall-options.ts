import type { ReinstallSettings } from '../../../fleet/reinstall/index.js';
import type { RolloutCriterion, RolloutPlan } from '../../../fleet/rollout/index.js';
import { problem, type Problem } from '../../../core/problem.js';
import { failure, success, type Result } from '../../../core/result.js';
import { sha256 } from '../../../formats/sha256.js';
import { parseDuration } from '../../../formats/duration.js';
import type { GlobalOptions } from '../../options.js';
import { bootSettings, type BootOptions } from '../boot/boot-options.js';
import type { RolloutBootOptions } from '../rollout/rollout-options.js';

export interface ReinstallOptions extends Omit<
  RolloutBootOptions,
  'only' | 'where' | 'plan' | 'dryRun' | 'timeout'
> {
  readonly keys: string;
  readonly confirm?: string;
  readonly until: string;
  /** A duration such as `3h`. */
  readonly siteTimeout: string;
  readonly check?: true;
  readonly again?: true;
}

const criteria: readonly RolloutCriterion[] = [
  'bootstrap-complete',
  'install-complete',
  'post-install-complete',
];

/** Parses the options. Problems: usage/unknown-argument, usage/conflicting-options. */
export function reinstallSettings(options: GlobalOptions & ReinstallOptions): Result<ReinstallSettings> {
  const keys = (['keep', 'renew'] as const).find((each) => each === options.keys);
  const until = criteria.find((each) => each === options.until);
  const seconds = parseDuration(options.siteTimeout) ?? 0;
  const boot = bootSettings(asBootOptions(options, []));
  const problems: Problem[] = [];
  const add = (message: string, hint: string): void => {
    problems.push(problem('usage/unknown-argument', message, { hint }));
  };
  if (keys === undefined) add('--keys is neither keep nor renew', 'for example --keys keep');
  if (until === undefined) add('--until is not a criterion', `one of ${criteria.join(', ')}`);
  if (seconds === 0 || seconds > longestSeconds) add('--site-timeout is not a duration', 'for example 3h');
  if (keys === 'renew' && options.mediaUrl !== undefined) {
    const message = '--keys renew and --media-url cannot be combined: those images have the earlier keys';
    const hint = 'use --media with the URLs of `serve`, which streams the new medium';
    problems.push(problem('usage/conflicting-options', message, { hint }));
  }
  if (!boot.ok) problems.push(...boot.problems);
  if (problems.length > 0 || keys === undefined || until === undefined || !boot.ok)
    return failure(...problems);
  return success({ keys, plan: planOf(until, seconds * 1000), boot: boot.value });
}

const longestSeconds = 24 * 24 * 3600;

/** All sites in one wave. The first failure stops further starts. */
function planOf(until: RolloutCriterion, siteTimeoutMs: number): RolloutPlan {
  return {
    isCanary: () => false,
    isHeld: () => false,
    waveSize: (sites) => Math.max(1, sites),
    failureLimit: () => 1,
    until,
    siteTimeoutMs,
    pauseMs: 0,
    windows: [],
    digest: sha256('reinstall'),
  };
}

/** The options of a boot of these sites. --check and --again of a reinstallation mean something else. */
export function asBootOptions(
  options: GlobalOptions & ReinstallOptions,
  sites: readonly string[],
): GlobalOptions & BootOptions {
  const others = Object.entries(options).filter(([name]) => !['check', 'again'].includes(name));
  const own = Object.fromEntries(others) as Omit<typeof options, 'check' | 'again'>;
  return { ...own, only: sites, where: [], timeout: '60s', siteTimeout: '15m' };
}
