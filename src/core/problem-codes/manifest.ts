import type { CodeTable } from './entry.js';

/** Problems of manifests: files in manifests/, openshift/ and extraManifests, and edits of generated manifests. */
export const manifestCodes = {
  'manifest/unreadable': {
    severity: 'error',
    fault: 'a manifest file cannot be read',
    why: 'Skipping it would install a cluster without its objects.',
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
    fix: 'Split the object or file, or apply the object when the cluster is up.',
  },
  'manifest/syntax': {
    severity: 'error',
    fault: 'a manifest is not valid YAML or JSON, or contains a duplicate key',
    why: 'The bootstrap would fail at this file and restart forever.',
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
    fault: 'a manifest is a list, by its kind or by a top-level field "items"',
    why: 'cluster-bootstrap cannot load lists and then creates no manifest at all.',
    fix: 'Write each item as a separate document; a file can contain several documents.',
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
  'manifest/reference-missing': {
    severity: 'warning',
    fault: 'an object names a Secret or ConfigMap that no manifest contains',
    why: 'Its operator waits for it or reports that it is degraded, so the installation does not complete.',
    fix: 'Add the Secret or ConfigMap to `manifests/`, with its Namespace if the release does not bring it.',
  },
  'manifest/approval-missing': {
    severity: 'warning',
    fault: 'a Subscription has `installPlanApproval: Manual`',
    why: 'OLM installs the operator only after its InstallPlan is approved; objects of its kinds wait until then.',
    fix: 'Write `Automatic`, or approve the InstallPlan in the running cluster.',
  },
  'manifest/status-only': {
    severity: 'warning',
    fault: 'an object has a status and no settings',
    why: 'It was probably copied from a cluster. Operators overwrite the status, so the file sets nothing.',
    fix: 'Add the spec, or remove the file.',
  },
  'manifest/missing-field': {
    severity: 'error',
    fault: 'an object has no apiVersion, kind, metadata.name or, for a namespaced kind, metadata.namespace',
    why: 'The API server cannot create the object. cluster-bootstrap, unlike kubectl, has no default namespace.',
    fix: 'Add the field.',
    example: ['metadata:', '  name: my-settings', '  namespace: default'].join('\n'),
  },
  'manifest/field-type': {
    severity: 'error',
    fault: 'a field has a value of the wrong type, such as a number instead of a string',
    why: 'The API server rejects the object, and the bootstrap retries for an hour before it fails.',
    fix: 'If the field is a string, put numbers, true and false in quotes.',
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
    fault:
      'the name of a file in a manifest folder does not end in .yaml, .yml or .json, or the file is in a subfolder',
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
    fault: 'a file has the same name as a generated manifest',
    why: 'One of the two would silently replace the other.',
    fix: 'Rename your file. To change a generated manifest, run `sno-install create manifests` and edit the result.',
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
    why: 'The node creates the object from the first file and ignores the second.',
    fix: 'Remove one of the two, or merge them.',
  },
  'manifest/deleted': {
    severity: 'warning',
    fault: 'a generated manifest was deleted',
    why: 'An earlier run wrote the file; the installation now omits it.',
    fix: 'Ignore the warning if you deleted the file on purpose. To restore it, move its whole folder away, run `sno-install create manifests` and copy your edits into the new folder.',
  },
  'manifest/deleted-needed': {
    severity: 'error',
    fault: 'a manifest that the installation needs was deleted',
    why: 'A step of the installation reads this file and fails without it.',
    fix: 'Put the file back. Or move its whole folder away, run `sno-install create manifests` and copy your edits into the new folder.',
  },
  'manifest/needed-object-changed': {
    severity: 'error',
    fault: 'a file that the installation reads by name contains another object',
    why: 'A step of the installation expects the generated object in this file.',
    fix: 'Restore kind, name and namespace, and put other objects into separate files.',
  },
  'manifest/edited-value': {
    severity: 'error',
    fault:
      'an edited manifest has a value that the installation cannot read, or that differs from other outputs',
    why: 'Other files are generated from these fields, and programs on the node use them.',
    fix: 'Write the field in the form that the message names, or change the input that the message names.',
  },
  'manifest/folder-gone': {
    severity: 'warning',
    fault: 'a folder of generated manifests was deleted',
    why: 'Its files are generated again, so earlier edits are lost.',
    fix: 'Ignore the warning if you deleted the folder on purpose. Otherwise restore it from a copy.',
  },
  'manifest/edit-outlives-inputs': {
    severity: 'warning',
    fault: 'an edited manifest does not match the other inputs',
    why: 'The inputs changed after the manifest was generated. The edited file is not updated.',
    fix: 'Compare it with the file that `sno-install create manifests` writes in an empty directory with the same configs.',
  },
} as const satisfies CodeTable;
