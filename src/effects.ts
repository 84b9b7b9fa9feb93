import { randomInt, randomUUID } from 'node:crypto';

import { problem, type Problem } from './core/problem.js';
import { failure, success, type Result } from './core/result.js';
import type { State } from './disk/state-file.js';
import type { Draws, EcCurve, Environment, RsaBits } from './graph/context.js';

/** The environment variables that are inputs, as they were given. */
export type Variables = Readonly<Record<string, string | undefined>>;

/** Called when a key is asked for that was not drawn before, and again when it is there. */
export type KeyProgress = (done: number, asked: number) => void;

const inputVariables = [
  'OPENSHIFT_INSTALL_RELEASE_IMAGE_OVERRIDE',
  'OPENSHIFT_INSTALL_INVOKER',
  'SOURCE_DATE_EPOCH',
] as const;

/** The option that is an input, as messages and the state file call it. */
const offlineFilesOption = '--offline-files';

/** The inputs among the environment variables and options; an empty one counts as unset. */
export function inputsAmong(variables: Variables, offlineFiles = ''): Readonly<Record<string, string>> {
  const given = [
    ...inputVariables.map((name) => [name, variables[name] ?? ''] as const),
    [offlineFilesOption, offlineFiles] as const,
  ];
  return Object.fromEntries(given.filter(([, value]) => value !== ''));
}

/** What assets see of the environment. */
export function environmentOf(given: Readonly<Record<string, string>>): Environment {
  const releaseImageOverride = given['OPENSHIFT_INSTALL_RELEASE_IMAGE_OVERRIDE'];
  const invoker = given['OPENSHIFT_INSTALL_INVOKER'];
  const offlineFiles = given[offlineFilesOption];
  return {
    ...(releaseImageOverride !== undefined && { releaseImageOverride }),
    ...(invoker !== undefined && { invoker }),
    ...(offlineFiles !== undefined && { offlineFiles }),
  };
}

/** The time at which this run issues certificates, and the state it goes on from. */
export interface Clock {
  readonly now: Date;
  /** The draws that still hold at that time. */
  readonly draws: Readonly<Record<string, string>>;
}

const dayMs = 24 * 60 * 60 * 1000;

/** Whether enough is left of a state's certificates for a machine to be booted: a day, or a quarter of a short validity. */
function servesOn(clock: Date, bootableUntil: Date, present: Date): boolean {
  const wantedMs = Math.min(dayMs, (bootableUntil.getTime() - clock.getTime()) / 4);
  return bootableUntil.getTime() - present.getTime() >= wantedMs;
}

/** Draws that hang on the time of issue and mean nothing after another one. */
const timeBound = /^(clock$|signature\/|size\/)/;

/**
 * SOURCE_DATE_EPOCH where given; else the clock of the state; else the present. When the certificates of the state
 * end within the boot window they are issued again at the present from the same keys, and a warning says so.
 * Problems: usage/environment.
 */
export function clockOf(state: State, given: Readonly<Record<string, string>>, present: Date): Result<Clock> {
  const epoch = given['SOURCE_DATE_EPOCH'];
  if (epoch !== undefined) return clockOfEpoch(state, epoch);
  const drawn = state.draws['clock'];
  if (drawn === undefined) return success(clockAt(present, state.draws));
  const clock = new Date(drawn);
  if (state.bootableUntil === undefined) {
    // Nothing to boot has come of this clock yet, so nobody is told when a fresh one takes its place.
    const isFresh = present.getTime() - clock.getTime() < dayMs;
    return success(isFresh ? { now: clock, draws: state.draws } : clockAt(present, state.draws));
  }
  if (servesOn(clock, new Date(state.bootableUntil), present))
    return success({ now: clock, draws: state.draws });
  return success(clockAt(present, state.draws), [reissued(state.bootableUntil)]);
}

