import { diffSides } from '../../review/diff/diff-sides.js';
import type { Difference } from '../../review/diff/difference.js';
import { locateInTree } from '../../review/diff/index-entries.js';
import type { ReviewSide } from '../../review/diff/review-side.js';
import type { SourcedText } from '../../review/output-tree.js';

/** Like `diffSides`, but skips files that are equal on both sides, which is nearly all of them. */
export function siteDifferences(before: ReviewSide, after: ReviewSide): readonly Difference[] {
  const [earlier, later] = [before, after].map(
    ({ texts }) => new Map(texts.map((text) => [text.path, text] as const)),
  );
  const isSame = (path: string): boolean =>
    locateInTree(path).part === 'entry' && areSame(earlier?.get(path), later?.get(path));
  const [some, others] = [before, after].map((side) => ({
    ...side,
    texts: side.texts.filter(({ path }) => !isSame(path)),
  }));
  return some === undefined || others === undefined ? [] : diffSides(some, others);
}

function areSame(before: SourcedText | undefined, after: SourcedText | undefined): boolean {
  if (before === undefined || after === undefined || before.text !== after.text) return false;
  const [earlier, later] = [before.source, after.source];
  if (earlier === undefined || later === undefined) return earlier === later;
  return Buffer.compare(earlier, later) === 0;
}
