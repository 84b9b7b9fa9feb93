import { listAt, textAt } from '../../kube/fields.js';

/** A condition in an object's status. Strings are empty if the object does not have them. */
export interface Condition {
  readonly status: string;
  readonly message: string;
  /** lastTransitionTime of the status. */
  readonly since?: Date;
}

/** Source: k8s.io/apimachinery pkg/apis/meta/v1 Condition */
export function conditionOf(object: unknown, type: string, maxLength = shownLength): Condition {
  const found = listAt(object, ['status', 'conditions']).find((each) => textAt(each, ['type']) === type);
  const since = new Date(textAt(found, ['lastTransitionTime']) ?? '');
  const isDated = !Number.isNaN(since.getTime());
  return {
    status: textAt(found, ['status']) ?? '',
    message: messageOf(found, maxLength),
    ...(isDated && { since }),
  };
}

/** Messages of a cluster can be several pages long. */
const shownLength = 240;

/** One line of printable text, safe for a terminal. */
function messageOf(condition: unknown, maxLength: number): string {
  const text = textAt(condition, ['message']) ?? textAt(condition, ['reason']) ?? '';
  const line = text.replace(/[\s\p{Cc}\p{Cf}]+/gu, ' ').trim();
  return line.length > maxLength ? `${line.slice(0, maxLength)}…` : line;
}
