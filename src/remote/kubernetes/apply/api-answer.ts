import { printable } from '../../../core/printable.js';
import { redactSecrets } from '../../../core/secrets.js';
import { listAt, textAt } from '../../../kube/fields.js';
import type { ApiAnswer } from '../reader.js';

type Answer = Extract<ApiAnswer, { readonly kind: 'answer' }>;

export function isSuccess({ status }: Answer): boolean {
  return status < 300;
}

/** Whether a 404 means that the API does not serve the kind. For a missing object or namespace it contains a name. */
export function isKindMissing({ status, body }: Answer): boolean {
  return status === 404 && textAt(body, ['details', 'name']) === undefined;
}

/** Long answers quote the whole object. */
const shownLength = 500;

/**
 * Why the API rejected a request, in one line. An answer about a Secret can quote its values, so only reason and code are returned, or
 * the field managers and fields of a conflict.
 * Source: k8s.io/apimachinery pkg/apis/meta/v1 Status
 */
export function rejectionOf({ status, body }: Answer, kind: string): string {
  const reason = textAt(body, ['reason']);
  const conflicts = conflictsIn(body);
  if (conflicts.size > 0)
    return [...conflicts]
      .map(([manager, fields]) => shownLine(`conflict with field manager ${manager}: ${fields.join(', ')}`))
      .join('; ');
  if (kind === 'Secret')
    return reason === undefined ? `HTTP ${status}` : `${shownLine(reason)} (HTTP ${status})`;
  const message = textAt(body, ['message']);
  return message === undefined ? `HTTP ${status}` : shownLine(message);
}

/** The other field managers that own fields of the object; empty if the answer reports no conflict. */
export function conflictManagers({ status, body }: Answer): readonly string[] {
  return status === 409 ? [...conflictsIn(body).keys()] : [];
}

/**
 * The fields of each field manager. Source: k8s.io/apimachinery pkg/util/managedfields/internal/conflict.go; a message is
 * `conflict with "kubectl-patch" using v1` or `conflict with "a" with subresource "status" using v1 at 2026-01-02T03:04:05Z`
 */
function conflictsIn(body: unknown): ReadonlyMap<string, readonly string[]> {
  const byManager = new Map<string, string[]>();
  for (const cause of listAt(body, ['details', 'causes'])) {
    if (textAt(cause, ['reason']) !== 'FieldManagerConflict') continue;
    const [, manager = '?'] = /^conflict with "(.*?)"/.exec(textAt(cause, ['message']) ?? '') ?? [];
    const fields = byManager.get(manager) ?? [];
    fields.push(textAt(cause, ['field']) ?? '?');
    byManager.set(manager, fields);
  }
  return byManager;
}

/** One printable line without secrets, cut after 500 characters. */
export function shownLine(text: string): string {
  const line = printable(redactSecrets(text.replace(/\s+/g, ' ').trim()));
  return line.length > shownLength ? `${line.slice(0, shownLength)}…` : line;
}
