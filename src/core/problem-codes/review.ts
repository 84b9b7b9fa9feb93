import type { CodeTable } from './entry.js';

/** Problems of what shows configs to people. */
export const reviewCodes = {
  'review/not-a-config': {
    severity: 'error',
    rule: 'what is to be shown is an Ignition config: a JSON object with `ignition.version`',
    why: 'Anything else would be shown as an empty machine.',
    fix: 'Name a file that `create` wrote, or any other Ignition config; `ignition-validate` says what is wrong with it.',
  },
  'review/nothing-to-show': {
    severity: 'error',
    rule: 'the directory holds an Ignition config, or one is named',
    why: 'There is nothing to make a tree of.',
    fix: 'Run `create` first, or name the files: `sno-install render ignition FILE --out TREE`.',
  },
  'review/one-name': {
    severity: 'error',
    rule: 'the files of one tree have different names',
    why: 'Each stands in the tree by its name; one would hide the other.',
    fix: 'Write a tree for each.',
  },
  'review/not-a-tree': {
    severity: 'error',
    rule: '`--out` names a folder that is not there, is empty, or holds a tree of an earlier run',
    why: 'The tree takes the place of the whole folder, and everything else in it would be gone.',
    fix: 'Name another folder, or delete this one.',
  },
} as const satisfies CodeTable;
