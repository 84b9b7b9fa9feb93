import type { CodeTable } from './entry.js';

/** Problems of the commands that show configs for review. */
export const reviewCodes = {
  'review/not-a-config': {
    severity: 'error',
    fault: 'the file is not an Ignition config: a JSON object with `ignition.version`',
    why: 'The command reads only Ignition configs.',
    fix: 'Name a file that `create` wrote, or another Ignition config; `ignition-validate` reports its errors.',
  },
  'review/nothing-to-show': {
    severity: 'error',
    fault: 'the directory contains no Ignition config, or for `diff` and `golden` no `install-config.yaml`',
    why: 'The command reads these files.',
    fix: 'Run `create` first, or name the files.',
    example: '$ sno-install render ignition FILE --out TREE',
  },
  'review/one-name': {
    severity: 'error',
    fault: 'two files for one tree have the same name',
    why: 'The tree stores each file by its name, so one would overwrite the other.',
    fix: 'Write a separate tree for each file.',
  },
  'review/not-a-tree': {
    severity: 'error',
    fault: '`--out` contains other files, or with `--check` no tree',
    why: 'The tree replaces the whole folder, so other files in it would be lost. `--check` compares with an existing tree.',
    fix: 'Name a folder that is empty, does not exist, or contains a tree of the same kind. Write the tree before the first check.',
  },
  'review/other-form': {
    severity: 'error',
    fault: 'the golden tree was written by a version of sno-install with another format',
    why: 'The node does not change, but the next change of the tree would also contain the differences in format.',
    fix: 'Run the command again without `--check`, and commit the tree.',
  },
  'review/revision': {
    severity: 'error',
    fault: '`--against` is not a revision of the Git repository of the directory',
    why: 'The command reads the old files of the directory with `git`.',
    fix: 'Name a branch, tag or commit. A shallow clone has few of them: in a workflow, check out with `fetch-depth: 0`.',
  },
  'review/placeholder-secret': {
    severity: 'warning',
    fault:
      'the file or variable that `pullSecretFile` names is missing, as in a clone of a repository that ignores it',
    why: 'A review compares and shows configurations without their secrets. Rules about the pull secret are not checked.',
    fix: 'Nothing, for a review. `create` and `validate` need the secret.',
  },
  'review/certificate-ended': {
    severity: 'warning',
    fault: 'a certificate in the inputs of a site, for example in its trust bundle, has expired',
    why: 'The node does not trust servers that use it. The tree does not depend on the date.',
    fix: 'Replace it with a valid certificate, and review the difference.',
  },
} as const satisfies CodeTable;
