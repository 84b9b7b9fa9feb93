import { byCodeUnit } from '../../../core/compare.js';
import { problem, type Problem } from '../../../core/problem.js';
import { writeYaml } from '../../../formats/yaml/write-yaml.js';
import { textAt } from '../../../kube/fields.js';
import { groupOf, identityKey, type Identity } from '../../../kube/identity.js';
import type { ApiAnswer, ClusterClient } from '../reader.js';
import type { Fault } from '../request-fault.js';
import { isSuccess, rejectionOf } from './api-answer.js';
import { fieldManager, type ObjectToApply } from './object-to-apply.js';

/** ConfigMap with the objects that runs of `apply` created or changed: a line `KIND.GROUP NAMESPACE/NAME` for each. */
const inventoryName = { namespace: 'kube-system', name: 'sno-install-inventory' } as const;

const inventoryPath = `/api/v1/namespaces/${inventoryName.namespace}/configmaps/${inventoryName.name}`;

export type InventoryReading =
  | { readonly kind: 'read'; readonly entries: readonly Identity[] }
  | { readonly kind: 'refused'; readonly answer: string }
  | { readonly kind: 'fault'; readonly fault: Fault };

/** Reads the objects of earlier runs; none before the first run. */
export async function readInventory({ send }: Pick<ClusterClient, 'send'>): Promise<InventoryReading> {
  const answer = await send({ path: inventoryPath });
  if (answer.kind === 'fault') return answer;
  if (answer.status === 404) return { kind: 'read', entries: [] };
  if (!isSuccess(answer)) return { kind: 'refused', answer: rejectionOf(answer, 'ConfigMap') };
  const lines = (textAt(answer.body, ['data', 'objects']) ?? '').split('\n');
  return { kind: 'read', entries: lines.flatMap(entryOf) };
}

/** Takes over fields of other managers: only sno-install writes this object. */
export function writeInventory(
  { send }: Pick<ClusterClient, 'send'>,
  entries: readonly Identity[],
): Promise<ApiAnswer> {
  const lines = [...new Set(entries.map(lineOf))].toSorted(byCodeUnit);
  const object = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: inventoryName,
    data: { objects: lines.map((line) => `${line}\n`).join('') },
  };
  return send({ path: inventoryPath, query: { fieldManager, force: 'true' }, apply: writeYaml(object) });
}

/** Problems: apply/inventory. */
export function inventoryWarning(answer: string): Problem {
  const message = `the list of applied objects cannot be read or written: ${answer}`;
  const hint = '--prune needs it; run the command as a user with permission for ConfigMaps in kube-system';
  return problem('apply/inventory', message, { hint });
}

export function identityToApply({ apiVersion, kind, namespace = '', name }: ObjectToApply): Identity {
  return { group: groupOf(apiVersion), kind, namespace, name };
}

/** The entries of `all` that are not in `others`. */
export function entriesWithout(all: readonly Identity[], others: readonly Identity[]): readonly Identity[] {
  const keys = new Set(others.map(identityKey));
  return all.filter((each) => !keys.has(identityKey(each)));
}

function lineOf({ group, kind, namespace, name }: Identity): string {
  return `${kind}${group === '' ? '' : `.${group}`} ${namespace === '' ? '' : `${namespace}/`}${name}`;
}

/** Another program may have written the ConfigMap: other lines are ignored. */
function entryOf(line: string): readonly Identity[] {
  const [, kind, group = '', namespace = '', name] =
    /^([A-Za-z0-9]+)(?:\.([a-z0-9.-]+))? (?:([a-z0-9-]+)\/)?([^/\s]+)$/.exec(line) ?? [];
  return kind === undefined || name === undefined ? [] : [{ group, kind, namespace, name }];
}
