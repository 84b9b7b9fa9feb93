import type { CodeTable } from './entry.js';

/** Problems of the user's Kubernetes objects: objects that the installation cannot apply. */
export const manifestObjectCodes = {
  'manifest/kind-absent': {
    severity: 'error',
    fault: 'the API of the release does not have the kind or version of an object during the bootstrap',
    why: 'The bootstrap tries to create the object for an hour, fails and restarts. It never writes the disk.',
    fix: 'Move the manifest out of the folder and apply it when the cluster is up, or follow the hint.',
  },
  'manifest/kind-unknown': {
    severity: 'error',
    fault: 'the kind of an object is not part of Kubernetes or OpenShift, and no manifest defines it',
    why: 'The bootstrap tries to create the object for an hour, fails and restarts. It never writes the disk.',
    fix: 'Add the CustomResourceDefinition as a manifest, or apply the object when the cluster is up.',
  },
  'manifest/kind-unlisted': {
    severity: 'warning',
    fault:
      'this kind does not exist in any known release, although its API group is one of Kubernetes or OpenShift',
    why: 'If the release does not define it, the bootstrap tries to create the object for an hour and fails.',
    fix: 'Add its CustomResourceDefinition as a manifest, or apply the object when the cluster is up.',
  },
  'manifest/namespace-missing': {
    severity: 'error',
    fault: 'the namespace of an object is not created by Kubernetes, OpenShift or another manifest',
    why: 'The bootstrap tries to create the object for an hour, fails and restarts. It never writes the disk.',
    fix: 'Add a manifest of kind Namespace.',
    example: ['apiVersion: v1', 'kind: Namespace', 'metadata:', '  name: my-namespace'].join('\n'),
  },
  'manifest/namespace-unlisted': {
    severity: 'warning',
    fault: 'the namespace of an object may not exist during the bootstrap',
    why: 'If the release does not create the namespace, the bootstrap waits for it for an hour and fails.',
    fix: 'Add a manifest of kind Namespace. If the release has one too, the first one created is kept.',
  },
  'manifest/metadata': {
    severity: 'error',
    fault: 'a name, namespace, label or annotation breaks the naming rules of Kubernetes',
    why: 'The API server rejects the object, and the bootstrap retries for an hour before it fails.',
    fix: 'Correct the name. The rules: kubernetes.io/docs/concepts/overview/working-with-objects/names.',
    example: [
      'metadata:',
      '  name: My_Settings  # wrong: upper case and an underscore',
      '# right:',
      'metadata:',
      '  name: my-settings',
    ].join('\n'),
  },
  'manifest/schema': {
    severity: 'error',
    fault:
      'a field of an object does not fit the API of the release: an unknown or missing field, a wrong type or value',
    why: 'The API server rejects the object, and the bootstrap retries for an hour before it fails. Unknown fields are dropped without a word.',
    fix: 'Correct the field. `kubectl explain` describes it on a cluster of the same release. `manifestChecks: warn` in sno-config.yaml accepts such objects with a warning.',
    example: [
      'spec: { ports: [{ port: "80" }] }  # wrong: a string',
      'spec: { ports: [{ port: 80 }] }    # right',
    ].join('\n'),
  },
  'manifest/definition': {
    severity: 'error',
    fault: 'the API server would refuse a CustomResourceDefinition, or two definitions of one kind differ',
    why: 'Objects of the kind cannot be compared with the definition. In manifests/, the bootstrap retries for an hour before it fails.',
    fix: 'Take the definition from the bundle of the operator, or from a cluster with `oc get crd NAME -o yaml`.',
  },
  'manifest/not-a-definition': {
    severity: 'warning',
    fault: 'an object in crds/ is not a CustomResourceDefinition',
    why: 'The folder contains definitions with which `validate` compares other objects. Nothing of it is installed.',
    fix: 'Move the object to manifests/ or post-install/ if the cluster needs it, else remove it.',
  },
  'manifest/data': {
    severity: 'error',
    fault:
      'the data of a ConfigMap or Secret is not text or base64, has an invalid key, or is larger than 1 MiB',
    why: 'The API server rejects the object, and the bootstrap retries for an hour before it fails.',
    fix: 'Put numbers and booleans in quotes. Put the plain text of a Secret into stringData.',
    example: [
      'data: { password: hunter2 }        # wrong: not base64',
      'stringData: { password: hunter2 }  # right',
    ].join('\n'),
  },
  'manifest/server-field': {
    severity: 'error',
    fault: 'a manifest has metadata.resourceVersion',
    why: 'The API server refuses to create an object with a resourceVersion, and the bootstrap retries for an hour before it fails.',
    fix: 'Remove metadata.resourceVersion. It usually comes from an object that was exported from a cluster.',
  },
  'manifest/ignored-field': {
    severity: 'warning',
    fault: 'an object has a field without effect',
    why: 'The API server or nmstate replaces or ignores the field. An object with an ownerReference to a missing object is deleted.',
    fix: 'Remove the field.',
  },
  'manifest/template-remains': {
    severity: 'warning',
    fault: 'a manifest contains a placeholder of a template',
    why: 'sno-install does not replace placeholders in manifests.',
    fix: 'Render the template, or write the value.',
  },
  'manifest/no-cloud-controller': {
    severity: 'warning',
    fault:
      'platform external has cloudControllerManager External, and no manifest looks like a cloud controller manager',
    why: 'The kubelet taints the node with `node.cloudprovider.kubernetes.io/uninitialized` until the manager removes the taint. Until then, no pod is scheduled and the installation does not end.',
    fix: 'Add the manifests of the manager of your cloud to manifests/: its pods tolerate this taint and use the network of the host. Without a manager, remove cloudControllerManager.',
    example: [
      'platform:',
      '  external:',
      '    platformName: oci',
      '    cloudControllerManager: External',
    ].join('\n'),
  },
  'manifest/root-twice': {
    severity: 'error',
    fault: 'a MachineConfig creates the root file system, its encryption or its RAID, and diskEncryption too',
    why: 'Ignition gets both at the first boot and cannot create the root file system twice. The node would not boot.',
    fix: 'Remove diskEncryption of sno-config.yaml, or that part of the MachineConfig. For an encrypted mirror, write both in one Butane config: `boot_device` with `mirror` and `luks`.',
  },
  'manifest/set-twice': {
    severity: 'warning',
    fault: 'two MachineConfigs set the same file, unit, kernel argument or labels of the node',
    why: 'The machine config operator merges MachineConfigs in the order of their names, and only the last one takes effect.',
    fix: 'Keep one of them, or merge them into one MachineConfig.',
  },
  'manifest/network-profile': {
    severity: 'warning',
    fault:
      'MachineConfigs of a pool have two NetworkManager profiles for one interface, or with the same UUID or ID',
    why: 'NetworkManager uses only one of the two, and the choice can differ at each boot. The node may get other addresses than the live system.',
    fix: 'Keep one profile for each interface. sno-install already adds profiles for the network in sno-config.yaml.',
  },
  'manifest/hostname': {
    severity: 'error',
    fault: 'a MachineConfig writes a name to /etc/hostname that differs from hostname in sno-config.yaml',
    why: 'The certificates of etcd and the kubelet contain the name of the live system, and the installed node would register under the other name.',
    fix: 'Remove the file from the MachineConfig, or set hostname to the same name.',
  },
  'manifest/hostname-not-live': {
    severity: 'warning',
    fault: 'a MachineConfig writes /etc/hostname, but sno-config.yaml has no hostname',
    why: 'The certificates of etcd and the kubelet contain the name of the live system, which comes from DHCP or DNS. If the MachineConfig writes another name, the certificates do not match the installed node.',
    fix: 'Set hostname in sno-config.yaml, and remove the file from the MachineConfig.',
  },
  'manifest/mirror-not-live': {
    severity: 'warning',
    fault: 'a manifest has mirrors of the release that install-config.yaml does not have',
    why: 'The live system reads mirrors only from install-config.yaml, so it pulls the release from the source. In a disconnected network the installation never starts.',
    fix: 'Copy the sources and their mirrors to `imageDigestSources` of install-config.yaml. They also apply to the installed node.',
  },
  'manifest/unbootable': {
    severity: 'error',
    fault: 'a MachineConfig leaves the node without a working boot disk or network',
    why: 'The node stops at its first boot from the disk or comes up without its network.',
    fix: 'Follow the hint.',
  },
  'manifest/node-setting': {
    severity: 'warning',
    fault: 'a setting in a MachineConfig has no effect after a boot',
    why: 'The node boots without the setting.',
    fix: 'Follow the hint.',
  },
  'manifest/extension': {
    severity: 'error',
    fault: 'the machine config operator of the release does not support this extension',
    why: 'The operator rejects the configuration of the whole pool, and the node never gets it.',
    fix: 'Use a supported extension, or install the package in a custom OS image.',
  },
  'manifest/operator-config': {
    severity: 'error',
    fault:
      'the machine-config operator or the kubelet refuses a value of a KubeletConfig, ContainerRuntimeConfig, MachineConfigPool or PerformanceProfile',
    why: "The operator's bootstrap ends with an error, so the node never gets its configuration and the disk is never written. With a value that only the kubelet refuses, the installed node never joins.",
    fix: 'Remove the field, or follow the hint.',
  },
  'manifest/image-config': {
    severity: 'error',
    fault: 'the machine-config operator refuses an Image config, image policy or mirror set',
    why: 'Its bootstrap ends with an error, so the node never gets its configuration and the disk is never written.',
    fix: 'Follow the hint.',
  },
  'manifest/image-registries': {
    severity: 'warning',
    fault: 'an Image config or image policy makes the node reject images of the release',
    why: 'CRI-O compares the original name of an image with the lists and policies, also if a mirror serves it. After the reboot the node cannot pull the images of the cluster.',
    fix: 'Allow the repositories of the release, such as quay.io/openshift-release-dev.',
    example: ['spec:', '  registrySources:', '    allowedRegistries: [quay.io, registry.redhat.io]'].join(
      '\n',
    ),
  },
  'manifest/pool-config-twice': {
    severity: 'error',
    fault: 'a pool has more than one KubeletConfig or ContainerRuntimeConfig',
    why: 'The machine-config operator accepts one of each per pool during the bootstrap, and ends with an error at the second. kubelet.gracefulShutdown of sno-config.yaml and each PerformanceProfile become a KubeletConfig too.',
    fix: 'Merge them into one. For a PerformanceProfile, write further kubelet settings into its annotation kubeletconfig.experimental.',
    example: [
      'kind: PerformanceProfile',
      'metadata:',
      '  annotations:',
      '    kubeletconfig.experimental: \'{"maxPods": 300}\'',
    ].join('\n'),
  },
  'manifest/performance-profile': {
    severity: 'error',
    fault: 'the node tuning operator refuses a PerformanceProfile',
    why: 'The operator rejects the whole profile: the bootstrap stops, or the node runs without its tuning.',
    fix: 'Follow the hint.',
    example: ['spec:', '  cpu:', '    reserved: 0-1,32-33', '    isolated: 2-31,34-63'].join('\n'),
  },
  'manifest/network-policy': {
    severity: 'error',
    fault: 'nmstate refuses the desired state of a NodeNetworkConfigurationPolicy',
    why: 'The API server accepts the policy, but the node applies none of it, and the policy is Degraded.',
    fix: 'Follow the hint. `manifestChecks: warn` in sno-config.yaml accepts such policies with a warning, for newer releases of nmstate.',
    example: [
      'desiredState:',
      '  interfaces:',
      '    - name: bond0.100-storage  # wrong: longer than 15 characters',
      '    - name: bond0.100          # right',
    ].join('\n'),
  },
  'manifest/cpu-sets': {
    severity: 'warning',
    fault: 'two manifests use the same CPUs of the node for different purposes',
    why: 'CPUs for the platform and isolated CPUs must not overlap, and workload partitioning must reserve the CPUs in cpu.reserved of the PerformanceProfile. Otherwise workloads and platform disturb each other, or pods are not admitted.',
    fix: 'Write the same CPUs in all manifests, or remove those that the PerformanceProfile replaces.',
  },
  'manifest/kubelet-field': {
    severity: 'warning',
    fault: 'a KubeletConfig sets a field that the kubelet of the release does not have',
    why: 'The machine-config operator drops the field, and the node runs without the setting.',
    fix: 'Correct the name. The fields: kubernetes.io/docs/reference/config-api/kubelet-config.v1beta1.',
  },
  'manifest/machine-config-role': {
    severity: 'warning',
    fault: 'a MachineConfig has no role label, or a role that no node has',
    why: 'The MachineConfig is created but has no effect.',
    fix: 'Set the label machineconfiguration.openshift.io/role to master for the single node.',
    example: [
      'metadata:',
      '  name: 99-master-example',
      '  labels:',
      '    machineconfiguration.openshift.io/role: master',
    ].join('\n'),
  },
  'manifest/selects-no-node': {
    severity: 'warning',
    fault:
      'a selector in a PerformanceProfile, KubeletConfig, ContainerRuntimeConfig, Tuned, IngressController or pod does not match the single node',
    why: 'The node has the roles master and worker, and its MachineConfigPool is master. Settings for the pool worker or for infra nodes have no effect, and such pods stay pending.',
    fix: 'Select the pool or role master, or remove the selector.',
    example: ['nodeSelector:', '  node-role.kubernetes.io/master: ""'].join('\n'),
  },
  'manifest/machine-config-name': {
    severity: 'error',
    fault: 'the machine config operator generates a MachineConfig with this name',
    why: 'The operator would replace your MachineConfig with its own.',
    fix: 'Rename it to 99-master-<topic>.',
  },
  'manifest/machine-config-conflict': {
    severity: 'error',
    fault: 'a MachineConfig writes a file or unit that the installation adds to the node',
    why: 'The installation would fail at the duplicate after the bootstrap, before it writes the disk.',
    fix: 'Use another path, or another name for the unit. docs/boot-flow.md and `bootstrap-in-place/node-files.list` list the reserved paths and units.',
  },
  'manifest/kernel-type': {
    severity: 'error',
    fault: 'kernelType of a MachineConfig is not default, realtime or 64k-pages',
    why: 'The machine config operator rejects the configuration of the whole pool, and the node never gets it.',
    fix: 'Use one of the three values, or remove the field.',
  },
  'manifest/ignition-version': {
    severity: 'error',
    fault:
      'the Ignition config in a MachineConfig has no spec version, or one that the release does not read',
    why: 'The machine config operator rejects the configuration of the whole pool, and the node never gets it.',
    fix: 'Write it for spec 3.2.0, which every release reads. Configs of spec 2.2.0 are converted; those of other 2.x versions are not.',
    example: ['spec:', '  config:', '    ignition: { version: 3.2.0 }'].join('\n'),
  },
  'manifest/ignition-feature': {
    severity: 'error',
    fault: 'the Ignition config in a MachineConfig uses a feature newer than spec 3.2.0',
    why: 'The live system requests the configuration of the node in spec 3.2.0, which cannot express newer features.',
    fix: 'Use the replacement in the hint, or apply the MachineConfig when the cluster is up.',
  },
  'manifest/ignition-unsupported': {
    severity: 'error',
    fault:
      'the Ignition config in a MachineConfig uses a feature that the machine config operator does not support',
    why: 'The operator rejects it and reports the node as degraded.',
    fix: 'Use the replacement in the hint.',
  },
  'manifest/ignition-invalid': {
    severity: 'error',
    fault: 'the Ignition config in a MachineConfig does not conform to its spec',
    why: 'The machine config operator rejects the configuration of the whole pool, and the node never gets it.',
    fix: 'Correct the field. The fields of each spec: coreos.github.io/ignition, "Configuration Specifications".',
  },
  'manifest/ignition-lost': {
    severity: 'warning',
    fault: 'a field of the Ignition config in a MachineConfig has no effect',
    why: 'Ignition silently ignores fields that are not in its spec, and systemd ignores unknown settings.',
    fix: 'Correct a misspelled name, move the field to its proper place, or remove it.',
  },
  'manifest/os-image-stream': {
    severity: 'warning',
    fault: 'osImageStream is set, but the release has no OS image streams',
    why: 'Releases without OS image streams reject the object, so sno-install omits it.',
    fix: 'Remove osImageStream from install-config.yaml, or choose another release.',
  },
  'manifest/release-version-unknown': {
    severity: 'warning',
    fault:
      'the version of the release is unknown: the release image has no version tag, and releaseVersion is not set',
    why: 'The cluster gets no update channel, and objects that only some releases support are omitted.',
    fix: 'Set releaseVersion in sno-config.yaml.',
  },
} as const satisfies CodeTable;
