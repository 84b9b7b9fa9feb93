import { mkdirSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeEach, describe, expect, it, test } from 'vitest';

import { replaceTree } from '../../src/disk/replace-tree.js';
import { treeOnDisk } from '../../src/fleet/review/shared-layout.js';
import { outputTree } from '../../src/review/output-tree.js';
import { goldenTree } from '../../src/review/golden-tree.js';
import { linesOf } from '../../src/review/review-tree.js';
import { renderedNotes, treeKind } from '../../src/review/tree-kind.js';
import { failure, success } from '../../src/core/result.js';
import { replaceFsCalls, failing, systemError } from '../support/other-system.js';
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
      treeOnDisk({ sites: new Map(), common: {}, parts: [], constants: {} }, 'single-node-ignition-config'),
    ],
  },
  { kind: 'a tree of configs', trees: [outputTree([file], new Map())] },
  { kind: 'a tree of site inputs', trees: [rendered(renderedNotes.inputs)] },
  { kind: 'a tree of site outputs', trees: [rendered(renderedNotes.outputs)] },
];
const all = kinds.flatMap(({ kind, trees }) => trees.map((tree) => ({ kind, tree })));

test.each(kinds)('$kind replaces only its own kind', ({ kind, trees }) => {
  const out = join(scratchFolder(), 'out');
  for (const tree of trees) {
    expect(replaceTree(out, tree, treeKind)).toMatchObject({ ok: true });
    for (const other of all.filter((each) => each.kind !== kind)) {
      const message = `--out ${out} contains ${kind}; it was not changed`;
      expect(replaceTree(out, other.tree, treeKind)).toMatchObject({
        ok: false,
        problems: [{ code: 'review/not-a-tree', message }],
      });
    }
    expect(readTree(out)).toEqual(tree);
  }
});

describe('a tree', () => {
  const texts = { 'index.txt': 'ours 2', 'a/b.txt': 'b' };
  const older = { 'index.txt': 'ours 1', 'old.txt': 'old' };
  const kindOf = (index: string): string | undefined => /^(ours|theirs)/.exec(index)?.[1];
  let [parent, out] = ['', ''];
  beforeEach(() => {
    parent = scratchFolder();
    out = join(parent, 'out');
  });

  const replaced = (tree: Readonly<Record<string, string>> = texts) => replaceTree(out, tree, kindOf);
  const refusal = (why: string): object => {
    const message = `--out ${out} ${why}; it was not changed`;
    const hint = 'name a folder that does not exist';
    return failure({ code: 'review/not-a-tree', severity: 'error', message, hint });
  };
  const notWritable = (reason: string): object =>
    failure({
      code: 'dir/not-writable',
      severity: 'error',
      message: `cannot write ${out}: ${reason}`,
      hint: 'free disk space or grant write permission, or name another folder with --out',
    });
  const untouched = (): void => {
    expect([readdirSync(parent), readTree(out)]).toEqual([['out'], older]);
  };

  it('creates a folder or replaces an empty or older one, without drafts', () => {
    out = join(parent, 'new/out');
    expect(replaced()).toEqual(success(undefined));
    expect([readdirSync(join(parent, 'new')), readTree(out)]).toEqual([['out'], texts]);
    out = join(parent, 'empty');
    mkdirSync(out);
    expect(replaced(older)).toEqual(success(undefined));
    expect(readTree(out)).toEqual(older);
    expect(replaced()).toEqual(success(undefined));
    expect([readdirSync(parent), readTree(out)]).toEqual([['empty', 'new'], texts]);
  });

  it('does not replace a file, a link, other files or another tree', () => {
    writeFileSync(out, '');
    expect(replaced()).toEqual(refusal('is not a folder'));
    out = join(parent, 'link');
    mkdirSync(join(parent, 'empty'));
    symlinkSync('empty', out);
    expect(replaced()).toEqual(refusal('is not a folder'));
    out = join(parent, 'empty');
    writeFileSync(join(out, 'a'), '');
    expect(replaced()).toEqual(refusal('contains files that sno-install did not write'));
    writeFileSync(join(out, 'index.txt'), 'of something else');
    expect(replaced()).toEqual(refusal('contains files that sno-install did not write'));
    writeFileSync(join(out, 'index.txt'), 'theirs');
    expect(replaced()).toEqual(refusal('contains theirs'));
    expect(readdirSync(out)).toEqual(['a', 'index.txt']);
    expect(replaceTree('', texts, kindOf)).toEqual(
      failure({
        code: 'review/not-a-tree',
        severity: 'error',
        message: '--out is empty',
        hint: 'name a folder that does not exist',
      }),
    );
  });

  it('without an index has no kind and is not replaced', () => {
    expect(replaced(older)).toEqual(success(undefined));
    expect(replaced({ 'a.txt': 'a' })).toEqual(refusal('contains ours'));
    untouched();
  });

  it.each([
    ['writeFileSync', 'ENOSPC', 'the disk is full'],
    ['mkdtempSync', 'EACCES', 'permission denied'],
    ['renameSync', 'EIO', 'input/output error'],
  ])('is complete or missing: %s, %s', (call, code, reason) => {
    replaced(older);
    replaceFsCalls(() => ({ [call]: failing(code) }));
    expect(replaced()).toEqual(notWritable(reason));
    untouched();
  });

  it.each([true, false])('is kept if the new one cannot replace it: %s', (isThere) => {
    if (isThere) replaced(older);
    replaceFsCalls(({ renameSync }) => ({
      renameSync: (from, to) => {
        if (String(from).endsWith('/new')) throw systemError('EIO');
        renameSync(from, to);
      },
    }));
    expect(replaced()).toEqual(notWritable('input/output error'));
    if (isThere) untouched();
    else expect(readdirSync(parent)).toEqual([]);
  });

  it('is written next to its path, each file once', () => {
    const made: string[] = [];
    replaceFsCalls(({ mkdtempSync, writeFileSync: write }) => ({
      mkdtempSync: ((prefix: string) => {
        made.push(prefix);
        return mkdtempSync(prefix);
      }) as typeof mkdtempSync,
      writeFileSync: (path, text, options) => {
        made.push(JSON.stringify(options));
        write(path, text, options);
      },
    }));
    replaced();
    expect(made).toEqual([join(parent, '.out.'), '{"flag":"wx"}', '{"flag":"wx"}']);
    expect(readFileSync(join(out, 'a/b.txt'), 'utf8')).toBe('b');
  });
});
