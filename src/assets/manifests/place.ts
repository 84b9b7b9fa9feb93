import type { Place } from '../../core/problem.js';
import { pathText, spanOf, type FieldPath, type Span, type Target } from '../../formats/yaml-tree.js';
import type { ManifestSource } from '../../kube/manifest.js';

/** Where a field of a user's manifest stands; for a field that is missing, the nearest thing around it. */
export function placeIn(source: ManifestSource, path: FieldPath, target: Target = 'value'): Place {
  const { file, root, firstLine } = source;
  return { file, path: pathText(path), ...inFile(spanOf(root, path, target), firstLine) };
}

/** A stretch of a document as a stretch of its file. */
export function inFile(span: Span, firstLine: number): Span {
  return { ...span, line: span.line + firstLine - 1 };
}
