import type { Place } from '../core/problem.js';
import { pathText, spanOf, type FieldPath, type Target } from '../formats/yaml/yaml-tree.js';
import type { ManifestSource } from './manifest.js';

/** Position of a field in a user's manifest; if the field is missing, that of the nearest enclosing node. */
export function manifestFieldPlace(source: ManifestSource, path: FieldPath, target: Target = 'value'): Place {
  const { file, root } = source;
  return { file, path: pathText(path), ...spanOf(root, path, target) };
}
