import type { CodeTable } from '../entry.js';

/** Problems when converting files of other installers. */
export const importCodes = {
  'import/no-source': {
    severity: 'error',
    fault: 'the folder that is named holds what is to be imported',
    why: 'There is nothing to make a config of.',
    fix: 'Name the folder with agent-config.yaml, with the ClusterInstances, or the one that openshift-install worked in.',
  },
  'import/several': {
    severity: 'error',
    fault: 'one site is imported into one directory',
    why: 'A directory holds the configs of one node.',
    fix: 'Name one with `--site`, or its file.',
  },
  'import/not-single-node': {
    severity: 'error',
    fault: 'the cluster that is imported has one node, of the control plane',
    why: 'A single node is what is installed here; of several, nobody could say which is meant.',
    fix: 'Import a cluster of one node, or take the other hosts out of the file.',
  },
  'import/malformed': {
    severity: 'error',
    fault:
      'a field that holds JSON as a text holds JSON, of the form its field asks for, and a ConfigMap holds texts under keys',
    why: 'What it says cannot be taken over, and leaving it out would change the cluster.',
    fix: 'Mend the text, or take the field out.',
  },
  'import/missing': {
    severity: 'warning',
    fault: 'what a resource refers to is among the files, inside of the folder that is named',
    why: 'On a hub it may be there all the same; here nothing stands for it, and the node would go without.',
    fix: 'Put the ConfigMap, the Secret or the ClusterImageSet beside it and import again, or add what it says to what was made.',
  },
  'import/no-pull-secret': {
    severity: 'error',
    fault: 'the pull secret is among the files, or named',
    why: 'Nothing can be installed without, and it is seldom kept beside the other files.',
    fix: 'Name it with `--pull-secret-file`: a file, whose text is taken over, or `env:NAME`.',
  },
  'import/no-place': {
    severity: 'warning',
    fault: 'each field has a place in our files',
    why: 'What it asks for is not done by what was made.',
    fix: 'The hint says what does the same here, where something does; docs/import.md lists every field.',
  },
  'import/left-out': {
    severity: 'warning',
    fault: 'each file is taken over, or is one that is made anew',
    why: 'What is no manifest cannot be applied; what was changed in a file that is generated here too cannot be told from what another version generates.',
    fix: 'Write it as a manifest of its own into the new directory. For a generated file, run `sno-install create manifests` there and make the change, where it is still wanted.',
  },
  'import/not-read': {
    severity: 'warning',
    fault: 'files of YAML below the folder can be read as such',
    why: 'A site may stand in them, or something that one refers to.',
    fix: 'Mend the file where it belongs to a site; else nothing need be done.',
  },
  'import/folder-taken': {
    severity: 'error',
    fault: 'what is made goes to a folder that is empty or not there yet',
    why: 'Files of another site could be mistaken for those of this one, and nothing is ever overwritten unasked.',
    fix: 'Name another folder with --dir, or say `--force` to have files of the same names replaced.',
  },
} as const satisfies CodeTable;
