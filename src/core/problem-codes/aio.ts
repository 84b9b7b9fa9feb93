import type { CodeTable } from './entry.js';

/** Problems of an all-in-one control plane: its fields in sno-config.yaml, and missing requirements on the machine. */
export const aioCodes = {
  'config/kubernetes-version': {
    severity: 'error',
    fault: 'controlPlane.kubernetesVersion is not a version such as 1.36.3',
    why: 'The version decides the images and flags of the control plane.',
    fix: 'Write major, minor and patch version without a leading "v".',
  },
  'config/kubernetes-untested': {
    severity: 'warning',
    fault: 'the flags of controlPlane.kubernetesVersion are unknown to this version of sno-install',
    why: 'A program does not start with a flag that its version has removed.',
    fix: 'Use one of the versions in the message, or check the arguments in the static pods before you boot the machine.',
  },
  'config/image': {
    severity: 'error',
    fault: 'an image is not a pull spec with a registry and a tag or digest',
    why: 'The machine pulls exactly this image; without a tag it would pull whatever is newest.',
    fix: 'Write an image such as `registry.k8s.io/etcd:3.6.8-0`, or its digest.',
  },
  'config/extra-argument': {
    severity: 'error',
    fault: 'the name of an extra argument starts with a dash, or its value is not a list of one-line strings',
    why: 'Each list item becomes `--name=value` on the command line of the program.',
    fix: 'Write the name of the flag without dashes, and its values as a list.',
    example: [
      '--audit-log-maxage: 30    # wrong: has dashes, value is not a list',
      'audit-log-maxage: ["30"]  # right',
    ].join('\n'),
  },
  'config/certificate-lifetimes': {
    severity: 'error',
    fault: 'leaf certificates are valid for more than half the lifetime of their authorities',
    why: 'A certificate cannot outlive its authority, so the last renewals would have no effect.',
    fix: 'Make `controlPlane.certificates.leaves` shorter, or `signers` longer.',
  },
  'config/fetched-file': {
    severity: 'error',
    fault: 'an entry of aio.files has an invalid path, URL, hash or mode',
    why: 'The first boot fails if Ignition cannot download a file or its hash differs.',
    fix: 'Write an unused absolute path, an https URL without a password, one hash of the right length, and octal permissions. `sha256sum FILE` prints the hash; https://dl.k8s.io has one next to each program (`.sha256`).',
    example: [
      'aio:',
      '  files:',
      '    - path: /usr/local/bin/kubectl',
      '      url: https://dl.k8s.io/release/VERSION/bin/linux/amd64/kubectl',
      '      sha256: HASH  # 64 hexadecimal digits',
    ].join('\n'),
  },
  'config/file-mirror': {
    severity: 'error',
    fault: 'aio.mirror is not the https URL of a folder, or contains a user, password or query',
    why: 'The machine downloads each file from below this URL at its first boot, and Ignition writes the URL to its log.',
    fix: 'Write the URL of the folder, such as `https://mirror.example.com/files`.',
  },
  'config/fetched-file-architecture': {
    severity: 'error',
    fault: 'a program in aio.files is for another architecture than controlPlane',
    why: 'The machine cannot run programs of another architecture.',
    fix: 'Use the URL and the hash for controlPlane.architecture.',
  },
  'config/fetched-file-version': {
    severity: 'error',
    fault:
      'the kubelet is newer than Kubernetes or more than three minor versions older, or kubectl is more than one minor version away',
    why: 'Kubernetes does not support such combinations with its API server.',
    fix: 'Use the program of `controlPlane.kubernetesVersion`.',
  },
  'aio/missing-program': {
    severity: 'error',
    fault:
      'the operating system does not contain a program that the node needs, its hash is unknown, and aio.files does not name it',
    why: 'Fedora CoreOS has a container runtime, but no kubelet, kubectl or CNI plugins. Without them the machine boots and never becomes a node. Hashes are known for the newest patch of each Kubernetes minor version, for amd64, arm64 and ppc64le; nothing is downloaded without a hash.',
    fix: 'Use a `controlPlane.kubernetesVersion` whose hashes are known, or add the entry in the hint to `aio.files` of sno-config.yaml, with the hash of the file.',
  },
  'aio/image-without-programs': {
    severity: 'error',
    fault: 'the operating system of the release contains no container runtime and no kubelet',
    why: 'RHCOS and SCOS images of newer releases are plain CoreOS (docs/releases.md). The machine would boot and never become a node.',
    fix: 'Use an older release, or `distribution: Kubernetes` on Fedora CoreOS, whose missing programs are downloaded.',
  },
  'aio/offline-files': {
    severity: 'error',
    fault:
      '--offline-files is not the https URL of a mirror or a folder with an intact copy of every file that the machine downloads',
    why: 'The machine downloads missing programs by URL at its first boot. It cannot reach a folder of this machine, and a file with another hash stops the boot.',
    fix: 'Serve a folder that `wget --force-directories` filled and pass its URL. Or write the URL to `aio.mirror` and let `--offline-files DIR` check the folder.',
  },
  'aio/missing-image': {
    severity: 'error',
    fault:
      'with `distribution: OpenShift`, an image is in neither the file of imageReferences nor controlPlane.images',
    why: 'The static pods contain the pull specs; nothing on the machine looks them up in the release.',
    fix: 'Write the file with the command below and name it in `imageReferences`.',
    example: '$ oc adm release info RELEASE --output=json > image-references.json',
  },
  'aio/image-by-tag': {
    severity: 'warning',
    fault: 'controlPlane.imagesByDigest is set, but an image is named by tag',
    why: 'A registry can return different content for the same tag later; a digest always means the same content.',
    fix: 'Write the digest of the image in `controlPlane.images`; the hint contains the command that prints it.',
  },
  'aio/ignored-setting': {
    severity: 'warning',
    fault: 'a setting has no effect on an all-in-one control plane',
    why: 'The machine ignores the setting.',
    fix: 'Follow the hint, or remove the setting.',
  },
} as const satisfies CodeTable;
