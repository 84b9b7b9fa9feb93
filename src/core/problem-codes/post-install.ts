import type { CodeTable } from './entry.js';

/** Problems of objects in post-install/ only. They also have those of all manifests. */
export const postInstallCodes = {
  'post-install/kind-unknown': {
    severity: 'warning',
    fault:
      'nothing in the release or in the files of the site defines the kind of an object in post-install/',
    why: 'The node waits for the kind until `postInstallTimeout` ends. Then the object fails, and later waves are not applied.',
    fix: 'Add the Namespace, OperatorGroup and Subscription of the operator, or the CustomResourceDefinition, to manifests/. Ignore the warning if another program installs the operator.',
    example: [
      'apiVersion: operators.coreos.com/v1alpha1',
      'kind: Subscription',
      'metadata: { name: ptp-operator, namespace: openshift-ptp }',
      'spec:',
      '  name: ptp-operator',
      '  channel: stable',
      '  source: redhat-operators',
      '  sourceNamespace: openshift-marketplace',
    ].join('\n'),
  },
  'post-install/served-kind': {
    severity: 'warning',
    fault:
      'a wave of post-install/ contains only objects that the installation itself can create, and no earlier wave contains others',
    why: 'The wave waits for nothing. The objects are created later than necessary, and a mistake in them shows only after the installation.',
    fix: 'Move the files to manifests/. Operators then install together with the cluster.',
    example: ['$ mv post-install/10-ptp-subscription.yaml manifests/'].join('\n'),
  },
  'post-install/wave-order': {
    severity: 'error',
    fault:
      'the Namespace, the CustomResourceDefinition or the Subscription that an object in post-install/ needs is in a later wave',
    why: 'A wave starts when all earlier waves are applied. The object fails, and the later wave is never applied.',
    fix: 'Give the file with the Namespace, CustomResourceDefinition or Subscription an equal or lower number, or move it to manifests/.',
  },
  'post-install/namespace-unknown': {
    severity: 'warning',
    fault: 'neither the release nor a file of the site creates the namespace of an object in post-install/',
    why: 'The API server refuses the object until the namespace exists. The node retries for 10 minutes.',
    fix: 'Add the Namespace to manifests/ or post-install/. Ignore the warning if an operator creates the namespace.',
  },
  'post-install/reboot': {
    severity: 'warning',
    fault: 'an object in post-install/ changes the operating system of the node',
    why: 'The machine config operator reboots or drains the node after the installation to apply it. In manifests/, it is part of the installed system at the first boot.',
    fix: 'Move the file to manifests/. Ignore the warning if the object depends on an operator.',
  },
  'post-install/remove': {
    severity: 'error',
    fault: 'an entry of post-install/remove.yaml cannot be deleted',
    why: '`apply` deletes the objects that the file lists. An entry with more than a name may be meant as a manifest; an object that another file creates, or that the cluster needs, must stay.',
    fix: 'Keep only `apiVersion`, `kind`, `metadata.name` and `metadata.namespace` of the entry, or remove it.',
  },
  'post-install/number': {
    severity: 'error',
    fault: 'an object in post-install/ contains an integer beyond ±9007199254740991',
    why: 'JSON numbers of this size lose digits in many programs, and the cluster would get another value.',
    fix: 'Write a smaller number, or a quoted string if the field accepts one.',
  },
} as const satisfies CodeTable;
