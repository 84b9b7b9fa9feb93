import { problem, type Problem } from '../../core/problem.js';
import { quoted } from '../../core/quoted.js';
import { failure, success, type Result } from '../../core/result.js';
import { rfc3339 } from '../../core/rfc3339.js';
import { longLivedValues } from '../../disk/state/value-labels.js';
import type { State } from '../../disk/state/state-file.js';
import { environmentInputs, type Variables } from '../../disk/environment.js';

/** The issue time of a run's certificates and the reusable part of the state. */
export interface Clock {
  readonly now: Date;
  /** Stored values that are still valid at that time. */
  readonly generatedValues: Readonly<Record<string, string>>;
}

/** When to reissue certificates with the same keys: always, or if less than this many seconds are left. */
export type Renewal = 'always' | { readonly beforeSeconds: number };

const dayMs = 24 * 60 * 60 * 1000;

/** Whether enough validity is left to boot a machine: a day, or a quarter of a short validity. */
function servesOn(clock: Date, bootableUntil: Date, present: Date): boolean {
  const wantedMs = Math.min(dayMs, (bootableUntil.getTime() - clock.getTime()) / 4);
  return bootableUntil.getTime() - present.getTime() >= wantedMs;
}

/**
 * SOURCE_DATE_EPOCH if set, otherwise the time in the state, otherwise the present. If the state's certificates expire within the boot
 * window, or the user requests it, they are reissued now with the same keys.
 * Problems: usage/environment, dir/clock-ahead; warning: dir/reissued.
 */
export function clockOf(
  state: State,
  given: Readonly<Record<string, string>>,
  { present, renewal }: { readonly present: Date; readonly renewal?: Renewal },
): Result<Clock> {
  const epoch = given['SOURCE_DATE_EPOCH'];
  if (epoch !== undefined) return clockOfEpoch(state, epoch);
  const drawn = state.generatedValues['clock'];
  if (drawn === undefined || isRenewed(state, present, renewal))
    return success(clockAt(present, state.generatedValues));
  const clock = new Date(drawn);
  const kept: Clock = { now: clock, generatedValues: state.generatedValues };
  if (state.bootableUntil === undefined) {
    // No bootable output uses this time, so it can change without a message.
    const ageMs = present.getTime() - clock.getTime();
    return success(ageMs >= 0 && ageMs < dayMs ? kept : clockAt(present, state.generatedValues));
  }
  const beginning = new Date(state.bootableFrom ?? drawn);
  if (beginning > present) return failure(clockAhead(beginning, present));
  if (servesOn(clock, new Date(state.bootableUntil), present)) return success(kept);
  return success(clockAt(present, state.generatedValues), [reissued(state.bootableUntil)]);
}

/** Whether a run would reuse certificates with these issue and expiry times. */
export function stillServes(
  {
    issued,
    bootableFrom,
    bootableUntil,
  }: { readonly issued: string; readonly bootableFrom?: string; readonly bootableUntil?: string },
  given: Readonly<Record<string, string>>,
  present: Date,
): boolean {
  // SOURCE_DATE_EPOCH is an input and compared like any other.
  if (given['SOURCE_DATE_EPOCH'] !== undefined || bootableUntil === undefined) return true;
  if (new Date(bootableFrom ?? issued) > present) return false;
  return servesOn(new Date(issued), new Date(bootableUntil), present);
}

/** Whether certificates that are still valid are reissued. */
export function isRenewed(
  { bootableUntil }: Pick<State, 'bootableUntil'>,
  present: Date,
  renewal: Renewal | undefined,
): boolean {
  if (renewal === undefined || renewal === 'always') return renewal === 'always';
  if (bootableUntil === undefined) return false;
  return Date.parse(bootableUntil) - present.getTime() < renewal.beforeSeconds * 1000;
}

/** Either the clock of the run that issued them was wrong, or the present one is. Only the user can decide. */
function clockAhead(beginning: Date, present: Date): Problem {
  const message = `the certificates of this directory are not valid before ${rfc3339(beginning)}, and it is ${rfc3339(present)} now`;
  return problem('dir/clock-ahead', message, {
    hint: 'correct the clock of this machine; if it is correct, `create … --renew` issues the certificates again with the same keys',
  });
}

function clockOfEpoch(state: State, epoch: string): Result<Clock> {
  const time = timeOfEpoch(epoch);
  if (!time.ok) return time;
  const now = time.value;
  const drawn = state.generatedValues['clock'];
  if (drawn !== undefined && Date.parse(drawn) === now.getTime())
    return success({ now, generatedValues: state.generatedValues });
  return success(clockAt(now, state.generatedValues));
}

/** The time for checks: SOURCE_DATE_EPOCH if set, otherwise the present. Problems: usage/environment. */
export function validationTime(variables: Variables, present: Date): Result<Date> {
  const epoch = environmentInputs(variables)['SOURCE_DATE_EPOCH'];
  return epoch === undefined ? success(present) : timeOfEpoch(epoch);
}

/** `SOURCE_DATE_EPOCH` counts seconds since 1970 (reproducible-builds.org/specs/source-date-epoch). */
function timeOfEpoch(epoch: string): Result<Date> {
  // Certificates write years with four digits (RFC 5280 §4.1.2.5).
  if (/^[0-9]{1,11}$/.test(epoch) && Number(epoch) <= 253_000_000_000)
    return success(new Date(Number(epoch) * 1000));
  const message = `SOURCE_DATE_EPOCH is ${quoted(epoch)}, expected whole seconds since 1970-01-01`;
  return failure(
    problem('usage/environment', message, { hint: 'unset it, or set SOURCE_DATE_EPOCH=$(date +%s)' }),
  );
}

function clockAt(time: Date, generatedValues: Readonly<Record<string, string>>): Clock {
  const now = new Date(Math.floor(time.getTime() / 1000) * 1000);
  return { now, generatedValues: { ...longLivedValues(generatedValues), clock: now.toISOString() } };
}

function reissued(bootableUntil: string): Problem {
  const message = `the certificates of this directory expired at ${bootableUntil} and are issued again with the same keys`;
  return problem('dir/reissued', message, {
    hint: 'replace the old Ignition config wherever it is used, such as in the live ISO',
  });
}
