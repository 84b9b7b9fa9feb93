import type { Fault } from './fault.js';

/** Faults of the temporary control plane, up to the point where the cluster's objects are created. */
export const controlPlaneFaults: readonly Fault[] = [
  {
    id: 'tool-flag-unknown',
    title: 'a tool of the release does not support a required flag',
    stages: 'any',
    signs: [
      {
        script: 'bootkube-tools.sh',
        says: '*: this release does not know *, without which it cannot be run',
      },
      {
        program: 'a tool of the payload',
        says: /unknown flag: --|flag provided but not defined: -/,
        source: 'github.com/spf13/pflag flag.go; Go flag/flag.go',
      },
    ],
    cause: 'The release is newer than this version of sno-install supports.',
    fix: 'Use a release listed by `sno-install version`, or a newer sno-install; report the line.',
  },
  {
    id: 'tool-does-not-start',
    title: 'a tool of the release cannot be started',
    stages: 'any',
    signs: [{ script: 'bootkube-tools.sh', says: '*: cannot ask the image * for its flags: *' }],
    cause:
      'podman cannot run containers: storage or memory is short, or the image is for another architecture.',
    fix: 'On the node: `sudo podman run --rm IMAGE --help`.',
  },
  {
    id: 'kubelet-does-not-start',
    title: 'the kubelet stops at once',
    stages: ['wait-for-machine'],
    signs: [
      {
        program: 'kubelet',
        says: /"command failed" err="(?!.*validate service connection)|[Ff]ailed to run [Kk]ubelet" err="(?!.*validate service connection)|failed to load [Kk]ubelet config file/,
        source: 'Kubernetes cmd/kubelet/app/server.go and component-base/cli/run.go',
        unit: 'kubelet',
        isRecent: true,
      },
    ],
    cause: 'Its configuration or a flag is refused; the line has the reason.',
    fix: 'Correct the file or the MachineConfig that changes the configuration of the kubelet, and create the Ignition config again.',
    isNormalAtFirst: true,
  },
  {
    id: 'crio-does-not-start',
    title: 'CRI-O stops at once',
    stages: ['wait-for-machine', 'api', 'node-ready'],
    signs: [
      {
        program: 'crio',
        says: /level=fatal msg=/,
        source: 'github.com/cri-o/cri-o cmd/crio/main.go, logrus.Fatal',
        unit: 'crio',
        isRecent: true,
      },
    ],
    cause: 'Its configuration or storage is refused; the line has the reason.',
    fix: 'Correct the file below /etc/crio that the line names: a ContainerRuntimeConfig, a MachineConfig or a runtime class of the cluster writes it.',
    isNormalAtFirst: true,
  },
  {
    id: 'container-runtime-down',
    title: 'CRI-O or the kubelet does not run',
    stages: ['wait-for-machine'],
    signs: [{ script: 'bootkube.sh', waitsFor: 'CRI-O and the kubelet to run' }],
    cause: 'They are missing in the live ISO and the overlay, or fail to start.',
    fix: 'Read bootstrap/journals/kubelet.log, crio.log and node-image-pull.log; boot the live ISO of the same release.',
  },
  {
    id: 'control-plane-files-missing',
    title: 'files that the installer rendered are missing',
    stages: 'any',
    signs: [
      { script: 'bootkube-control-plane.sh', says: 'SNO_RENDER is Installer, but */* is missing' },
      { script: 'sno-control-plane.sh', says: 'SNO_RENDER is Installer, but * is missing' },
      { script: 'bootkube-control-plane.sh', says: '* has no static pod of etcd' },
    ],
    cause: 'Files below /opt/openshift were removed, or the Ignition config is incomplete.',
    fix: 'Recreate the Ignition config and boot with it.',
  },
  {
    id: 'control-plane-not-filled',
    title: 'the rendered control plane cannot be completed on the node',
    stages: ['etcd-bootstrap'],
    signs: [
      {
        script: 'sno-control-plane.sh',
        says: 'the rendered control plane asks for *, which this node does not know',
      },
      {
        script: 'sno-control-plane.sh',
        says: 'the release payload gave no feature gates: * lists none in its status',
      },
      { script: 'sno-control-plane.sh', says: 'openssl cannot issue the certificate *' },
      { script: 'sno-control-plane.sh', says: 'openssl cannot read the certificate *' },
      { script: 'sno-control-plane.sh', says: 'keys of the algorithm * cannot be made here' },
      { script: 'sno-control-plane.sh', says: 'openssl cannot make a key' },
    ],
    cause:
      'The Ignition config and its scripts come from different versions of sno-install, its signer certificates have expired, or the release lists no feature gates.',
    fix: 'Recreate the Ignition config with one version of sno-install, or set controlPlane.render: Release.',
  },
  {
    id: 'machine-config-operator-refuses',
    title: 'the machine-config operator refuses its inputs',
    stages: ['mco-bootstrap', 'fetch-master-ignition'],
    signs: [
      {
        program: 'machine-config-operator',
        says: /error rendering bootstrap manifests: |error running MCC\[BOOTSTRAP\]: |illegal base64 data at input byte/,
        source:
          'openshift/machine-config-operator cmd/machine-config-operator/bootstrap.go and cmd/machine-config-controller/bootstrap.go',
      },
    ],
    cause:
      'A MachineConfig, another object of the operator, or the pull secret (an auth that is not base64) is invalid; the line has the reason.',
    fix: 'Correct it in manifests/ or install-config.yaml, and create the Ignition config again.',
  },
  {
    id: 'etcd-unhealthy',
    title: 'etcd does not become healthy',
    stages: ['wait-for-etcd'],
    signs: [{ script: 'bootkube.sh', waitsFor: 'etcd to be healthy' }],
    cause: 'Its static pod does not start, or its certificates are for another name or address.',
    fix: "Read etcd's log in bootstrap/containers and bootstrap/journals/kubelet.log.",
  },
  {
    id: 'manifests-not-loaded',
    title: 'cluster-bootstrap cannot load a manifest and creates none',
    stages: ['cb-bootstrap'],
    signs: [
      {
        program: 'cluster-bootstrap',
        says: /Assert creation failed: failed to load some manifests|unable to (?:decode|convert) asset "/,
        source:
          'openshift/cluster-bootstrap pkg/start/start.go, openshift/library-go pkg/assets/create/creater.go',
      },
      { script: 'bootkube.sh', says: 'cluster-bootstrap created no manifests: *' },
    ],
    cause:
      'A file of manifests/ contains no single Kubernetes object, for example a list or an object with a top-level field "items".',
    fix: 'Correct the file that the line names and create the Ignition config again; validate rejects such files.',
  },
  {
    id: 'manifest-never-created',
    title: 'a manifest cannot be created in the cluster',
    stages: ['cb-bootstrap'],
    signs: [
      {
        program: 'cluster-bootstrap',
        says: /timed out creating manifests|failed to create some manifests|Failed to create "/,
        source:
          'openshift/cluster-bootstrap pkg/start/start.go, openshift/library-go pkg/assets/create/creater.go',
      },
      {
        program: 'cluster-bootstrap',
        says: /unable to get REST mapping for/,
        source: 'openshift/library-go pkg/assets/create/creater.go',
      },
      { script: 'bootkube.sh', says: 'cluster-bootstrap did not create all manifests, missing *' },
    ],
    cause:
      'The API server rejects an extra manifest, or its kind belongs to an operator that does not run during the bootstrap.',
    fix: 'Find the file in bootkube.log and correct it, or remove it from manifests/ and apply it after the installation.',
  },
  {
    id: 'bootstrap-api-absent',
    title: 'the API server of the bootstrap does not come up',
    stages: ['cb-bootstrap'],
    signs: [
      {
        program: 'cluster-bootstrap',
        says: /time out waiting for Kubernetes API/,
        source: 'openshift/cluster-bootstrap pkg/start/bootstrap.go, waitForApi',
      },
    ],
    cause: 'Its image is still being pulled, its configuration is wrong, or etcd does not answer.',
    fix: "Read kube-apiserver's log in bootstrap/containers and bootstrap/bootstrap-control-plane.",
  },
  {
    id: 'cluster-bootstrap-failed',
    title: 'cluster-bootstrap failed',
    stages: ['cb-bootstrap'],
    signs: [{ script: 'bootkube.sh', says: 'cluster-bootstrap ended with status *' }],
    cause: 'See the lines before for the reason; status 124 means that it took more than 90 minutes.',
    fix: 'Read bootstrap/journals/bootkube.log and the logs in bootstrap/containers.',
    isGeneral: true,
  },
  {
    id: 'api-does-not-stop',
    title: 'the API server of the bootstrap does not stop',
    stages: ['etcd-snapshot'],
    signs: [{ script: 'bootstrap-in-place.sh', says: 'the API server of the bootstrap does not stop' }],
    cause: 'CRI-O does not answer, or the kubelet does not notice that the static pod is gone.',
    fix: 'On the node: `sudo crictl ps`, `sudo systemctl restart kubelet`; the stage is retried automatically.',
  },
  {
    id: 'etcd-does-not-stop',
    title: 'etcd does not stop',
    stages: ['stop-etcd'],
    signs: [{ script: 'bootstrap-in-place.sh', says: 'etcd does not stop' }],
    cause: 'CRI-O does not answer, or the kubelet does not notice that the static pod is gone.',
    fix: 'On the node: `sudo crictl ps`, `sudo systemctl restart kubelet`; the stage is retried automatically.',
  },
  {
    id: 'bootstrap-too-long',
    title: 'the bootstrap takes more than six hours',
    stages: ['wait-for-bootkube'],
    signs: [{ script: 'install-to-disk.sh', waitsFor: 'bootkube to prepare the disk' }],
    cause: 'A stage of bootkube fails repeatedly.',
    fix: 'Read bootstrap/journals/bootkube.log.',
    isGeneral: true,
  },
  {
    id: 'kernel-arguments-left-out',
    title: 'the kernel arguments of the node tuning operator could not be rendered',
    stages: 'any',
    signs: [
      {
        script: 'sno-common.sh',
        says: 'stage * failed, which does not stop the installation',
        because: /stage cmdbootline-nto-bootstrap/,
      },
    ],
    cause: 'The operator could not evaluate its profiles in the live system.',
    fix: 'No action needed: the operator sets them later, with one more reboot.',
    weight: 'note',
  },
];
