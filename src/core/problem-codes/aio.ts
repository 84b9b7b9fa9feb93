import type { CodeTable } from './entry.js';

/** Problems of an all-in-one control plane: its fields in sno-config.yaml, and missing requirements on the machine. */
export const aioCodes = {
  'config/kubernetes-version': {
    severity: 'error',
    rule: 'controlPlane.kubernetesVersion is a version such as 1.36.3',
    why: 'Images and flags of the control plane follow from it.',
    fix: 'Write major, minor and patch, without a leading "v".',
  },
  'config/kubernetes-untested': {
    severity: 'warning',
    rule: 'controlPlane.kubernetesVersion is one whose flags sno-install knows',
    why: 'The flags of other versions are not known here: one that is gone keeps its program from starting.',
    fix: 'Take one of these versions, or look at the arguments in the static pods before you boot the machine.',
  },
  'config/image': {
    severity: 'error',
    rule: 'an image is a pull spec with its registry and a tag or a digest',
    why: 'The machine pulls exactly this; without a tag it would pull whatever is newest.',
    fix: 'Write `registry.k8s.io/etcd:3.6.8-0`, or the digest of it.',
  },
  'config/extra-argument': {
    severity: 'error',
    rule: 'an extra argument is a flag without dashes and a list of at least one value, each on one line',
    why: 'It becomes `--flag=value` on the command line of its program.',
    fix: 'Write `audit-log-maxage: ["30"]`.',
  },
  'config/certificate-lifetimes': {
    severity: 'error',
    rule: 'leaves hold at most half as long as the authorities that sign them',
    why: 'A certificate ends with its authority at the latest, so that the last renewals would bring nothing.',
    fix: 'Make `controlPlane.certificates.leaves` shorter, or `signers` longer.',
  },
  'config/fetched-file': {
    severity: 'error',
    rule: 'a file to fetch has a plain absolute path of its own, an https URL without a password, one hash of the right length, and octal permissions',
    why: 'Ignition stops the first boot at a file that it cannot fetch or whose hash differs.',
    fix: 'Write path, url and sha256; `sha256sum FILE` prints the hash, and https://dl.k8s.io has one beside each program (`.sha256`).',
  },
  'config/file-mirror': {
    severity: 'error',
    rule: 'a mirror of the files is an https URL of a folder, without user, password and query',
    why: 'The machine fetches each file from below it at its first boot; Ignition shows the URL in its log.',
    fix: 'Write `mirror: https://mirror.example.com/files`.',
  },
  'config/fetched-file-architecture': {
    severity: 'error',
    rule: 'programs to fetch are for the architecture of controlPlane',
    why: 'No program of another architecture runs on the machine.',
    fix: 'Take the URL and the hash for controlPlane.architecture.',
  },
  'config/fetched-file-version': {
    severity: 'error',
    rule: 'the kubelet is of the minor version of Kubernetes or at most three older, kubectl at most one away',
    why: 'A kubelet that is newer than the API server is not supported, and neither is one that is much older.',
    fix: 'Take the program of `controlPlane.kubernetesVersion`.',
  },
  'aio/missing-program': {
    severity: 'error',
    rule: 'the hash of each program that the operating system lacks is known, or the program is named in aio.files',
    why: 'Fedora CoreOS has a container runtime and nothing of Kubernetes: without kubelet, kubectl and CNI plugins the machine boots and never becomes a node. Hashes are known of the newest patch of each minor of Kubernetes, for amd64, arm64 and ppc64le; nothing is fetched without one.',
    fix: 'Take a `controlPlane.kubernetesVersion` whose hashes are known, or add the entry that the hint shows to `aio.files` of sno-config.yaml, with the hash of the file.',
  },
  'aio/perhaps-missing-program': {
    severity: 'warning',
    rule: 'what some images of the operating system lack is named in aio.files, or an image is booted that has it',
    why: 'Images of RHCOS of older releases have a kubelet, later ones are plain (docs/releases.md): on those the machine boots and never becomes a node. Which image will be booted is not known here.',
    fix: 'Boot an image that has it, or add the entry that the hint shows to `aio.files` of sno-config.yaml, with its hash.',
  },
  'aio/offline-files': {
    severity: 'error',
    rule: '--offline-files is the https URL of a mirror, or a folder that holds what is served at aio.mirror, each file as its hash says',
    why: 'The machine fetches what it lacks at its first boot, by URL: a folder of this machine is out of its reach, and a file with another hash stops the boot.',
    fix: 'Serve a folder that `wget --force-directories` filled, give its URL, or write it to `aio.mirror` and let `--offline-files DIR` check the folder.',
  },
  'aio/missing-image': {
    severity: 'error',
    rule: 'with distribution OpenShift every image comes from the file of imageReferences, or stands in controlPlane.images',
    why: 'Nothing on the machine asks the payload: the pull specs stand in the static pods.',
    fix: 'Write `oc adm release info RELEASE --output=json` into a file and name it in `imageReferences`.',
  },
  'aio/image-by-tag': {
    severity: 'warning',
    rule: 'with controlPlane.imagesByDigest each image is named by digest',
    why: 'A registry can give other bytes for the same tag on another day; a digest is that of the bytes.',
    fix: 'Name the image in `controlPlane.images` as `registry.k8s.io/etcd@sha256:…`; the hint has the command that prints the digest.',
  },
  'aio/ignored-setting': {
    severity: 'warning',
    rule: 'settings have an effect on an all-in-one control plane',
    why: 'What is written is not what happens.',
    fix: 'Do what the hint says, or take the setting out.',
  },
} as const satisfies CodeTable;
