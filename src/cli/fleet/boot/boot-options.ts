import type { BootSettings } from '../../../fleet/boot/index.js';
import { problem, type Problem } from '../../../core/problem.js';
import { failure, success, type Result } from '../../../core/result.js';
import { parseDuration } from '../../../formats/duration.js';
import type { FleetOptions } from '../fleet-options.js';
import { defaultMediaTimeout } from '../site-access-options.js';

export interface BootOptions extends FleetOptions {
  readonly media?: string;
  readonly mediaUrl?: string;
  readonly credentialsCommand?: string;
  readonly jobs: string;
  /** Durations such as `60s`. */
  readonly timeout: string;
  readonly siteTimeout: string;
  readonly mediaTimeout?: string;
  readonly again?: true;
  readonly allowOutdated?: true;
  readonly eject?: true;
  readonly ejectAfter?: string;
  readonly check?: true;
  readonly dryRun?: true;
}

/** Problems: usage/unknown-argument, usage/conflicting-options. */
export function bootSettings(options: BootOptions): Result<BootSettings> {
  const jobs = wholeNumber(options.jobs);
  const [question, site, medium] = [
    options.timeout,
    options.siteTimeout,
    options.mediaTimeout ?? defaultMediaTimeout,
  ].map(milliseconds);
  const ejectAfter = options.ejectAfter === undefined ? undefined : milliseconds(options.ejectAfter);
  const modes = (
    [
      ['eject', options.eject],
      ['check', options.check],
      ['dry-run', options.dryRun],
    ] as const
  ).flatMap(([mode, isSet]) => (isSet === true ? [mode] : []));
  const [mode = 'boot', second] = modes;
  const problems = [
    ...wrong(jobs === undefined, '--jobs is not a positive integer', 'for example --jobs 16'),
    ...wrong(question === undefined, '--timeout is not a duration', 'for example --timeout 60s'),
    ...wrong(site === undefined, '--site-timeout is not a duration', 'for example --site-timeout 15m'),
    ...wrong(medium === undefined, '--media-timeout is not a duration', 'for example --media-timeout 3m'),
    ...wrong(
      (options.mediaTimeout ?? defaultMediaTimeout) !== defaultMediaTimeout &&
        (medium ?? 0) >= (site ?? Infinity),
      `--media-timeout is not shorter than the limit of ${options.siteTimeout} for one site`,
      'for example --media-timeout 3m',
    ),
    ...wrong(
      options.ejectAfter !== undefined && ejectAfter === undefined,
      '--eject-after is not a duration',
      'for example --eject-after 45m',
    ),
    ...(second === undefined ? [] : [conflict(`--${mode}`, `--${second}`)]),
    ...(options.media === undefined || options.mediaUrl === undefined
      ? []
      : [conflict('--media', '--media-url')]),
  ];
  if (problems.length > 0 || jobs === undefined) return failure(...problems);
  if (question === undefined || site === undefined || medium === undefined) return failure(...problems);
  return success({
    mode,
    jobs,
    questionMs: question,
    siteMs: site,
    mediumMs: medium,
    ...(ejectAfter !== undefined && { ejectAfterMs: ejectAfter }),
  });
}

function wrong(isWrong: boolean, message: string, hint: string): readonly Problem[] {
  return isWrong ? [problem('usage/unknown-argument', message, { hint })] : [];
}

function conflict(option: string, other: string): Problem {
  const message = `${option} and ${other} cannot be combined`;
  return problem('usage/conflicting-options', message, { hint: 'remove one of them' });
}

function wholeNumber(text: string): number | undefined {
  return /^[1-9]\d{0,5}$/.test(text) ? Number(text) : undefined;
}

/** Maximum delay of a timer. Source: nodejs.org/api/timers.html, setTimeout: 2^31-1 milliseconds */
const longestMs = 2 ** 31 - 1;

function milliseconds(text: string): number | undefined {
  const seconds = parseDuration(text);
  return seconds === undefined || seconds === 0 || seconds * 1000 > longestMs ? undefined : seconds * 1000;
}
