import { problem } from '../../core/problem.js';
import { quoted } from '../../core/quoted.js';
import { failure, success, type Result } from '../../core/result.js';
import { suggestionOr } from '../../core/suggest.js';
import { readConfigFile } from '../../config/reading/config-file.js';
import { validateConfig } from '../../config/reading/validate-config.js';
import rolloutFields from '#schemas/rollout' with { type: 'json' };
import type { RolloutInput } from '../../config/schema/rollout-schema.js';
import type { Finding } from '../../config/schema/rule.js';
import { applySchema } from '../../formats/apply-schema.js';
import { parseDuration } from '../../formats/duration.js';
import type { Draft, TypedSchema } from '../../formats/field-schema.js';
import { sha256 } from '../../formats/sha256.js';
import type { FieldPath } from '../../formats/yaml/yaml-tree.js';
import type { Inputs } from '../../graph/context.js';
import type { LoadedFleet } from '../table/check-fleet.js';
import { readSelector, type RolloutSelector } from './rollout-selection.js';
import { isTimeZone, weekdays, type TimeWindow } from './windows.js';

/** Default of `--plan`, in the folder of fleet.yaml. */
export const rolloutFileName = 'rollout.yaml';

export type RolloutCriterion = NonNullable<RolloutInput['until']>;

/** rollout.yaml, with defaults. */
export interface RolloutPlan {
  readonly isCanary: RolloutSelector;
  readonly isHeld: RolloutSelector;
  /** Sites per wave, of this number of sites without the canary; at least 1. */
  readonly waveSize: (sites: number) => number;
  /** Number of failures of a wave of this size that stops the rollout; at least 1. */
  readonly failureLimit: (waveSize: number) => number;
  readonly until: RolloutCriterion;
  readonly siteTimeoutMs: number;
  readonly pauseMs: number;
  readonly windows: readonly TimeWindow[];
  /** SHA-256 of the text. */
  readonly digest: string;
}

const schema: TypedSchema<RolloutInput> = { schema: rolloutFields };

/** Maximum delay of a timer. Source: nodejs.org/api/timers.html, setTimeout: 2^31-1 milliseconds */
const longestSeconds = Math.floor((2 ** 31 - 1) / 1000);

/** Reads a rollout plan. Problems: rollout/plan, rollout/selection, config/… as for any config. */
export function readRolloutPlan(
  inputs: Pick<Inputs, 'read'>,
  file: string,
  fleet: Pick<LoadedFleet, 'fleet' | 'table'>,
): Result<RolloutPlan> {
  const read = readConfigFile(inputs, file);
  if (read.kind === 'absent') {
    const hint = 'write for example "wave: 10%", or set --plan to another file; see docs/fleet-rollout.md';
    return failure(problem('rollout/plan', `${file} does not exist`, { at: { file }, hint }));
  }
  if (read.kind === 'unusable') return failure(...read.problems);
  const { draft, misfits } = applySchema(schema, read.root);
  const [canary, hold] = (['canary', 'hold'] as const).map((field) => readSelector(read.root, field, fleet));
  const values = valuesOf(draft);
  const findings = [...(canary?.findings ?? []), ...(hold?.findings ?? []), ...values.findings];
  const rules = [{ number: 1, fields: [], text: '', origin: 'sno-install' as const, check: () => findings }];
  const judged = validateConfig({ file, root: read.root, misfits, rules, subject: draft });
  const problems = [...read.problems, ...judged.problems];
  if (problems.length > 0) return failure(...problems);
  const text = inputs.read(file);
  return success({
    isCanary: canary?.selector ?? (() => false),
    isHeld: hold?.selector ?? (() => false),
    ...values.plan,
    until: draft.until ?? 'install-complete',
    digest: sha256(text.kind === 'file' ? text.bytes : ''),
  });
}

type PlanValues = Omit<RolloutPlan, 'isCanary' | 'isHeld' | 'until' | 'digest'>;

