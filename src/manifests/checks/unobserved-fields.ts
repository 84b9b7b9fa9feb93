import { isRecord } from '../../core/is-record.js';
import { problem, type Problem } from '../../core/problem.js';
import { fieldAt, isList } from '../../kube/fields.js';
import { groupOf } from '../../kube/identity.js';
import { manifestFieldPlace } from '../../kube/manifest-place.js';
import type { Manifest } from '../../kube/manifest.js';
import { observedFields, type ObservedField } from './observed-fields.js';

/**
 * Reports fields and values of observed kinds that the rendered control plane would not have, because no control loop supports
 * them. Problems: control-plane/unobserved-field.
 */
export function unobservedFieldProblems(manifests: readonly Manifest[]): readonly Problem[] {
  return manifests.flatMap((manifest) => {
    const { kind, apiVersion, metadata } = manifest.object;
    const rows = observedFields.filter((row) => row.kind === `${kind}.${groupOf(apiVersion)}`);
    if (rows.length === 0 || metadata.name !== 'cluster') return [];
    return [...unknownFields(manifest, rows), ...unknownValues(manifest, rows)].map((path) =>
      unobserved(manifest, path),
    );
  });
}

type Path = readonly string[];

/** The shortest paths that have a value but no row. */
function unknownFields({ object }: Manifest, rows: readonly ObservedField[]): readonly Path[] {
  const below = (value: unknown, path: Path): readonly Path[] => {
    if (isEmpty(value) || rows.some((row) => isWithin(path, row.path))) return [];
    if (!rows.some((row) => isWithin(row.path, path)) || !isRecord(value)) return [path];
    return Object.entries(value).flatMap(([key, each]) => below(each, [...path, key]));
  };
  return ['spec', 'status'].flatMap((key) => below(object[key], [key]));
}

function unknownValues({ object }: Manifest, rows: readonly ObservedField[]): readonly Path[] {
  return rows.flatMap(({ path, knows }) => {
    const value = fieldAt(object, path);
    return value === undefined || knows === undefined || knows(value) ? [] : [path];
  });
}

function isWithin(path: Path, outer: Path): boolean {
  return outer.every((step, depth) => path[depth] === step);
}

function isEmpty(value: unknown): boolean {
  if (isList(value)) return value.length === 0;
  if (isRecord(value)) return Object.values(value).every(isEmpty);
  return value === undefined || value === null || value === '';
}

function unobserved({ object, source }: Manifest, path: Path): Problem {
  const message = `${path.join('.')} of ${object.kind} cluster is not rendered by controlPlane.render Installer`;
  return problem('control-plane/unobserved-field', message, {
    at: source && manifestFieldPlace(source, path),
    hint: 'write "render: Release", or set the field when the cluster is up',
  });
}
