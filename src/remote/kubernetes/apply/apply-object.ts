import { isDeepStrictEqual } from 'node:util';

import { isRecord } from '../../../core/is-record.js';
import { omitKeys } from '../../../core/map-record.js';
import { listAt, textAt } from '../../../kube/fields.js';
import type { ClusterClient } from '../reader.js';
import type { Fault } from '../request-fault.js';
import { isConflict, isKindMissing, isSuccess, rejectionOf } from './api-answer.js';
import { fieldManager, type ObjectToApply } from './object-to-apply.js';
import { notServed } from './served-kinds.js';
import type { MissingCondition } from './unfinished-operator.js';

export type Change = 'created' | 'configured' | 'unchanged';

export type ApplyAnswer =
  | {
      readonly kind: 'applied';
      readonly change: Change;
      /** The object before and after; `before` is undefined for a new object. */
      readonly before: unknown;
      readonly after: unknown;
    }
  /** The API rejected the object. `answer` contains no value of a Secret. */
  | {
      readonly kind: 'rejected';
      readonly answer: string;
      readonly isConflict: boolean;
      readonly status: number;
    }
  /** The kind was served a moment before. */
  | { readonly kind: 'not-served'; readonly missing: MissingCondition }
  | { readonly kind: 'fault'; readonly fault: Fault };

export interface ApplyMode {
  /** The API performs all checks, and changes nothing. */
  readonly isDryRun?: boolean;
  /** Takes over the fields of other managers. */
  readonly isForced?: boolean;
}

/** Applies an object on the server, at its path. */
export async function applyObject(
  { send }: Pick<ClusterClient, 'send'>,
  { path, object }: { readonly path: string; readonly object: ObjectToApply },
  { isDryRun = false, isForced = false }: ApplyMode = {},
): Promise<ApplyAnswer> {
  const live = await send({ path });
  if (live.kind === 'fault') return live;
  if (isKindMissing(live)) return { kind: 'not-served', missing: notServed(object) };
  if (!isSuccess(live) && live.status !== 404) return rejected(live, object.kind);
  const applied = await send({
    path,
    query: {
      fieldManager,
      // Reports unknown and duplicate fields instead of dropping them, as kubectl does.
      fieldValidation: 'Strict',
      ...(isDryRun && { dryRun: 'All' }),
      ...(isForced && { force: 'true' }),
    },
    apply: object.yaml,
  });
  if (applied.kind === 'fault') return applied;
  if (isKindMissing(applied)) return { kind: 'not-served', missing: notServed(object) };
  if (!isSuccess(applied)) return rejected(applied, object.kind);
  const [before, after] = [isSuccess(live) ? live.body : undefined, applied.body];
  const isSame = before !== undefined && isDeepStrictEqual(comparable(before), comparable(after));
  return {
    kind: 'applied',
    change: before === undefined ? 'created' : isSame ? 'unchanged' : 'configured',
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
    isConflict: isConflict(answer),
    status: answer.status,
  };
}

/** The content, and the fields that we own. An operator may write the status between two requests. */
function comparable(object: unknown): unknown {
  const own = listAt(object, ['metadata', 'managedFields']).filter(
    (each) =>
      textAt(each, ['manager']) === fieldManager &&
      textAt(each, ['operation']) === 'Apply' &&
      textAt(each, ['subresource']) === undefined,
  );
  return {
    content: contentOf(object),
    own: own.map((each) => (isRecord(each) ? omitKeys(each, ['time']) : each)),
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
