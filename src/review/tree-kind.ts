import { treeMark } from './explode.js';
import { fleetMark, goldenNote } from './golden-tree.js';

/** What the indices of trees say that `fleet render` writes, on their second line. */
export const renderedNotes = {
  inputs: 'what sites are made of',
  outputs: 'what was made of sites',
} as const;

/** What a tree is by its index, in words of a message; undefined where no run of the program wrote it. One kind never takes the place of another. */
export function treeKind(index: string): string | undefined {
  if (!index.startsWith(treeMark)) return undefined;
  const [, note = '', ...lines] = index.split('\n');
  if (note.startsWith(goldenStart))
    return lines.some((line) => line.startsWith(fleetMark)) ? 'a golden tree of a fleet' : 'a golden tree';
  if (note === renderedNotes.inputs) return 'a tree of what sites are made of';
  return note === renderedNotes.outputs ? 'a tree of what was made of sites' : 'a tree of configs';
}

/** What other versions say after it may be something else. */
const goldenStart = goldenNote.slice(0, goldenNote.indexOf(':') + 1);
