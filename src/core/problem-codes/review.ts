import type { CodeTable } from './entry.js';

/** Problems of the commands that show configs for review. */
export const reviewCodes = {
  'review/not-a-config': {
    severity: 'error',
    fault: 'what is to be shown is an Ignition config: a JSON object with `ignition.version`',
    why: 'Anything else would be shown as an empty machine.',
    fix: 'Name a file that `create` wrote, or any other Ignition config; `ignition-validate` says what is wrong with it.',
  },
  'review/nothing-to-show': {
    severity: 'error',
    fault:
      'the directory holds an Ignition config, or one is named; for `diff` and `golden` an `install-config.yaml` does',
    why: 'There is nothing to make a tree of, or to compare.',
    fix: 'Run `create` first, or name the files: `sno-install render ignition FILE --out TREE`.',
  },
  'review/one-name': {
    severity: 'error',
    fault: 'the files of one tree have different names',
    why: 'Each stands in the tree by its name; one would hide the other.',
    fix: 'Write a tree for each.',
  },
  'review/not-a-tree': {
    severity: 'error',
    fault:
      '`--out` names a folder that is not there, is empty, or holds a tree of the same kind that an earlier run wrote; with `--check` it holds one',
    why: 'The tree takes the place of the whole folder, and everything else in it would be gone. A check compares with a tree.',
    fix: 'Name another folder, or delete this one. Before the first check, write the tree.',
  },
  'review/other-form': {
    severity: 'error',
    fault: 'a golden tree is the one that is written now, in its form too',
    why: 'Nothing on a node is different, but the next who writes the tree would commit files that are none of his change.',
    fix: 'Run the command again without `--check`, and commit the tree.',
  },
  'review/revision': {
    severity: 'error',
    fault: '`--against` names a revision of the Git repository that the directory is in',
    why: 'The directory is compared with itself as it was there, read by the program `git`.',
    fix: 'Name a branch, tag or commit. A shallow clone has few of them: in a workflow, check out with `fetch-depth: 0`.',
  },
  'review/certificate-ended': {
    severity: 'warning',
    fault: 'the certificates that a site brings along, such as those of its trust bundle, hold today',
    why: 'Who is signed by them is no longer trusted by the node. The tree stays the same: it does not hang on the date.',
    fix: 'Put a certificate that holds in its place, and look at the difference.',
  },
} as const satisfies CodeTable;
