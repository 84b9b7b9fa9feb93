import type { ClusterClient } from '../reader.js';
import type { Fault } from '../request-fault.js';
import type { Goal } from '../wait.js';
import { applyObject, type Change } from './apply-object.js';
import type { Failure } from './apply-failure.js';
import type { ObjectToApply } from './object-to-apply.js';
import { kindLookup } from './served-kinds.js';

/** The result that an apply of an object would have. */
export type DryRunState = { readonly object: ObjectToApply } & (
  | {
      readonly state: Change;
      /** `before` is undefined for a new object. */
      readonly before: unknown;
      readonly after: unknown;
      /** Other field managers that own fields of it; only with `isForced`. */
      readonly conflict?: string;
    }
  /** The kind or the namespace is missing, so the API cannot check the object. */
  | { readonly state: 'not-checked'; readonly text: string }
  | { readonly state: 'failed'; readonly cause: Failure }
);

/** Returns a goal that is reached when the API has checked all objects. `onDone` receives the results. */
export function dryRunGoal(
  objects: readonly ObjectToApply[],
  { isForced = false }: { readonly isForced?: boolean },
  onDone: (states: readonly DryRunState[]) => void,
): Goal<ClusterClient> {
  return {
    outage: 'try again when the API answers',
    look: async (client) => {
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
      onDone(states);
      return { kind: 'reached', facts: {}, warnings: [] };
    },
    overdue: () => Promise.resolve([]),
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
      const { change: state, before, after } = answer;
      return { object, state, before, after, ...(conflict !== undefined && { conflict }) };
    }
    case 'rejected': {
      // A dry run creates no namespace.
      const missing = objects.find(({ kind, name }) => kind === 'Namespace' && name === object.namespace);
      if (answer.status === 404 && missing !== undefined)
        return { object, state: 'not-checked', text: `namespace ${missing.name} does not exist` };
      if (answer.isConflict && isForced && conflict === undefined)
        return stateOf(client, { object, path, objects, isForced }, answer.answer);
      const code = answer.isConflict ? 'apply/conflict' : 'apply/rejected';
      return { object, state: 'failed', cause: { code, text: answer.answer } };
    }
  }
}
