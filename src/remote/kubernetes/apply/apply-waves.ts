import { isError, problem, type Problem } from '../../../core/problem.js';
import { textAt } from '../../../kube/fields.js';
import type { Identity } from '../../../kube/identity.js';
import type { Clock } from '../clock.js';
import type { ClusterClient, ApiAnswer } from '../reader.js';
import type { Fault } from '../request-fault.js';
import type { CheckResult, Goal } from '../wait.js';
import { isSuccess, rejectionOf } from './api-answer.js';
import { failureHints, failureOf, fixedField, rebootWarning, type Failure } from './apply-failure.js';
import { applyObject, type Change } from './apply-object.js';
import {
  entriesWithout,
  identityToApply,
  inventoryWarning,
  readInventory,
  writeInventory,
} from './inventory.js';
import { wavesOf, type ObjectToApply, fieldManager, manifestsWave } from './object-to-apply.js';
import {
  objectsToRemove,
  removalProblems,
  removeObject,
  type ObjectToRemove,
  type RemovalState,
} from './remove-objects.js';
import { kindLookup, openShiftAbsence } from './served-kinds.js';
import type { MissingCondition } from './unfinished-operator.js';
import { rfc3339 } from '../../../core/rfc3339.js';
import { writeYaml } from '../../../formats/yaml/write-yaml.js';

/** Last known state of an object. */
export interface ObjectState {
  readonly object: ObjectToApply;
  readonly state: Change | 'waiting' | 'failed' | 'not-applied';
  /** The condition that the object waits for, or the cause of its failure. */
  readonly text?: string;
}

export interface ApplyLimits {
  /** Time from the start of a wave until all its kinds must be served. */
  readonly waveMs: number;
  /** Time from the first rejection of an object in its wave until it fails. */
  readonly rejectionMs: number;
}

/** Source: the script of the node, templates/post-install */
export const rejectionLimitMs = 10 * 60_000;

export interface WavesToApply {
  /** In order, each wave as a whole. */
  readonly objects: readonly ObjectToApply[];
  /** Whether to take over fields of other field managers. */
  readonly isForced?: boolean;
  /** Whether these are all objects of the site, which are then reported as complete. */
  readonly isWhole: boolean;
  /** Objects that must not exist. */
  readonly removals?: readonly ObjectToRemove[];
  /** Whether to delete objects of earlier runs that are no longer among all objects. */
  readonly isPruning?: boolean;
  readonly limits: ApplyLimits;
  readonly clock: Clock;
  /** Receives each change of an object's state. */
  readonly onChange?: (state: ObjectState) => void;
  /** Receives each deletion. */
  readonly onRemoval?: (state: RemovalState) => void;
}

export interface ApplyRun {
  /** Each look is one pass over the pending objects of the current wave. */
  readonly goal: Goal<ClusterClient>;
  /** State of all objects, in order. */
  readonly states: () => readonly ObjectState[];
  /** Objects of remove.yaml and of earlier runs. Empty until all waves are applied. */
  readonly removals: () => readonly RemovalState[];
}

/**
 * Applies objects wave by wave, as the node does. An object waits until its kind is served, its CRD is Established and the operator
 * that brings the kind is installed. Objects that the API rejects are tried again, except after a conflict with another field manager,
 * which no waiting ends. A failed object stops the waves after its own. After the last wave it deletes the objects that must not exist.
 * The inventory in the cluster lists an object before it is applied, so that an interrupted run loses none.
 * Problems: those of `failureOf`, `rebootWarning` and `removalProblems`, apply/inventory, apply/not-openshift, apply/status.
 */
export function applyWaves(given: WavesToApply): ApplyRun {
  const run = new WaveRun(given);
  return {
    goal: {
      outage: 'expected while it or the node restarts',
      look: (client) => run.look(client),
      overdue: (message) =>
        Promise.resolve([
          problem('apply/not-served', `timed out: ${message}`, { hint: failureHints['apply/not-served'] }),
        ]),
    },
    states: () => run.states,
    removals: () => run.removals,
  };
}

