import type { CodeTable } from './entry.js';

/** Problems of manifests: files in manifests/, openshift/ and extraManifests, and edits of generated manifests. */
export const manifestCodes = {
  'manifest/unreadable': {
    severity: 'error',
    fault: 'files of manifests can be read',
    why: 'A manifest that is left out by accident is missed only when the cluster is up.',
    fix: 'Give yourself read permission, or move the file out of the folder.',
  },
  'manifest/not-text': {
    severity: 'error',
    fault: 'a manifest is UTF-8 text',
    why: 'Programs on the node read nothing else.',
    fix: 'Save the file as UTF-8.',
  },
  'manifest/too-large': {
    severity: 'error',
    fault: 'an object has at most 1.5 MiB, and a file of manifests at most 16 MiB',
    why: 'etcd refuses larger objects, so the bootstrap would try for an hour and fail; and the live ISO has room for far less.',
    fix: 'Split it, or apply it when the cluster is up.',
  },
  'manifest/syntax': {
    severity: 'error',
    fault: 'a manifest is YAML or JSON that can be parsed, with each key once',
    why: 'On the node it would stop the bootstrap, which then starts over for ever.',
    fix: 'Correct the place that the message names.',
  },
  'manifest/not-an-object': {
    severity: 'error',
    fault: 'each document of a manifest file is a Kubernetes object',
    why: 'A list or a plain value cannot be created in a cluster.',
    fix: 'Write apiVersion, kind and metadata, or remove the file.',
  },
  'manifest/list': {
    severity: 'error',
    fault: 'objects stand for themselves, not in an object of kind List',
    why: 'Half of the programs that read manifests on the node do not look into lists, so some of its items would count and some would not.',
    fix: 'Make each item a document of its own; several documents may share a file.',
  },
  'manifest/missing-field': {
    severity: 'error',
    fault:
      'an object has apiVersion, kind and metadata.name, and metadata.namespace where its kind lives in one',
    why: 'The API server cannot create the object without them. cluster-bootstrap has no default namespace as kubectl has.',
    fix: 'Add the field.',
  },
  'manifest/field-type': {
    severity: 'error',
    fault: 'fields that are texts hold texts, and lists hold lists',
    why: 'The API server refuses anything else, and the bootstrap tries again for an hour before it fails.',
    fix: 'Put numbers, true and false in quotes where a text is meant.',
  },
  'manifest/generate-name': {
    severity: 'error',
    fault: 'a manifest names its object',
    why: 'The bootstrap creates manifests again after a restart; with metadata.generateName each attempt would make another object.',
    fix: 'Replace metadata.generateName by metadata.name.',
  },
  'manifest/name-too-long': {
    severity: 'error',
    fault: 'the name of an object has at most 253 characters',
    why: 'The API server refuses longer ones.',
    fix: 'Shorten metadata.name.',
  },
  'manifest/ignored-file': {
    severity: 'warning',
    fault: 'files in folders of manifests end in .yaml, .yml or .json and lie in the folder itself',
    why: 'Anything else is not installed.',
    fix: 'Rename or move the file if it should be a manifest; else move it out of the folder.',
  },
  'manifest/extra-missing': {
    severity: 'error',
    fault: 'each entry of extraManifests is a manifest, or a folder that holds some',
    why: 'Somebody wanted those manifests installed.',
    fix: 'Correct the path in sno-config.yaml. Paths are relative to the directory of the run.',
  },
  'manifest/reserved-name': {
    severity: 'error',
    fault: 'files of yours do not take the name of a manifest that is generated here or on the node',
    why: 'One of the two would silently replace the other.',
    fix: 'Rename the file. To change what is generated here, run `sno-install create manifests` and edit the result.',
  },
  'manifest/name-collision': {
    severity: 'error',
    fault: 'file names are unique over manifests/, openshift/ and extraManifests together',
    why: 'On the node all of them lie in one folder, where the last of the same name replaces the others.',
    fix: 'Rename one of the files.',
  },
  'manifest/duplicate': {
    severity: 'error',
    fault: 'each object stands in one file only',
    why: 'The node would create whichever it comes to first and leave the other out.',
    fix: 'Remove one, or merge them.',
  },
  'manifest/deleted': {
    severity: 'warning',
    fault: 'generated manifests stay, or are deleted on purpose',
    why: 'A file that was written by an earlier run and is gone is left out of the installation.',
    fix: 'Nothing, if that is what you want. To get it back, delete its whole folder and run `sno-install create manifests`.',
  },
  'manifest/deleted-needed': {
    severity: 'error',
    fault: 'manifests that steps of the installation read by their file name are there',
    why: 'Without the file the step fails on the node, again and again.',
    fix: 'Put the file back. Or delete its whole folder and run `sno-install create manifests` to get all of it anew.',
  },
  'manifest/needed-object-changed': {
    severity: 'error',
    fault: 'files that steps of the installation read by name keep their object',
    why: 'The step looks for that very object in that very file.',
    fix: 'Restore kind, name and namespace, and put other objects into files of their own.',
  },
  'manifest/edited-value': {
    severity: 'error',
    fault:
      'edited manifests keep a form that the steps of the installation can read, and the values that other outputs hold too',
    why: 'Other files are made from these fields, and programs on the node decide by them.',
    fix: 'Give the field the form that the message names, or change the input that it names instead.',
  },
  'manifest/folder-gone': {
    severity: 'warning',
    fault: 'a folder of generated manifests stays, or is deleted on purpose',
    why: 'All of its files are made anew, so edits that were in it are gone too.',
    fix: 'Nothing, if that is what you want.',
  },
  'manifest/edit-outlives-inputs': {
    severity: 'warning',
    fault: 'edited manifests fit the other inputs',
    why: 'The file was edited, so it stays as it is, although it would be generated differently today.',
    fix: 'Compare it with what `sno-install create manifests` writes in an empty directory.',
  },
} as const satisfies CodeTable;
