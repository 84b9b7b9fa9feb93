import { isDeepStrictEqual } from 'node:util';

import { isRecord } from '../../../core/is-record.js';
import { omitKeys } from '../../../core/map-record.js';
import { parseJson } from '../../../formats/json.js';
import { fieldAt, isList, listAt, textAt } from '../../../kube/fields.js';
import { fieldManager } from './object-to-apply.js';

/**
 * The field manager of the objects that the installation created: client-go uses the name of the program. cluster-bootstrap only
 * creates objects, so their fields have no manager after the installation.
 * Source: openshift/cluster-bootstrap pkg/start; k8s.io/client-go rest/config.go, DefaultKubernetesUserAgent
 */
export const bootstrapManager = 'cluster-bootstrap';

/**
 * The managed fields of an object whose fields pass from the installation to us, so that fields that the manifest no longer has are
 * removed. Undefined if the installation did not create the object, or we manage fields of it already.
 * Source of the method: k8s.io/client-go util/csaupgrade
 */
export function adoptedFields(live: unknown): readonly unknown[] | undefined {
  const entries = listAt(live, ['metadata', 'managedFields']);
  if (!entries.some(isOfBootstrap) || ownFields(live).length > 0) return undefined;
  return entries.map((entry) =>
    isOfBootstrap(entry) && isRecord(entry)
      ? { ...omitKeys(entry, ['time']), manager: fieldManager, operation: 'Apply' }
      : entry,
  );
}

/** Our entries among the managed fields, without times. */
export function ownFields(object: unknown): readonly unknown[] {
  return listAt(object, ['metadata', 'managedFields'])
    .filter((entry) => isMainEntry(entry, fieldManager, 'Apply'))
    .map((entry) => (isRecord(entry) ? omitKeys(entry, ['time']) : entry));
}

function isOfBootstrap(entry: unknown): boolean {
  return isMainEntry(entry, bootstrapManager, 'Update');
}

function isMainEntry(entry: unknown, manager: string, operation: string): boolean {
  return (
    textAt(entry, ['manager']) === manager &&
    textAt(entry, ['operation']) === operation &&
    textAt(entry, ['subresource']) === undefined
  );
}

/**
 * The object after a dry run, without the fields that a real run would remove because the installation set them and the manifest does not
 * have them. A dry run cannot transfer fields first. `after` lists those that the manifest has as ours.
 */
export function withoutDroppedFields(after: unknown, live: unknown): unknown {
  const [own] = ownFields(after);
  const kept = fieldAt(own, ['fieldsV1']);
  return listAt(live, ['metadata', 'managedFields'])
    .filter(isOfBootstrap)
    .reduce<unknown>((object, entry) => withoutFields(object, fieldAt(entry, ['fieldsV1']), kept), after);
}

/**
 * Source of the format: sigs.k8s.io/structured-merge-diff fieldpath/serialize-pe.go. `f:NAME` is a field, `k:{…}` the item of a list with
 * these keys, `v:…` a value of a set; a field that is managed as a whole has no parts.
 */
function withoutFields(object: unknown, fields: unknown, kept: unknown): unknown {
  if (!isRecord(fields)) return object;
  if (isList(object)) return object.flatMap((item) => keptItem(item, fields, kept));
  if (!isRecord(object)) return object;
  return Object.fromEntries(
    Object.entries(object).flatMap(([name, value]) => {
      const managed = fields[`f:${name}`];
      if (!isRecord(managed)) return [[name, value] as const];
      const ours = fieldAt(kept, [`f:${name}`]);
      if (ours === undefined && Object.keys(managed).length === 0) return [];
      const rest = withoutFields(value, managed, ours);
      const isGone = ours === undefined && isRecord(rest) && Object.keys(rest).length === 0;
      return isGone ? [] : [[name, rest] as const];
    }),
  );
}

function keptItem(
  item: unknown,
  fields: Readonly<Record<string, unknown>>,
  kept: unknown,
): readonly unknown[] {
  const key = Object.keys(fields).find((each) => isItemOf(item, each));
  if (key === undefined) return [item];
  const ours = fieldAt(kept, [key]);
  return ours === undefined ? [] : [withoutFields(item, fields[key], ours)];
}

function isItemOf(item: unknown, key: string): boolean {
  const value = parseJson(key.slice(2));
  if (key.startsWith('v:')) return isDeepStrictEqual(item, value);
  if (!key.startsWith('k:') || !isRecord(value)) return false;
  return Object.entries(value).every(([name, expected]) => fieldAt(item, [name]) === expected);
}
