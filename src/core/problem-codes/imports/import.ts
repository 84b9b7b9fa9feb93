import type { CodeTable } from '../entry.js';

/** Problems when converting files of other installers. */
export const importCodes = {
  'import/no-source': {
    severity: 'error',
    fault: 'the folder contains nothing to import',
    why: 'No config can be generated.',
    fix: 'Name the folder with agent-config.yaml or with the ClusterInstances, or the working directory of openshift-install.',
  },
  'import/several': {
    severity: 'error',
    fault: 'the folder contains several sites, but one directory holds the configs of one node',
    why: 'The configs of the sites would overwrite each other.',
    fix: 'Name one site with `--site`, or name its file.',
  },
  'import/not-single-node': {
    severity: 'error',
    fault: 'the cluster to import does not have exactly one node, in the control plane',
    why: 'sno-install installs only single nodes, and cannot choose one of several.',
    fix: 'Import a cluster with one node, or remove the other hosts from a copy of the file.',
  },
  'import/malformed': {
    severity: 'error',
    fault: 'a field that contains JSON is invalid, or a ConfigMap contains values that are not strings',
    why: 'The setting cannot be imported, and without it the cluster would be different.',
    fix: 'Correct the value, or remove the field.',
  },
  'import/missing': {
    severity: 'warning',
    fault: 'a resource refers to an object that is not in the folder',
    why: 'The object may exist on a hub, but the node would be installed without its settings.',
    fix: 'Add the ConfigMap, Secret or ClusterImageSet to the folder and import again, or add its settings to the generated files.',
  },
  'import/no-pull-secret': {
    severity: 'error',
    fault: 'the files contain no pull secret, and none was named',
    why: 'Nothing can be installed without a pull secret. It is rarely stored with the other files.',
    fix: 'Name it with `--pull-secret-file`: a file, whose content is copied, or `env:NAME`.',
  },
  'import/no-place': {
    severity: 'warning',
    fault: 'a field has no equivalent in the files of sno-install',
    why: 'The generated files do not contain the setting.',
    fix: 'The hint names a replacement if there is one; docs/import.md lists every field.',
  },
  'import/left-out': {
    severity: 'warning',
    fault: 'a file was not imported',
    why: 'A file that is not a manifest cannot be applied. If a generated file was edited, the edits cannot be separated from differences between versions.',
    fix: 'Write the content as a separate manifest into the new directory. For a generated file, run `sno-install create manifests` there and repeat the edit if you still need it.',
  },
  'import/not-read': {
    severity: 'warning',
    fault: 'a YAML file in the folder cannot be read',
    why: 'It may contain a site, or an object that a site refers to.',
    fix: 'Correct the file if it belongs to a site; otherwise ignore this warning.',
  },
  'import/folder-taken': {
    severity: 'error',
    fault: 'the target folder is not empty',
    why: 'Files of another site could be mistaken for those of this one. Existing files are never overwritten without your consent.',
    fix: 'Name another folder with `--dir`. If you do not need the old files of the same names, replace them with `--force`.',
  },
} as const satisfies CodeTable;
