import { join } from 'node:path';

import { expect, test } from 'vitest';

import { replaceTree } from '../../src/disk/replace-tree.js';
import { laidTree } from '../../src/fleet-review/shared-layout.js';
import { explode } from '../../src/review/explode.js';
import { goldenTree } from '../../src/review/golden-tree.js';
import { linesOf } from '../../src/review/review-tree.js';
import { renderedNotes, treeKind } from '../../src/review/tree-kind.js';
import { readTree } from '../support/read-tree.js';
import { scratchFolder } from '../support/scratch.js';

const file = { path: 'a.txt', mode: 0o644, contents: Buffer.from('a\n') };
const golden = (name: string) =>
  goldenTree([{ name, target: 'single-node-ignition-config', files: [file] }], new Map());
const rendered = (note: string) => ({
  'index.txt': linesOf(['Tree of sno-install 0.1.0', note, 'north-1']),
});

/** Every kind of tree that a command writes. */
const kinds = [
  { kind: 'a golden tree', trees: [golden(''), golden('sites/berlin')] },
  {
    kind: 'a golden tree of a fleet',
    trees: [
      laidTree({ sites: new Map(), common: {}, parts: [], constants: {} }, 'single-node-ignition-config'),
    ],
  },
  { kind: 'a tree of configs', trees: [explode([file], new Map())] },
  { kind: 'a tree of what sites are made of', trees: [rendered(renderedNotes.inputs)] },
  { kind: 'a tree of what was made of sites', trees: [rendered(renderedNotes.outputs)] },
];
const all = kinds.flatMap(({ kind, trees }) => trees.map((tree) => ({ kind, tree })));

test.each(kinds)('$kind takes the place of its own kind alone', ({ kind, trees }) => {
  const out = join(scratchFolder(), 'out');
  for (const tree of trees) {
    expect(replaceTree(out, tree, treeKind)).toMatchObject({ ok: true });
    for (const other of all.filter((each) => each.kind !== kind)) {
      const message = `--out ${out} holds ${kind}, which is another one, so it is left as it is`;
      expect(replaceTree(out, other.tree, treeKind)).toMatchObject({
        ok: false,
        problems: [{ code: 'review/not-a-tree', message }],
      });
    }
    expect(readTree(out)).toEqual(tree);
  }
});
