import type { CodeTable } from './entry.js';

/** Problems when converting files of other installers. */
export const importCodes = {
  'import/no-source': {
    severity: 'error',
    fault: 'the folder contains no files that can be imported',
    why: 'The command generates the configs from these files.',
    fix: 'Name the folder with agent-config.yaml or with the ClusterInstances, or the working directory of openshift-install.',
  },
  'import/several': {
    severity: 'error',
    fault: 'the folder contains several sites, but a directory can contain only one',
    why: 'The configs of the sites would overwrite each other.',
    fix: 'Name one site with `--site`, or name its file.',
  },
  'import/not-single-node': {
    severity: 'error',
    fault: 'the cluster to import does not have exactly one node, in the control plane',
    why: 'sno-install installs only single-node clusters.',
    fix: 'Import a cluster with one node, or remove the other hosts from a copy of the file.',
  },
  'import/malformed': {
    severity: 'error',
    fault: 'a field contains invalid JSON, or a ConfigMap contains values that are not strings',
    why: 'The setting cannot be imported, and without it the cluster would be different.',
    fix: 'Correct the value, or remove the field.',
  },
  'import/missing': {
    severity: 'warning',
    fault:
      'a resource refers to an object that is not in the folder, or a kustomization to a file that does not exist',
    why: 'The node would be installed without the settings of the object, which may exist only on a hub. kustomize renders nothing if a file is missing.',
    fix: 'Add the file, ConfigMap, Secret or ClusterImageSet to the folder and import again, or add its settings to the generated files.',
  },
  'import/no-pull-secret': {
    severity: 'error',
    fault: 'the files contain no pull secret, and `--pull-secret-file` is not set',
    why: 'The installation needs a pull secret, which is rarely stored with the other files.',
    fix: 'Set `--pull-secret-file` to a file, which is copied, or to `env:NAME`.',
  },
  'import/no-place': {
    severity: 'warning',
    fault: 'a field has no equivalent in the files of sno-install',
    why: 'The generated files do not contain the setting.',
    fix: 'Follow the hint if there is one; docs/import.md lists every field.',
  },
  'import/left-out': {
    severity: 'warning',
    fault: 'a file or object was not imported',
    why: 'The file is not a manifest, or is a generated file with edits: edits cannot be distinguished from differences between versions. Or the object is for a hub, such as a policy, or no site uses it.',
    fix: 'Write the content as a separate manifest into the new directory. For a generated file, run `sno-install create manifests` there and repeat the edit. The manifests of policies go to `post-install/` or `manifests/`.',
  },
  'import/unlisted': {
    severity: 'warning',
    fault:
      'a ClusterInstance or SiteConfig is in a folder whose kustomization, or one above, does not list its file',
    why: 'A hub applies only the listed files, so it does not install this cluster: it may be removed, or not ready.',
    fix: 'Remove the file or the new site if the cluster is not to be installed. Otherwise list the file in `resources`.',
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
    why: 'Existing files are not overwritten, and could be mistaken for files of this site.',
    fix: 'Name another folder with `--dir`. `--overwrite` replaces existing files of the same names.',
  },
} as const satisfies CodeTable;
