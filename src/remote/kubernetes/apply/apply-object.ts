import { isDeepStrictEqual } from 'node:util';

import { isRecord } from '../../../core/is-record.js';
import { omitKeys } from '../../../core/map-record.js';
import { textAt } from '../../../kube/fields.js';
import { effectOnNode, type Effect } from '../../../manifests/post-install/reboot-problems.js';
import { changedFixedField } from '../../../manifests/running-site/fixed-fields.js';
import type { ApiAnswer, ClusterClient } from '../reader.js';
import type { Fault } from '../request-fault.js';
import { conflictManagers, isKindMissing, isSuccess, rejectionOf } from './api-answer.js';
import { adoptedFields, bootstrapManager, ownFields, withoutDroppedFields } from './managed-fields.js';
import { mergePatch } from './merge-patch.js';
import { fieldManager, type ObjectToApply } from './object-to-apply.js';
import { notServed } from './served-kinds.js';
import type { MissingCondition } from './unfinished-operator.js';

export type Change = 'created' | 'configured' | 'unchanged';

export type ApplyAnswer =
  | {
      readonly kind: 'applied';
      readonly change: Change;
      /** The effect of a created or changed object on the node. */
      readonly effect?: Effect;
      /** The object before and after; `before` is undefined for a new object. */
      readonly before: unknown;
      readonly after: unknown;
    }
  /** The API rejected the object. `answer` contains no value of a Secret. */
  | {
      readonly kind: 'rejected';
      readonly answer: string;
      /** Field managers of a conflict; empty for another cause. */
      readonly managers: readonly string[];
      readonly status: number;
    }
  /** A field differs that cannot change on a running node. Nothing is sent. */
  | { readonly kind: 'fixed'; readonly field: string }
  /** The kind was served a moment before. */
  | { readonly kind: 'not-served'; readonly missing: MissingCondition }
  | { readonly kind: 'fault'; readonly fault: Fault };

export interface ApplyMode {
  /** The API performs all checks, and changes nothing. */
  readonly isDryRun?: boolean;
  /** Takes over the fields of other managers. */
  readonly isForced?: boolean;
}

/** Applies an object on the server, at its path. Fields that the installation set become ours before. */
export async function applyObject(
  { send }: Pick<ClusterClient, 'send'>,
  { path, object }: { readonly path: string; readonly object: ObjectToApply },
  { isDryRun = false, isForced = false }: ApplyMode = {},
): Promise<ApplyAnswer> {
  const live = await send({ path });
  if (live.kind === 'fault') return live;
  if (isKindMissing(live)) return { kind: 'not-served', missing: notServed(object) };
  if (!isSuccess(live) && live.status !== 404) return rejected(live, object.kind);
  const before = isSuccess(live) ? live.body : undefined;
  if (textAt(before, ['metadata', 'deletionTimestamp']) !== undefined) return beingDeleted;
  const field = changedFixedField(before, object.object);
  if (field !== undefined) return { kind: 'fixed', field };
  const adopted = adoptedFields(before);
  if (adopted !== undefined && !isDryRun) {
    const refusal = await adopt(send, { path, before, adopted, kind: object.kind });
    if (refusal !== undefined) return refusal;
  }
  const sendApply = (takesFields: boolean): Promise<ApiAnswer> =>
    send({
      path,
      query: {
        fieldManager,
        // Reports unknown and duplicate fields instead of dropping them, as kubectl does.
        fieldValidation: 'Strict',
        ...(isDryRun && { dryRun: 'All' }),
        ...(takesFields && { force: 'true' }),
      },
      apply: object.yaml,
    });
  const first = await sendApply(isForced);
  const applied = isDryRun && adopted !== undefined && isOnlyBootstrap(first) ? await sendApply(true) : first;
  if (applied.kind === 'fault') return applied;
  if (isKindMissing(applied)) return { kind: 'not-served', missing: notServed(object) };
  if (!isSuccess(applied)) return rejected(applied, object.kind);
  const after =
    isDryRun && adopted !== undefined
      ? await withoutDropped(send, { path, before, after: applied.body })
      : applied;
  if (after.kind === 'fault') return after;
  if (!isSuccess(after)) return rejected(after, object.kind);
  return appliedAnswer(object, { before, after: after.body, isAdopted: adopted !== undefined });
}

/** Applying changes such an object, which then disappears. */
const beingDeleted: ApplyAnswer = {
  kind: 'rejected',
  answer: 'the object in the cluster is being deleted',
  managers: [],
  status: 409,
};

/** The API sets the defaults of fields that a real run would remove. */
async function withoutDropped(
  send: ClusterClient['send'],
  { path, before, after }: { readonly path: string; readonly before: unknown; readonly after: unknown },
): Promise<ApiAnswer> {
  const wanted = withoutDroppedFields(after, before);
  const merge = isDeepStrictEqual(wanted, after)
    ? undefined
    : mergePatch(contentOf(before), contentOf(wanted));
  return isRecord(merge)
    ? send({ path, query: { fieldManager, dryRun: 'All' }, merge })
    : { kind: 'answer', status: 200, body: wanted };
}

/** Whether a dry run has a conflict that a real run would not have. */
function isOnlyBootstrap(answer: ApiAnswer): boolean {
  const managers = answer.kind === 'answer' ? conflictManagers(answer) : [];
  return managers.length > 0 && managers.every((manager) => manager === bootstrapManager);
}

/** Returns the answer of the API if it refuses. */
async function adopt(
  send: ClusterClient['send'],
  {
    path,
    before,
    adopted,
    kind,
  }: {
    readonly path: string;
    readonly before: unknown;
    readonly adopted: readonly unknown[];
    readonly kind: string;
  },
): Promise<ApplyAnswer | undefined> {
  // With the version, a change in between is refused instead of overwritten.
  const resourceVersion = textAt(before, ['metadata', 'resourceVersion']);
  const answer = await send({
    path,
    query: { fieldManager },
    merge: { metadata: { resourceVersion, managedFields: adopted } },
  });
  if (answer.kind === 'fault') return answer;
  return isSuccess(answer) ? undefined : rejected(answer, kind);
}

function appliedAnswer(
  { object }: ObjectToApply,
  {
    before,
    after,
    isAdopted,
  }: { readonly before: unknown; readonly after: unknown; readonly isAdopted: boolean },
): ApplyAnswer {
  const isSameContent = before !== undefined && isDeepStrictEqual(contentOf(before), contentOf(after));
  // An operator may write the status between two requests.
  const isSame = isSameContent && (isAdopted || isDeepStrictEqual(ownFields(before), ownFields(after)));
  const effect = isSameContent ? undefined : effectOnNode(object);
  return {
    kind: 'applied',
    change: before === undefined ? 'created' : isSame ? 'unchanged' : 'configured',
    ...(effect !== undefined && { effect }),
    before,
    after,
  };
}

function rejected(
  answer: { readonly kind: 'answer'; readonly status: number; readonly body: unknown },
  kind: string,
): ApplyAnswer {
  return {
    kind: 'rejected',
    answer: rejectionOf(answer, kind),
    managers: conflictManagers(answer),
    status: answer.status,
  };
}

/** The object without its status and the bookkeeping of the API. */
export function contentOf(object: unknown): unknown {
  if (!isRecord(object)) return object;
  const { metadata } = object;
  const content = omitKeys(object, ['status']);
  if (!isRecord(metadata)) return content;
  return { ...content, metadata: omitKeys(metadata, ['managedFields', 'resourceVersion', 'generation']) };
}
