import { sortedRecord } from '../../core/map-record.js';
import { problem } from '../../core/problem.js';
import { failure, success, type Result } from '../../core/result.js';
import { parseJson } from '../../formats/json.js';
import { memberAt, objectOf, objectsAt, textAt, type JsonObject } from '../../remote/redfish/resource.js';

const operations = ['apply', 'boot', 'reinstall', 'upgrade'] as const;
const rolloutStates = ['running', 'waiting', 'interrupted', 'stopped', 'complete'] as const;
const waveStates = ['pending', 'running', 'done', 'failed'] as const;
const siteStates = ['held', 'pending', 'starting', 'waiting', 'done', 'failed'] as const;

export type RolloutOperation = (typeof operations)[number];
type WaveStateName = (typeof waveStates)[number];
export type SiteStateName = (typeof siteStates)[number];

/** State file of each operation, in the outputs folder. */
export const rolloutStateNames: Readonly<Record<RolloutOperation, string>> = {
  apply: 'apply.json',
  boot: 'rollout.json',
  reinstall: 'reinstall.json',
  upgrade: 'upgrade.json',
};

export interface RolloutWave {
  readonly name: string;
  readonly state: WaveStateName;
  /** Times are RFC 3339. */
  readonly startedAt?: string;
  readonly finishedAt?: string;
}

export interface RolloutSite {
  /** Name of the wave; absent for a held site. */
  readonly wave?: string;
  readonly state: SiteStateName;
  readonly startedAt?: string;
  /** Time at which the operation was started successfully. The site is never started again after it. */
  readonly bootedAt?: string;
  readonly finishedAt?: string;
  /** Number of starts. */
  readonly attempts: number;
  /** Last status text. */
  readonly status?: string;
  /** Reason of a failure. */
  readonly cause?: string;
}

/** State of a rollout. Contains no secrets and no URLs. */
export interface RolloutState {
  readonly operation: RolloutOperation;
  /** The criterion of the plan. */
  readonly until: string;
  /** SHA-256 of the text of the plan. */
  readonly plan: string;
  readonly state: (typeof rolloutStates)[number];
  readonly startedAt: string;
  readonly updatedAt: string;
  /** Reason of a stop or a wait. */
  readonly message?: string;
  /** In the order of the rollout. */
  readonly waves: readonly RolloutWave[];
  readonly sites: ReadonlyMap<string, RolloutSite>;
}

export interface RolloutCounts {
  readonly done: number;
  readonly failed: number;
  /** Started sites that have not reached the criterion. */
  readonly waiting: number;
  readonly pending: number;
  readonly held: number;
}

export function countSites(sites: Iterable<RolloutSite>): RolloutCounts {
  const counts = { done: 0, failed: 0, waiting: 0, pending: 0, held: 0 };
  for (const { state } of sites) counts[state === 'starting' ? 'waiting' : state] += 1;
  return counts;
}

export function serializeRolloutState({ operation, sites, ...more }: RolloutState): string {
  return `${JSON.stringify({ version: 1, operation, ...more, sites: sortedRecord(sites) }, null, 2)}\n`;
}

/** Reads a state file. Problems: rollout/state. */
export function readRolloutState(text: string, shownAs: string): Result<RolloutState> {
  const root = objectOf(parseJson(text));
  const [operation, state] = [among(operations, root, 'operation'), among(rolloutStates, root, 'state')];
  const [until, plan, startedAt, updatedAt] = textsAt(root, ['until', 'plan', 'startedAt', 'updatedAt']);
  const waves = objectsAt(root, 'waves').map(waveIn);
  const sites = Object.entries(objectOf(memberAt(root, 'sites'))).map(
    ([name, value]) => [name, siteIn(objectOf(value))] as const,
  );
  const [readWaves, readSites] = [waves.filter((each) => each !== undefined), known(sites)];
  if (
    memberAt(root, 'version') !== 1 ||
    operation === undefined ||
    state === undefined ||
    until === undefined ||
    plan === undefined ||
    startedAt === undefined ||
    updatedAt === undefined ||
    readWaves.length < waves.length ||
    readSites.size < sites.length
  ) {
    const hint = 'restore it from a backup; without it sites can be started again';
    return failure(problem('rollout/state', `${shownAs} is not the state of a rollout`, { hint }));
  }
  const message = textAt(root, 'message');
  return success({
    operation,
    until,
    plan,
    state,
    startedAt,
    updatedAt,
    ...(message !== undefined && { message }),
    waves: readWaves,
    sites: readSites,
  });
}

function known<T>(entries: readonly (readonly [string, T | undefined])[]): ReadonlyMap<string, T> {
  return new Map(entries.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const])));
}

function waveIn(data: JsonObject): RolloutWave | undefined {
  const [name, state] = [textAt(data, 'name'), among(waveStates, data, 'state')];
  return name === undefined || state === undefined
    ? undefined
    : { name, state, ...textFields(data, ['startedAt', 'finishedAt']) };
}

function siteIn(data: JsonObject): RolloutSite | undefined {
  const [state, attempts] = [among(siteStates, data, 'state'), memberAt(data, 'attempts')];
  if (state === undefined || typeof attempts !== 'number') return undefined;
  const texts = textFields(data, ['wave', 'startedAt', 'bootedAt', 'finishedAt', 'status', 'cause']);
  return { state, attempts, ...texts };
}

function textFields<K extends string>(
  data: JsonObject,
  names: readonly K[],
): Readonly<Partial<Record<K, string>>> {
  const found: Partial<Record<K, string>> = {};
  for (const name of names) {
    const text = textAt(data, name);
    if (text !== undefined) found[name] = text;
  }
  return found;
}

function textsAt(data: JsonObject, names: readonly string[]): readonly (string | undefined)[] {
  return names.map((name) => textAt(data, name));
}

function among<T extends string>(allowed: readonly T[], data: JsonObject, name: string): T | undefined {
  const text = textAt(data, name);
  return allowed.find((each) => each === text);
}
