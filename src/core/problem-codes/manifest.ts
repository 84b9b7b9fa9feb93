import type { CodeTable } from './entry.js';

/** Problems of manifests: files in manifests/, openshift/ and extraManifests, and edits of generated manifests. */
export const manifestCodes = {
  'manifest/unreadable': {
    severity: 'error',
    fault: 'a manifest file cannot be read',
    why: 'If the file were skipped, you would notice only when the cluster is up.',
    fix: 'Give yourself read permission, or move the file out of the folder.',
  },
  'manifest/not-text': {
    severity: 'error',
    fault: 'a manifest is not UTF-8 text',
    why: 'Programs on the node read only UTF-8.',
    fix: 'Save the file as UTF-8.',
  },
  'manifest/too-large': {
    severity: 'error',
    fault: 'an object is larger than 1.5 MiB, or a manifest file larger than 16 MiB',
    why: 'etcd rejects larger objects, so the bootstrap would retry for an hour and fail. The live ISO has space for far less.',
    fix: 'Split the object or file, or apply it when the cluster is up.',
  },
  'manifest/syntax': {
    severity: 'error',
    fault: 'a manifest is not valid YAML or JSON, or contains a key twice',
    why: 'On the node it would stop the bootstrap, which then restarts forever.',
    fix: 'Correct the line in the message.',
  },
  'manifest/not-an-object': {
    severity: 'error',
    fault: 'a document in a manifest file is not a Kubernetes object',
    why: 'A list or a plain value cannot be created in a cluster.',
    fix: 'Write apiVersion, kind and metadata, or move the file out of the folder.',
    example: [
      'apiVersion: v1',
      'kind: ConfigMap',
      'metadata:',
      '  name: my-settings',
      '  namespace: default',
    ].join('\n'),
  },
  'manifest/list': {
    severity: 'error',
    fault: 'a manifest is an object of kind List',
    why: 'Half of the programs that read manifests on the node do not look into lists, so some items would be ignored.',
    fix: 'Make each item a separate document; a file can contain several documents.',
    example: [
      'apiVersion: v1',
      'kind: Namespace',
      'metadata: { name: first }',
      '---',
      'apiVersion: v1',
      'kind: Namespace',
      'metadata: { name: second }',
    ].join('\n'),
  },
  'manifest/missing-field': {
    severity: 'error',
    fault: 'an object has no apiVersion, kind, metadata.name or, for a namespaced kind, metadata.namespace',
    why: 'The API server cannot create the object. Unlike kubectl, cluster-bootstrap has no default namespace.',
    fix: 'Add the field.',
    example: ['metadata:', '  name: my-settings', '  namespace: default'].join('\n'),
  },
  'manifest/field-type': {
    severity: 'error',
    fault: 'a field has a value of the wrong type, such as a number instead of a string',
    why: 'The API server rejects the object, and the bootstrap retries for an hour before it fails.',
    fix: 'Put numbers, true and false in quotes where the field is a string.',
    example: ['data:', '  retries: 3  # wrong: a number', '# right:', 'data:', '  retries: "3"'].join('\n'),
  },
  'manifest/generate-name': {
    severity: 'error',
    fault: 'a manifest has metadata.generateName',
    why: 'The bootstrap creates manifests again after a restart, so each attempt would create another object.',
    fix: 'Replace metadata.generateName by metadata.name.',
    example: ['metadata:', '  generateName: job-  # wrong', '# right:', 'metadata:', '  name: job-1'].join(
      '\n',
    ),
  },
  'manifest/name-too-long': {
    severity: 'error',
    fault: 'the name of an object has more than 253 characters',
    why: 'The API server rejects longer names.',
    fix: 'Shorten metadata.name.',
  },
  'manifest/ignored-file': {
    severity: 'warning',
    fault: 'a file in a manifest folder does not end in .yaml, .yml or .json, or is in a subfolder',
    why: 'The file is not installed.',
    fix: 'Rename or move the file if it is a manifest; otherwise move it out of the folder.',
  },
  'manifest/extra-missing': {
    severity: 'error',
    fault: 'an entry of extraManifests is neither a manifest nor a folder with manifests',
    why: 'The cluster would be installed without these manifests.',
    fix: 'Correct the path in sno-config.yaml. Paths are relative to the directory of the run.',
  },
  'manifest/reserved-name': {
    severity: 'error',
    fault: 'a file of yours has the name of a manifest that is generated here or on the node',
    why: 'One of the two would silently replace the other.',
    fix: 'Rename your file. To change a manifest that is generated here, run `sno-install create manifests` and edit the result.',
  },
  'manifest/name-collision': {
    severity: 'error',
    fault: 'two files in manifests/, openshift/ and extraManifests have the same name',
    why: 'The node stores all of them in one folder, where the last file replaces the others.',
    fix: 'Rename one of the files.',
  },
  'manifest/duplicate': {
    severity: 'error',
    fault: 'two files contain the same object',
    why: 'The node creates the object of the file that it reads first and ignores the other.',
    fix: 'Remove one of the two, or merge them.',
  },
  'manifest/deleted': {
    severity: 'warning',
    fault: 'a generated manifest was deleted',
    why: 'The installation leaves out a file that an earlier run wrote and that is now missing.',
    fix: 'Do nothing if you deleted it on purpose. To get it back, move its whole folder away, run `sno-install create manifests` and copy your edits into the new folder.',
  },
  'manifest/deleted-needed': {
    severity: 'error',
    fault: 'a manifest that a step of the installation reads by name was deleted',
    why: 'The step fails on the node, again and again.',
    fix: 'Put the file back. Or move its whole folder away, run `sno-install create manifests` and copy your edits into the new folder.',
  },
  'manifest/needed-object-changed': {
    severity: 'error',
    fault: 'a file that a step of the installation reads by name contains another object',
    why: 'The step looks for this object in this file.',
    fix: 'Restore kind, name and namespace, and put other objects into separate files.',
  },
  'manifest/edited-value': {
    severity: 'error',
    fault:
      'an edited manifest has a value that steps of the installation cannot read, or that differs from other outputs',
    why: 'Other files are generated from these fields, and programs on the node use them.',
    fix: 'Write the field in the form that the message names, or change the input that the message names.',
  },
  'manifest/folder-gone': {
    severity: 'warning',
    fault: 'a folder of generated manifests was deleted',
    why: 'All of its files are generated again, so edits in the deleted folder are lost.',
    fix: 'Do nothing if you deleted it on purpose. Otherwise restore the folder from a copy.',
  },
  'manifest/edit-outlives-inputs': {
    severity: 'warning',
    fault: 'an edited manifest no longer fits the other inputs',
    why: 'The edited file stays unchanged, although it would be generated differently today.',
    fix: 'Compare it with the file that `sno-install create manifests` writes in an empty directory with the same configs.',
  },
} as const satisfies CodeTable;
