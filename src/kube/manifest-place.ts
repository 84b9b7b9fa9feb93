import type { Place } from '../core/problem.js';
import { pathText, spanOf, type FieldPath, type Target } from '../formats/yaml/yaml-tree.js';
import type { ManifestSource } from './manifest.js';

/** Where a field of a user's manifest stands; for a field that is missing, the nearest thing around it. */
export function placeIn(source: ManifestSource, path: FieldPath, target: Target = 'value'): Place {
  const { file, root } = source;
  return { file, path: pathText(path), ...spanOf(root, path, target) };
}