/** `SOURCE_DATE_EPOCH` counts seconds since 1970 (reproducible-builds.org/specs/source-date-epoch). */
function clockOfEpoch(state: State, epoch: string): Result<Clock> {
  // Certificates write years with four digits (RFC 5280 §4.1.2.5).
  if (!/^[0-9]{1,11}$/.test(epoch) || Number(epoch) > 253_000_000_000) {
    const message = `SOURCE_DATE_EPOCH is ${JSON.stringify(epoch)}, expected whole seconds since 1970-01-01`;
    return failure(
      problem('usage/environment', message, { hint: 'unset it, or try SOURCE_DATE_EPOCH=$(date +%s)' }),
    );
  }
  const now = new Date(Number(epoch) * 1000);
  const drawn = state.draws['clock'];
  if (drawn !== undefined && Date.parse(drawn) === now.getTime()) return success({ now, draws: state.draws });
  return success(clockAt(now, state.draws));
}

function clockAt(time: Date, draws: Readonly<Record<string, string>>): Clock {
  const now = new Date(Math.floor(time.getTime() / 1000) * 1000);
  const lasting = Object.entries(draws).filter(([label]) => !timeBound.test(label));
  return { now, draws: { ...Object.fromEntries(lasting), clock: now.toISOString() } };
}

function reissued(bootableUntil: string): Problem {
  const message = `the certificates of this directory served until ${bootableUntil}, so they are issued again from the same keys`;
  return problem('dir/reissued', message, {
    hint: 'put the new Ignition config wherever the old one went, such as into the live ISO',
  });
}

/** Where draws come from that were not kept. A test gives one of its own. */
export interface ChanceSource {
  rsaKey(label: string, bits: RsaBits): Promise<string>;
  ecKey(label: string, curve: EcCurve): Promise<string>;
  uuid(label: string): string;
  text(label: string, length: number, alphabet: string): string;
}

/** Chance as the operating system gives it; labels play no part. */
const realChance: ChanceSource = {
  // Loaded with the first key: most runs find all of theirs in the state file.
  rsaKey: async (_label, bits) => (await import('./formats/rsa-key.js')).generateRsaKey(bits),
  ecKey: async (_label, curve) => (await import('./formats/rsa-key.js')).generateEcKey(curve),
  uuid: () => randomUUID(),
  text: (_label, length, alphabet) =>
    Array.from({ length }, () => alphabet.charAt(randomInt(alphabet.length))).join(''),
};

/** The same with RSA keys that OpenSSL makes as a whole: for a cluster in FIPS mode (decision 0003). */
export const approvedChance: ChanceSource = {
  ...realChance,
  rsaKey: async (_label, bits) => (await import('./formats/rsa-key.js')).generateApprovedRsaKey(bits),
};

export interface DrawsInHand {
  readonly draws: Draws;
  /** Kept and new draws together, by label, to be kept in the state file. */
  readonly taken: () => Readonly<Record<string, string>>;
}

/** Draws over those already made. */
export function drawsOver(
  kept: Readonly<Record<string, string>>,
  { source = realChance, onKey = () => undefined }: { source?: ChanceSource; onKey?: KeyProgress } = {},
): DrawsInHand {
  const values = new Map(Object.entries(kept));
  const underWay = new Map<string, Promise<string>>();
  const counted = countKeys(onKey);

  const once = async (label: string, draw: () => string | Promise<string>): Promise<string> => {
    const known = values.get(label);
    if (known !== undefined) return known;
    const pending = underWay.get(label) ?? Promise.resolve(draw());
    underWay.set(label, pending);
    const value = await pending;
    values.set(label, value);
    return value;
  };
  const atOnce = (label: string, draw: () => string): string => {
    const value = values.get(label) ?? draw();
    values.set(label, value);
    return value;
  };
  const draws: Draws = {
    rsaKey: (label, bits) => once(`key/rsa-${bits}/${label}`, () => counted(source.rsaKey(label, bits))),
    ecKey: (label, curve) =>
      once(`key/${curve.toLowerCase()}/${label}`, () => counted(source.ecKey(label, curve))),
    once,
    uuid: (label) => atOnce(`uuid/${label}`, () => source.uuid(label)),
    text: (label, length, alphabet) => atOnce(`text/${label}`, () => source.text(label, length, alphabet)),
  };
  return { draws, taken: () => Object.fromEntries(values) };
}

function countKeys(onKey: KeyProgress): (key: Promise<string>) => Promise<string> {
  let asked = 0;
  let done = 0;
  return async (key) => {
    asked += 1;
    const pem = await key;
    done += 1;
    onKey(done, asked);
    return pem;
  };
}