/** An object of the current wave. */
interface Pending {
  readonly object: ObjectToApply;
  /** Time of its first rejection since the API last failed to answer. */
  rejectedSinceMs?: number;
}

interface Wave {
  readonly name: string;
  readonly startMs: number;
  readonly size: number;
  readonly pending: Set<Pending>;
}

class WaveRun {
  readonly #given: WavesToApply;
  readonly #waves: readonly string[];
  readonly #states: Map<ObjectToApply, ObjectState>;
  readonly #problems: Problem[] = [];
  readonly #warnings: Problem[] = [];
  readonly #removals: RemovalState[] = [];
  readonly #uids = new Set<string | undefined>();
  #inventory: readonly Identity[] | undefined;
  /** Whether the API serves the kinds of OpenShift that the objects need; false until it was asked. */
  #isOpenShift = false;
  #applied = 0;
  /** Time when the last wave was applied. */
  #appliedMs: number | undefined;
  #wave: Wave | undefined;

  constructor(given: WavesToApply) {
    this.#given = given;
    this.#waves = wavesOf(given.objects);
    this.#states = new Map(given.objects.map((object) => [object, { object, state: 'not-applied' }]));
  }

  get states(): readonly ObjectState[] {
    return [...this.#states.values()];
  }

  get removals(): readonly RemovalState[] {
    return this.#removals;
  }

  async look(client: ClusterClient): Promise<CheckResult> {
    if (!this.#isOpenShift) {
      const absence = await openShiftAbsence(client, this.#given.objects);
      if (absence !== undefined && !('fault' in absence)) return { kind: 'hopeless', problems: [absence] };
      this.#isOpenShift = absence === undefined;
    }
    for (;;) {
      const name = this.#waves[this.#applied];
      if (name === undefined) return this.#finish(client);
      const wave = (this.#wave ??= this.#start(name));
      const before = wave.pending.size;
      const fault = (await this.#openInventory(client)) ?? (await this.#pass(client, wave));
      if (fault !== undefined) {
        if (!this.#isOver(wave)) return { kind: 'fault', fault };
        const text = `the API does not answer: ${fault.detail}`;
        for (const each of wave.pending) this.#fail(wave, each, { code: 'apply/not-served', text });
      }
      if (wave.pending.size > 0) {
        // An applied object, such as a Namespace, may be all that the others wait for.
        if (wave.pending.size < before) continue;
        return { kind: 'waiting', message: this.#progress(wave) };
      }
      if (this.#problems.length > 0)
        return { kind: 'hopeless', problems: [...this.#warnings, ...this.#problems] };
      this.#wave = undefined;
      this.#applied += 1;
    }
  }

  #start(name: string): Wave {
    const objects = this.#given.objects.filter(({ wave }) => wave === name);
    return {
      name,
      startMs: this.#given.clock.nowMs(),
      size: objects.length,
      pending: new Set(objects.map((object) => ({ object }))),
    };
  }

  /** Tries each pending object once. Returns a fault of the API that concerns all objects. */
  async #pass(client: ClusterClient, wave: Wave): Promise<Fault | undefined> {
    const stateOf = kindLookup(client);
    for (const each of [...wave.pending]) {
      const { object } = each;
      const kind = await stateOf(object);
      if (kind.kind === 'fault') {
        // Rejections from before a restart of the node may have been caused by it.
        for (const other of wave.pending) delete other.rejectedSinceMs;
        return kind.fault;
      }
      if (kind.kind === 'missing') this.#wait(wave, each, kind.missing);
      else {
        const fault = await this.#apply(client, wave, { each, path: kind.pathOf(object) });
        if (fault !== undefined) return fault;
      }
    }
    return undefined;
  }

  async #apply(
    client: ClusterClient,
    wave: Wave,
    { each, path }: { readonly each: Pending; readonly path: string },
  ): Promise<Fault | undefined> {
    const { object } = each;
    const { isForced = false } = this.#given;
    const answer = await applyObject(client, { path, object }, { isForced });
    switch (answer.kind) {
      case 'applied':
        wave.pending.delete(each);
        this.#set(object, answer.change);
        this.#uids.add(textAt(answer.after, ['metadata', 'uid']));
        if (answer.effect !== undefined) this.#warnings.push(rebootWarning(object, answer.effect, false));
        return undefined;
      case 'fixed':
        this.#fail(wave, each, fixedField(answer.field));
        return undefined;
      case 'rejected':
        if (answer.managers.length > 0)
          this.#fail(wave, each, { code: 'apply/conflict', text: answer.answer });
        else this.#reject(wave, each, { code: 'apply/rejected', text: answer.answer });
        return undefined;
      case 'not-served':
        this.#wait(wave, each, answer.missing);
        return undefined;
      case 'fault':
        this.#reject(wave, each, { code: 'apply/rejected', text: `no answer: ${answer.fault.detail}` });
        return answer.fault;
    }
  }

  #wait(wave: Wave, each: Pending, { waitsFor, failure }: MissingCondition): void {
    if (this.#isOver(wave)) this.#fail(wave, each, { code: 'apply/not-served', text: failure });
    else this.#set(each.object, 'waiting', waitsFor);
  }

  #reject(wave: Wave, each: Pending, cause: Failure): void {
    const nowMs = this.#given.clock.nowMs();
    each.rejectedSinceMs ??= nowMs;
    if (nowMs - each.rejectedSinceMs >= this.#given.limits.rejectionMs) this.#fail(wave, each, cause);
    else this.#set(each.object, 'waiting', `the API to accept it (${cause.text})`);
  }

  #fail(wave: Wave, each: Pending, cause: Failure): void {
    wave.pending.delete(each);
    this.#set(each.object, 'failed', cause.text);
    this.#problems.push(failureOf(each.object, cause));
  }

  #isOver({ startMs }: Wave): boolean {
    return this.#given.clock.nowMs() - startMs >= this.#given.limits.waveMs;
  }

  #set(object: ObjectToApply, state: ObjectState['state'], text?: string): void {
    const before = this.#states.get(object);
    if (before?.state === state && before.text === text) return;
    const now = { object, state, ...(text !== undefined && { text }) };
    this.#states.set(object, now);
    this.#given.onChange?.(now);
  }

  /** Equal for sites that wait for the same. */
  #progress({ name, size, pending }: Wave): string {
    const texts = [...pending].map(({ object }) => this.#states.get(object)?.text ?? '');
    const [first = '', ...others] = new Set(texts);
    const more = others.length === 0 ? '' : ` and ${others.length} more`;
    return `wave ${name}: ${size - pending.size} of ${size} applied, waiting for ${first}${more}`;
  }

  /** Adds the objects of this run to the inventory. Returns a fault of the API. */
  async #openInventory(client: ClusterClient): Promise<Fault | undefined> {
    if (this.#inventory !== undefined) return undefined;
    const read = await readInventory(client);
    if (read.kind === 'fault') return read.fault;
    if (read.kind === 'refused') {
      this.#inventory = [];
      this.#warnings.push(inventoryWarning(read.answer));
      return undefined;
    }
    const known = read.entries;
    const added = entriesWithout(this.#given.objects.map(identityToApply), known);
    const fault = added.length === 0 ? undefined : await this.#writeInventory(client, [...known, ...added]);
    if (fault === undefined) this.#inventory = known;
    return fault;
  }

  async #writeInventory(client: ClusterClient, entries: readonly Identity[]): Promise<Fault | undefined> {
    const answer = await writeInventory(client, entries);
    if (answer.kind === 'fault') return answer.fault;
    if (!isSuccess(answer)) this.#warnings.push(inventoryWarning(rejectionOf(answer, 'ConfigMap')));
    return undefined;
  }

  /** Deletes the objects that must not exist, and updates inventory and status. */
  async #finish(client: ClusterClient): Promise<CheckResult> {
    const { isWhole, clock, limits } = this.#given;
    this.#appliedMs ??= clock.nowMs();
    const fault = isWhole ? await this.#complete(client) : undefined;
    if (fault !== undefined) {
      if (clock.nowMs() - this.#appliedMs < limits.waveMs) return { kind: 'fault', fault };
      return { kind: 'hopeless', problems: [...this.#warnings, unfinished(fault)] };
    }
    const found = removalProblems(this.#removals);
    const problems = [...this.#warnings, ...found];
    return found.some(isError)
      ? { kind: 'hopeless', problems }
      : { kind: 'reached', facts: {}, warnings: problems };
  }

  async #complete(client: ClusterClient): Promise<Fault | undefined> {
    const fault = (await this.#remove(client)) ?? (await this.#closeInventory(client));
    const waves = this.#waves.filter((wave) => wave !== manifestsWave);
    if (fault !== undefined || waves.length === 0) return fault;
    const answer = await writeComplete(client, { waves, present: this.#given.clock.present() });
    if (answer.kind === 'fault') return answer.fault;
    if (!isSuccess(answer)) this.#warnings.push(statusWarning(rejectionOf(answer, 'ConfigMap')));
    return undefined;
  }

  /** Each object once: a fault continues with the next one at the next look. */
  async #remove(client: ClusterClient): Promise<Fault | undefined> {
    const { isPruning = false } = this.#given;
    const all = objectsToRemove(this.#given, this.#inventory ?? []);
    for (const object of all.slice(this.#removals.length)) {
      const state = await removeObject(client, object, { isDryRun: false, isPruning, applied: this.#uids });
      if ('fault' in state) return state.fault;
      this.#removals.push(state);
      this.#given.onRemoval?.(state);
    }
    return undefined;
  }

  async #closeInventory(client: ClusterClient): Promise<Fault | undefined> {
    const own = this.#given.objects.map(identityToApply);
    const left = this.#removals
      .filter(({ object, state }) => object.at === undefined && ['leftover', 'failed'].includes(state))
      .map(({ object }) => object.identity);
    const isSame = entriesWithout(this.#inventory ?? [], [...own, ...left]).length === 0;
    return isSame ? undefined : this.#writeInventory(client, [...own, ...left]);
  }
}

function unfinished({ detail }: Fault): Problem {
  const message = `all objects are applied, but nothing is deleted and no status is written: the API does not answer: ${detail}`;
  return problem('apply/not-served', message, { hint: 'run the command again when the API answers' });
}

function statusWarning(answer: string): Problem {
  const { namespace, name } = statusName;
  const message = `all objects are applied, but ConfigMap ${namespace}/${name} cannot be written: ${answer}`;
  const hint = '`wait-for post-install-complete` reads it; run `apply` as a user with permission to write it';
  return problem('apply/status', message, { hint });
}

/** ConfigMap with the progress of the post-install manifests, which the node writes too. */
const statusName = { namespace: 'kube-system', name: 'sno-post-install' } as const;

/** A finished set of post-install manifests. */
interface CompleteSet {
  readonly waves: readonly string[];
  readonly present: Date;
}

/** Reports the set as complete. Takes over fields of other managers: only sno-install writes this object. */
function writeComplete(
  { send }: Pick<ClusterClient, 'send'>,
  { waves, present }: CompleteSet,
): Promise<ApiAnswer> {
  const { namespace, name } = statusName;
  const object = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, namespace },
    data: {
      status: 'complete',
      wave: waves.at(-1) ?? '',
      waves: `${waves.length}/${waves.length}`,
      waiting: '',
      failed: '',
      updated: rfc3339(present),
    },
  };
  return send({
    path: `/api/v1/namespaces/${namespace}/configmaps/${name}`,
    query: { fieldManager, force: 'true' },
    apply: writeYaml(object),
  });
}
