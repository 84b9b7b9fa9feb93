import type { CodeTable } from './entry.js';

/** Problems of objects that the user brings: what the installation cannot do with them. */
export const manifestObjectCodes = {
  'manifest/kind-absent': {
    severity: 'error',
    rule: 'every object has a kind and a version that the release serves while the cluster bootstraps',
    why: 'The bootstrap tries to create it for an hour, fails and starts over: the disk is never written.',
    fix: 'Take it out and apply it when the cluster is up, or do what the hint says.',
  },
  'manifest/kind-unknown': {
    severity: 'error',
    rule: 'kinds that are neither of Kubernetes nor of OpenShift come with their CustomResourceDefinition',
    why: 'The bootstrap tries to create the object for an hour, fails and starts over: the disk is never written.',
    fix: 'Add the CustomResourceDefinition as a manifest, or apply the object when the cluster is up.',
  },
  'manifest/kind-unlisted': {
    severity: 'warning',
    rule: 'a kind of a group of Kubernetes or OpenShift is one that a release is known to define',
    why: 'If the release does not define it, the bootstrap tries to create the object for an hour and fails.',
    fix: 'Add its CustomResourceDefinition as a manifest, or apply the object when the cluster is up.',
  },
  'manifest/namespace-missing': {
    severity: 'error',
    rule: 'an object lies in a namespace that Kubernetes, OpenShift or another manifest creates',
    why: 'The bootstrap tries to create it for an hour, fails and starts over: the disk is never written.',
    fix: 'Add a manifest of kind Namespace.',
  },
  'manifest/namespace-unlisted': {
    severity: 'warning',
    rule: 'an object lies in a namespace that is known to exist during the bootstrap',
    why: 'If the release does not bring the namespace, the bootstrap waits for it for an hour and fails.',
    fix: 'Add a manifest of kind Namespace; where the release brings one too, the first to come is kept.',
  },
  'manifest/metadata': {
    severity: 'error',
    rule: 'names, namespaces, labels and annotations keep to the rules of Kubernetes',
    why: 'The API server refuses the object, and the bootstrap tries again for an hour before it fails.',
    fix: 'Write the name as the message says. The rules: kubernetes.io/docs/concepts/overview/working-with-objects/names.',
  },
  'manifest/data': {
    severity: 'error',
    rule: 'the data of a ConfigMap or Secret are texts or base64 under valid keys, and at most 1 MiB',
    why: 'The API server refuses the object, and the bootstrap tries again for an hour before it fails.',
    fix: 'Quote numbers and booleans. Put plain text of a Secret into stringData.',
  },
  'manifest/server-field': {
    severity: 'error',
    rule: 'a new object has no resourceVersion',
    why: 'The API server refuses to create an object with one, and the bootstrap tries again for an hour before it fails.',
    fix: 'Remove metadata.resourceVersion. It is left over from an object that was exported from a cluster.',
  },
  'manifest/ignored-field': {
    severity: 'warning',
    rule: 'metadata holds only fields that have an effect',
    why: 'The API server replaces or ignores the field. An owner that does not exist in this cluster makes the object disappear.',
    fix: 'Remove the field.',
  },
  'manifest/template-remains': {
    severity: 'warning',
    rule: 'manifests hold values, not placeholders of a template',
    why: 'Nothing replaces the placeholder any more: the cluster gets it as it is.',
    fix: 'Render the template, or write the value.',
  },
  'manifest/unbootable': {
    severity: 'error',
    rule: 'a MachineConfig leaves the node bootable and online',
    why: 'The node stops at its first boot from disk, or comes up without its network, when nobody is there to see it.',
    fix: 'Change the field as the hint says.',
  },
  'manifest/node-setting': {
    severity: 'warning',
    rule: 'what a MachineConfig sets up is there after each boot',
    why: 'The node boots, and the setting has no effect.',
    fix: 'Change the field as the hint says.',
  },
  'manifest/extension': {
    severity: 'error',
    rule: 'the extensions of a MachineConfig are ones that the machine config operator of the release knows',
    why: 'The operator refuses the whole pool otherwise, and the node never gets its configuration.',
    fix: 'Use a known extension, or install the package in an image of your own.',
  },
  'manifest/machine-config-role': {
    severity: 'warning',
    rule: 'a MachineConfig has a label that says which nodes it is for, and there are such nodes',
    why: 'Otherwise it is created and changes nothing.',
    fix: 'Set the label machineconfiguration.openshift.io/role to master for the single node.',
  },
  'manifest/machine-config-name': {
    severity: 'error',
    rule: 'a MachineConfig does not take the name of one that the machine config operator makes',
    why: 'The operator would replace it by its own.',
    fix: 'Call it 99-master-<topic>.',
  },
  'manifest/machine-config-conflict': {
    severity: 'error',
    rule: 'a MachineConfig of the node writes no path and has no unit that the installation itself puts there',
    why: 'The node would refuse to be given both, after the whole bootstrap and before its disk is written.',
    fix: 'Take another path, or another name for the unit. docs/boot-flow.md and `bootstrap-in-place/node-files.list` say which are taken.',
  },
  'manifest/kernel-type': {
    severity: 'error',
    rule: 'kernelType of a MachineConfig is default, realtime or 64k-pages',
    why: 'The machine config operator refuses the whole pool otherwise, and the node never gets its configuration.',
    fix: 'Use one of the three, or remove the field.',
  },
  'manifest/ignition-version': {
    severity: 'error',
    rule: 'the Ignition config inside a MachineConfig says its spec version, and the release reads that version',
    why: 'The machine config operator refuses the whole pool otherwise, and the node never gets its configuration.',
    fix: 'Write it for spec 3.2.0, which every release reads. Of version 2, configs of 2.2.0 are converted; others need rewriting.',
  },
  'manifest/ignition-feature': {
    severity: 'error',
    rule: 'the Ignition config inside a MachineConfig uses nothing that came after spec 3.2.0',
    why: 'The live system asks for the configuration of the node in spec 3.2.0; later features cannot be said in it.',
    fix: 'Do it in the way that the hint names, or when the cluster is up.',
  },
  'manifest/ignition-unsupported': {
    severity: 'error',
    rule: 'the Ignition config inside a MachineConfig uses what the machine config operator takes',
    why: 'The operator refuses the rest, and the node is reported as degraded.',
    fix: 'Do it in the way that the hint names.',
  },
  'manifest/ignition-invalid': {
    severity: 'error',
    rule: 'the Ignition config inside a MachineConfig keeps to the spec that it names',
    why: 'The machine config operator refuses the whole pool otherwise, and the node never gets its configuration.',
    fix: 'Write the field as the message says. The fields of each spec: coreos.github.io/ignition, "Configuration Specifications".',
  },
  'manifest/ignition-lost': {
    severity: 'warning',
    rule: 'every field of the Ignition config inside a MachineConfig has an effect',
    why: 'Ignition leaves out fields that its spec does not have, and systemd what it does not understand, without a word on the node.',
    fix: 'Mend a mistyped name, move the field where it belongs, or take it out.',
  },
  'manifest/os-image-stream': {
    severity: 'warning',
    rule: 'osImageStream is set only for releases that know streams of the operating system',
    why: 'The object that carries it cannot be created in an older release, so it is left out.',
    fix: 'Remove osImageStream from install-config.yaml, or choose another release.',
  },
  'manifest/release-version-unknown': {
    severity: 'warning',
    rule: 'the version of the release is known, from its tag or from releaseVersion',
    why: 'Without it the cluster gets no update channel, and objects that only some releases know are left out.',
    fix: 'Set releaseVersion in sno-config.yaml.',
  },
} as const satisfies CodeTable;
