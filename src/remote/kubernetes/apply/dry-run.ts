import { isError, type Problem } from '../../../core/problem.js';
import { textAt } from '../../../kube/fields.js';
import type { Effect } from '../../../manifests/post-install/reboot-problems.js';
import type { ClusterClient } from '../reader.js';
import type { Fault } from '../request-fault.js';
import type { Goal } from '../wait.js';
import { applyObject, type Change } from './apply-object.js';
import { fixedField, rebootWarning, type Failure } from './apply-failure.js';
import { inventoryWarning, readInventory } from './inventory.js';
import type { ObjectToApply } from './object-to-apply.js';
import {
  objectsToRemove,
  removalProblems,
  removeObject,
  type ObjectToRemove,
  type RemovalState,
} from './remove-objects.js';
import { kindLookup, openShiftAbsence } from './served-kinds.js';

/** The result that an apply of an object would have. */
export type DryRunState = { readonly object: ObjectToApply } & (
  | {
      readonly state: Change;
      /** `before` is undefined for a new object. */
      readonly before: unknown;
      readonly after: unknown;
      readonly effect?: Effect;
      /** Other field managers that own fields of it; only with `isForced`. */
      readonly conflict?: string;
    }
  /** The kind or the namespace is missing, so the API cannot check the object. */
  | { readonly state: 'not-checked'; readonly text: string }
  | { readonly state: 'failed'; readonly cause: Failure }
);

/** Result of a dry run. */
export interface DryRunResult {
  readonly states: readonly DryRunState[];
  /** Objects that would be deleted, and those that --prune would delete. */
  readonly removals: readonly RemovalState[];
}

export interface DryRunOrder {
  readonly objects: readonly ObjectToApply[];
  /** Absent for a single wave, which deletes nothing. */
  readonly removals?: readonly ObjectToRemove[];
  readonly isForced?: boolean;
  readonly isPruning?: boolean;
}

/**
 * Returns a goal that is reached when the API has checked all objects. `onDone` receives the results. Problems: those of
 * `rebootWarning`, apply/inventory, apply/leftover.
 */
export function dryRunGoal(order: DryRunOrder, onDone: (result: DryRunResult) => void): Goal<ClusterClient> {
  const { objects, isForced = false } = order;
  return {
    outage: 'try again when the API answers',
    look: async (client) => {
      const absence = await openShiftAbsence(client, objects);
      if (absence !== undefined)
        return 'fault' in absence
          ? { kind: 'fault', fault: absence.fault }
          : { kind: 'hopeless', problems: [absence] };
      const states: DryRunState[] = [];
      const lookup = kindLookup(client);
      for (const object of objects) {
        const kind = await lookup(object);
        if (kind.kind === 'fault') return kind;
        const state =
          kind.kind === 'missing'
            ? ({ object, state: 'not-checked', text: kind.missing.failure } as const)
            : await stateOf(client, { object, path: kind.pathOf(object), objects, isForced });
        if ('fault' in state) return { kind: 'fault', fault: state.fault };
        states.push(state);
      }
      const found = await removalsOf(client, order, states);
      if ('fault' in found) return { kind: 'fault', fault: found.fault };
      const { removals, warnings } = found;
      onDone({ states, removals });
      return { kind: 'reached', facts: {}, warnings: [...warnings, ...warningsOf(states, removals)] };
    },
    overdue: () => Promise.resolve([]),
  };
}

function warningsOf(states: readonly DryRunState[], removals: readonly RemovalState[]): readonly Problem[] {
  const reboots = states.flatMap((each) => {
    if (each.state === 'failed' || each.state === 'not-checked' || each.effect === undefined) return [];
    return [rebootWarning(each.object, each.effect, true)];
  });
  return [...reboots, ...removalProblems(removals).filter((each) => !isError(each))];
}

async function removalsOf(
  client: ClusterClient,
  { objects, removals, isPruning = false }: DryRunOrder,
  checked: readonly DryRunState[],
): Promise<
  | { readonly removals: readonly RemovalState[]; readonly warnings: readonly Problem[] }
  | { readonly fault: Fault }
> {
  if (removals === undefined) return { removals: [], warnings: [] };
  const inventory = await readInventory(client);
  if (inventory.kind === 'fault') return { fault: inventory.fault };
  const entries = inventory.kind === 'read' ? inventory.entries : [];
  const applied = new Set(
    checked.map((each) => ('after' in each ? textAt(each.after, ['metadata', 'uid']) : undefined)),
  );
  const states: RemovalState[] = [];
  for (const object of objectsToRemove({ objects, removals }, entries)) {
    const state = await removeObject(client, object, { isDryRun: true, isPruning, applied });
    if ('fault' in state) return state;
    states.push(state);
  }
  return {
    removals: states,
    warnings: inventory.kind === 'refused' ? [inventoryWarning(inventory.answer)] : [],
  };
}

interface DryRun {
  readonly object: ObjectToApply;
  readonly path: string;
  readonly objects: readonly ObjectToApply[];
  readonly isForced: boolean;
}

/** `conflict` is the answer to a first try; the second one takes over the fields of other managers. */
async function stateOf(
  client: ClusterClient,
  { object, path, objects, isForced }: DryRun,
  conflict?: string,
): Promise<DryRunState | { readonly fault: Fault }> {
  const answer = await applyObject(
    client,
    { path, object },
    { isDryRun: true, isForced: conflict !== undefined },
  );
  switch (answer.kind) {
    case 'fault':
      return { fault: answer.fault };
    case 'not-served':
      return { object, state: 'not-checked', text: answer.missing.failure };
    case 'applied': {
      const { change: state, before, after, effect } = answer;
      return {
        ...{ object, state, before, after },
        ...(effect !== undefined && { effect }),
        ...(conflict !== undefined && { conflict }),
      };
    }
    case 'fixed':
      return { object, state: 'failed', cause: fixedField(answer.field) };
    case 'rejected': {
      // A dry run creates no namespace.
      const missing = objects.find(({ kind, name }) => kind === 'Namespace' && name === object.namespace);
      if (answer.status === 404 && missing !== undefined)
        return { object, state: 'not-checked', text: `namespace ${missing.name} does not exist` };
      const isConflict = answer.managers.length > 0;
      if (isConflict && isForced && conflict === undefined)
        return stateOf(client, { object, path, objects, isForced }, answer.answer);
      const code = isConflict ? 'apply/conflict' : 'apply/rejected';
      return { object, state: 'failed', cause: { code, text: answer.answer } };
    }
  }
}
