import { treeMark } from './output-tree.js';
import { fleetMark, goldenIndexLine } from './golden-tree.js';

/** The second index line of the trees that `fleet render` writes. */
export const renderedNotes = {
  inputs: 'what sites are made of',
  outputs: 'what was made of sites',
  sheets: 'sheets of sites',
} as const;

/** The second index line of the files of a virtual machine. */
export const virtualMachineNote = 'virtual machine of libvirt';

/**
 * Returns the kind of a tree from its index, as words for a message; undefined for a tree of another program. A tree must not
 * overwrite a tree of another kind.
 */
export function treeKind(index: string): string | undefined {
  if (!index.startsWith(treeMark)) return undefined;
  const [, note = '', ...lines] = index.split('\n');
  if (note.startsWith(goldenStart))
    return lines.some((line) => line.startsWith(fleetMark)) ? 'a golden tree of a fleet' : 'a golden tree';
  if (note === renderedNotes.inputs) return 'a tree of site inputs';
  if (note === renderedNotes.sheets) return 'sheets of sites';
  if (note === virtualMachineNote) return 'a virtual machine';
  return note === renderedNotes.outputs ? 'a tree of site outputs' : 'a tree of configs';
}

/** Other versions may have a different text after the colon. */
const goldenStart = goldenIndexLine.slice(0, goldenIndexLine.indexOf(':') + 1);
