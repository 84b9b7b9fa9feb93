import type { CodeTable } from './entry.js';

/** Problems of the user's Kubernetes objects: objects that the installation cannot apply. */
export const manifestObjectCodes = {
  'manifest/kind-absent': {
    severity: 'error',
    fault: 'every object has a kind and a version that the release serves while the cluster bootstraps',
    why: 'The bootstrap tries to create it for an hour, fails and starts over: the disk is never written.',
    fix: 'Take it out and apply it when the cluster is up, or do what the hint says.',
  },
  'manifest/kind-unknown': {
    severity: 'error',
    fault: 'kinds that are neither of Kubernetes nor of OpenShift come with their CustomResourceDefinition',
    why: 'The bootstrap tries to create the object for an hour, fails and starts over: the disk is never written.',
    fix: 'Add the CustomResourceDefinition as a manifest, or apply the object when the cluster is up.',
  },
  'manifest/kind-unlisted': {
    severity: 'warning',
    fault: 'a kind of a group of Kubernetes or OpenShift is one that a release is known to define',
    why: 'If the release does not define it, the bootstrap tries to create the object for an hour and fails.',
    fix: 'Add its CustomResourceDefinition as a manifest, or apply the object when the cluster is up.',
  },
  'manifest/namespace-missing': {
    severity: 'error',
    fault: 'an object lies in a namespace that Kubernetes, OpenShift or another manifest creates',
    why: 'The bootstrap tries to create it for an hour, fails and starts over: the disk is never written.',
    fix: 'Add a manifest of kind Namespace.',
  },
  'manifest/namespace-unlisted': {
    severity: 'warning',
    fault: 'an object lies in a namespace that is known to exist during the bootstrap',
    why: 'If the release does not bring the namespace, the bootstrap waits for it for an hour and fails.',
    fix: 'Add a manifest of kind Namespace; where the release brings one too, the first to come is kept.',
  },
  'manifest/metadata': {
    severity: 'error',
    fault: 'names, namespaces, labels and annotations keep to the rules of Kubernetes',
    why: 'The API server refuses the object, and the bootstrap tries again for an hour before it fails.',
    fix: 'Write the name as the message says. The rules: kubernetes.io/docs/concepts/overview/working-with-objects/names.',
  },
  'manifest/data': {
    severity: 'error',
    fault: 'the data of a ConfigMap or Secret are texts or base64 under valid keys, and at most 1 MiB',
    why: 'The API server refuses the object, and the bootstrap tries again for an hour before it fails.',
    fix: 'Quote numbers and booleans. Put plain text of a Secret into stringData.',
  },
  'manifest/server-field': {
    severity: 'error',
    fault: 'a new object has no resourceVersion',
    why: 'The API server refuses to create an object with one, and the bootstrap tries again for an hour before it fails.',
    fix: 'Remove metadata.resourceVersion. It is left over from an object that was exported from a cluster.',
  },
  'manifest/ignored-field': {
    severity: 'warning',
    fault: 'metadata holds only fields that have an effect',
    why: 'The API server replaces or ignores the field. An owner that does not exist in this cluster makes the object disappear.',
    fix: 'Remove the field.',
  },
  'manifest/template-remains': {
    severity: 'warning',
    fault: 'manifests hold values, not placeholders of a template',
    why: 'Nothing replaces the placeholder any more: the cluster gets it as it is.',
    fix: 'Render the template, or write the value.',
  },
  'manifest/set-twice': {
    severity: 'warning',
    fault: 'one MachineConfig sets a file, a unit or a kernel argument of the node',
    why: 'The machine config operator merges MachineConfigs by their names: the last one wins, and the others have no effect.',
    fix: 'Keep one of them, or merge them into one MachineConfig.',
  },
  'manifest/network-profile': {
    severity: 'warning',
    fault:
      'MachineConfigs of a pool have one NetworkManager profile for an interface, and each UUID and ID once',
    why: 'NetworkManager loads one of two profiles with the same UUID and activates one of two for the same interface, and which one can change from boot to boot. The node may come up with other addresses than those of the live system.',
    fix: 'Keep one profile for each interface. What sno-config.yaml describes is on the node already.',
  },
  'manifest/hostname': {
    severity: 'error',
    fault: 'a MachineConfig that writes /etc/hostname has the name of hostname in sno-config.yaml',
    why: 'The certificates of etcd and of the kubelet are made for the name of the live system, and the installed node would register under another one.',
    fix: 'Remove the file from the MachineConfig, or set hostname to the same name.',
  },
  'manifest/hostname-not-live': {
    severity: 'warning',
    fault: 'a host name that a MachineConfig writes is in sno-config.yaml too',
    why: 'The live system makes the certificates of etcd and of the kubelet for its own name. Without hostname that is the name from DHCP or DNS, and the installed node starts with another one if it differs.',
    fix: 'Set hostname in sno-config.yaml, and remove the file from the MachineConfig.',
  },
  'manifest/unbootable': {
    severity: 'error',
    fault: 'a MachineConfig leaves the node bootable and online',
    why: 'The node stops at its first boot from disk, or comes up without its network, when nobody is there to see it.',
    fix: 'Change the field as the hint says.',
  },
  'manifest/node-setting': {
    severity: 'warning',
    fault: 'what a MachineConfig sets up is there after each boot',
    why: 'The node boots, and the setting has no effect.',
    fix: 'Change the field as the hint says.',
  },
  'manifest/extension': {
    severity: 'error',
    fault: 'the extensions of a MachineConfig are ones that the machine config operator of the release knows',
    why: 'The operator refuses the whole pool otherwise, and the node never gets its configuration.',
    fix: 'Use a known extension, or install the package in an image of your own.',
  },
  'manifest/machine-config-role': {
    severity: 'warning',
    fault: 'a MachineConfig has a label that says which nodes it is for, and there are such nodes',
    why: 'Otherwise it is created and changes nothing.',
    fix: 'Set the label machineconfiguration.openshift.io/role to master for the single node.',
  },
  'manifest/selects-no-node': {
    severity: 'warning',
    fault:
      'selectors of PerformanceProfile, KubeletConfig, ContainerRuntimeConfig, Tuned, IngressController and pods match the single node',
    why: 'The node has the roles master and worker, and its MachineConfigPool is master. Settings for the pool worker or for infra nodes change nothing, and pods stay pending.',
    fix: 'Choose the pool or role master, or remove the selector.',
  },
  'manifest/machine-config-name': {
    severity: 'error',
    fault: 'a MachineConfig does not take the name of one that the machine config operator makes',
    why: 'The operator would replace it by its own.',
    fix: 'Call it 99-master-<topic>.',
  },
  'manifest/machine-config-conflict': {
    severity: 'error',
    fault:
      'a MachineConfig of the node writes no path and has no unit that the installation itself puts there',
    why: 'The node would refuse to be given both, after the whole bootstrap and before its disk is written.',
    fix: 'Take another path, or another name for the unit. docs/boot-flow.md and `bootstrap-in-place/node-files.list` say which are taken.',
  },
  'manifest/kernel-type': {
    severity: 'error',
    fault: 'kernelType of a MachineConfig is default, realtime or 64k-pages',
    why: 'The machine config operator refuses the whole pool otherwise, and the node never gets its configuration.',
    fix: 'Use one of the three, or remove the field.',
  },
  'manifest/ignition-version': {
    severity: 'error',
    fault:
      'the Ignition config inside a MachineConfig says its spec version, and the release reads that version',
    why: 'The machine config operator refuses the whole pool otherwise, and the node never gets its configuration.',
    fix: 'Write it for spec 3.2.0, which every release reads. Of version 2, configs of 2.2.0 are converted; others need rewriting.',
  },
  'manifest/ignition-feature': {
    severity: 'error',
    fault: 'the Ignition config inside a MachineConfig uses nothing that came after spec 3.2.0',
    why: 'The live system asks for the configuration of the node in spec 3.2.0; later features cannot be said in it.',
    fix: 'Do it in the way that the hint names, or when the cluster is up.',
  },
  'manifest/ignition-unsupported': {
    severity: 'error',
    fault: 'the Ignition config inside a MachineConfig uses what the machine config operator takes',
    why: 'The operator refuses the rest, and the node is reported as degraded.',
    fix: 'Do it in the way that the hint names.',
  },
  'manifest/ignition-invalid': {
    severity: 'error',
    fault: 'the Ignition config inside a MachineConfig keeps to the spec that it names',
    why: 'The machine config operator refuses the whole pool otherwise, and the node never gets its configuration.',
    fix: 'Write the field as the message says. The fields of each spec: coreos.github.io/ignition, "Configuration Specifications".',
  },
  'manifest/ignition-lost': {
    severity: 'warning',
    fault: 'every field of the Ignition config inside a MachineConfig has an effect',
    why: 'Ignition leaves out fields that its spec does not have, and systemd what it does not understand, without a word on the node.',
    fix: 'Mend a mistyped name, move the field where it belongs, or take it out.',
  },
  'manifest/os-image-stream': {
    severity: 'warning',
    fault: 'osImageStream is set only for releases that know streams of the operating system',
    why: 'The object that carries it cannot be created in an older release, so it is left out.',
    fix: 'Remove osImageStream from install-config.yaml, or choose another release.',
  },
  'manifest/release-version-unknown': {
    severity: 'warning',
    fault: 'the version of the release is known, from its tag or from releaseVersion',
    why: 'Without it the cluster gets no update channel, and objects that only some releases know are left out.',
    fix: 'Set releaseVersion in sno-config.yaml.',
  },
} as const satisfies CodeTable;
