import { listAt, textAt } from '../../kube/fields.js';

/** The condition of one type in an object's status; empty texts where the object does not say. */
export interface Condition {
  readonly status: string;
  readonly message: string;
  /** Since when the status is what it is. */
  readonly since?: Date;
}

/** Conditions as Kubernetes objects carry them. Source: k8s.io/apimachinery pkg/apis/meta/v1 Condition */
export function conditionOf(object: unknown, type: string): Condition {
  const found = listAt(object, ['status', 'conditions']).find((each) => textAt(each, ['type']) === type);
  const since = new Date(textAt(found, ['lastTransitionTime']) ?? '');
  const isDated = !Number.isNaN(since.getTime());
  return { status: textAt(found, ['status']) ?? '', message: messageOf(found), ...(isDated && { since }) };
}

/** A message of a cluster may be pages long. */
const shownLength = 240;

/** One line of printable text: what a cluster says goes to a terminal. */
function messageOf(condition: unknown): string {
  const text = textAt(condition, ['message']) ?? textAt(condition, ['reason']) ?? '';
  const line = text.replace(/[\s\p{Cc}\p{Cf}]+/gu, ' ').trim();
  return line.length > shownLength ? `${line.slice(0, shownLength)}…` : line;
}