/** Parses the texts of the plan. Values with a finding are replaced by defaults. */
function valuesOf({
  wave,
  failureLimit = '1',
  siteTimeout = '3h',
  pause,
  windows = [],
}: Draft<RolloutInput>): { readonly plan: PlanValues; readonly findings: readonly Finding[] } {
  const findings: Finding[] = [];
  const reported = <T>(
    path: FieldPath,
    value: T | undefined,
    fault: Pick<Finding, 'message' | 'hint'>,
  ): T | undefined => {
    if (value === undefined) findings.push({ code: 'rollout/plan', path, ...fault });
    return value;
  };
  const share = (field: string, text: string, example: string): Share =>
    reported([field], parseShare(text), {
      message: `${field} is not a positive number or percentage`,
      hint: `for example "${field}: ${example}"`,
    }) ?? (() => 1);
  const duration = (field: string, text: string, example: string): number =>
    (reported([field], durationSeconds(text), {
      message: `${field} is not a duration of up to 24 days`,
      hint: `for example "${field}: ${example}"`,
    }) ?? 0) * 1000;
  const plan = {
    waveSize: wave === undefined ? (sites: number) => Math.max(1, sites) : share('wave', wave, '10%'),
    failureLimit: share('failureLimit', failureLimit, '5%'),
    siteTimeoutMs: duration('siteTimeout', siteTimeout, '3h'),
    pauseMs: pause === undefined ? 0 : duration('pause', pause, '30m'),
    windows: windows.map((window, index) => windowOf(window, ['windows', index], findings)),
  };
  return { plan, findings };
}

type Share = (whole: number) => number;

/** Parses `5%` or `10`; a percentage is rounded up. Undefined for any other text, and for 0. */
function parseShare(text: string): Share | undefined {
  const [, digits, percent] = /^(\d{1,6})(%?)$/.exec(text) ?? [];
  const number = Number(digits);
  if (digits === undefined || number === 0 || (percent === '%' && number > 100)) return undefined;
  return percent === '%' ? (whole) => Math.max(1, Math.ceil((whole * number) / 100)) : () => number;
}

function durationSeconds(text: string): number | undefined {
  const seconds = parseDuration(text);
  return seconds === undefined || seconds === 0 || seconds > longestSeconds ? undefined : seconds;
}

function windowOf(
  { days = weekdays, from = '', to = '', zone = '' }: Draft<NonNullable<RolloutInput['windows']>[number]>,
  path: FieldPath,
  findings: Finding[],
): TimeWindow {
  const add = (field: string, message: string, hint: string): void => {
    findings.push({ code: 'rollout/plan', path: [...path, field], message, hint });
  };
  const [fromMinute, toMinute] = [minuteOf(from), to === '24:00' ? 24 * 60 : minuteOf(to)];
  const format = 'write hours and minutes in quotes: "22:00"';
  if (fromMinute === undefined) add('from', `${quoted(from)} is not a time of day`, format);
  if (toMinute === undefined) add('to', `${quoted(to)} is not a time of day`, format);
  if (fromMinute !== undefined && fromMinute === toMinute)
    add(
      'to',
      'the window begins and ends at the same time',
      'for a whole day write from: "00:00" and to: "24:00"',
    );
  if (days.length === 0) add('days', 'the window has no days', 'name days such as mon, or remove days');
  if (!isTimeZone(zone))
    add(
      'zone',
      `${quoted(zone)} is not a known time zone`,
      suggestionOr(
        zone,
        Intl.supportedValuesOf('timeZone'),
        'write a name of the IANA, such as Europe/Berlin or UTC',
      ),
    );
  return { days, fromMinute: fromMinute ?? 0, toMinute: toMinute ?? 0, zone };
}

function minuteOf(text: string): number | undefined {
  const [, hours, minutes] = /^([01]?\d|2[0-3]):([0-5]\d)$/.exec(text) ?? [];
  return hours === undefined ? undefined : Number(hours) * 60 + Number(minutes);
}
