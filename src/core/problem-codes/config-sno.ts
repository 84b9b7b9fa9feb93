import type { CodeTable } from './entry.js';

/** Problems of sno-config.yaml, and of the release named there or in the environment. */
export const snoConfigCodes = {
  'config/hostname': {
    severity: 'error',
    fault: 'hostname is localhost, or not a lower-case domain name of at most 63 characters',
    why: 'The hostname becomes the name of the node, a label of its objects and part of its certificates.',
    fix: 'Write a name such as `node-1` or `node-1.site.example.com`.',
    example: ['hostname: Node_1  # wrong: upper case and an underscore', 'hostname: node-1  # right'].join(
      '\n',
    ),
  },
  'config/node-ip': {
    severity: 'error',
    fault:
      'nodeIP is not a host address in a machine network, or not of the family of the first service network',
    why: 'etcd and the API server listen on this address, and their certificates contain it.',
    fix: 'Write the address that the node has in its machine network.',
    example: [
      'nodeIP: 192.168.126.0   # wrong: the address of the network',
      'nodeIP: 192.168.126.10  # right',
    ].join('\n'),
  },
  'config/node-label': {
    severity: 'error',
    fault:
      'a label of nodeLabels is malformed, or the kubelet cannot set it, or the kubelet of the release sets no labels',
    why: 'The kubelet does not start with such a label, or the API server rejects the node.',
    fix: 'Remove the label, and set it when the node is up: `oc label node NODE KEY=VALUE`.',
    example: [
      'nodeLabels:',
      "  node-role.kubernetes.io/infra: ''    # wrong: a label of Kubernetes that no node sets itself",
      '  topology.kubernetes.io/zone: rack-1  # right',
      '  example.com/site: paris              # right',
    ].join('\n'),
  },
  'config/reference': {
    severity: 'error',
    fault:
      'pullSecretFile, sshKeyFile or a field of certificates.authority refers to a file or variable that cannot be read',
    why: 'sno-install reads the value from there. Paths are relative to the directory of the config, and only one field can use stdin.',
    fix: 'Write the path of a regular file of at most 1 MiB, `env:NAME` for an exported variable, or `-` for stdin.',
    example: 'pullSecretFile: env:PULL_SECRET',
  },
  'config/authority': {
    severity: 'error',
    fault:
      'certificates.authority is not a CA certificate with its key and chain, or the certificates it signs would be rejected',
    why: 'Most programs would reject the certificates only on the node. Possible reasons: basicConstraints or keyCertSign is missing, the path length, dates, usages or name constraints do not fit, or a signature is weak.',
    fix: 'Put the certificate of the authority first, then those of the authorities that issued it. If the message names a missing property, have the certificate issued again with it. `openssl x509 -text` shows the properties.',
  },
  'config/root-device-hints': {
    severity: 'error',
    fault: 'rootDeviceHints has no hint, or a hint that no disk can match',
    why: 'The node installs to the disk that all hints match. It stops if that is not exactly one disk.',
    fix: 'Write at least one hint. `lsblk --output NAME,SIZE,MODEL,VENDOR,SERIAL,WWN,HCTL,ROTA` in the live system prints the values.',
    example: ['rootDeviceHints:', '  serialNumber: S6ESNX0R100123', '  minSizeGigabytes: 480'].join('\n'),
  },
  'config/root-device-hint-form': {
    severity: 'warning',
    fault: 'a hint of rootDeviceHints is written as no disk has it',
    why: 'The node compares hints with the values that lsblk prints. BMCs and hypervisors write the same names in other forms.',
    fix: 'Write the value as `lsblk --output NAME,SIZE,MODEL,VENDOR,SERIAL,WWN,HCTL` prints it in the live system.',
    example: [
      'rootDeviceHints:',
      '  wwn: naa.5000c500a1b2c3d4  # wrong: matches no disk',
      "  wwn: '0x5000c500a1b2c3d4'  # right",
    ].join('\n'),
  },
  'config/disk-encryption': {
    severity: 'error',
    fault:
      'diskEncryption has nothing that unlocks the disk, too large a threshold, or a malformed Tang server',
    why: 'The first boot of the node would stop when it encrypts the disk, after the live system is gone.',
    fix: 'Write `tpm2: true` or Tang servers with URL and thumbprint, and a threshold of at most their number.',
    example: [
      'diskEncryption:',
      '  tang:',
      '    - url: http://tang.example.com:7500',
      '      thumbprint: o6U9qKv0_XdugefJV3q_NknYTY4Xgw27kcUnErkrVCY',
    ].join('\n'),
  },
  'config/tang-network': {
    severity: 'error',
    fault:
      'the node has static addresses, and no kernel argument configures the network for its Tang servers',
    why: 'The disk is unlocked in the initramfs, which cannot read network of sno-config.yaml: without `ip=` it uses DHCP. The node would wait for a passphrase at each boot.',
    fix: 'Write the address of the node as kernel arguments too.',
    example: [
      'kernelArguments:',
      '  - ip=192.168.126.10::192.168.126.1:24:node-1:eno1:none',
      '  - nameserver=192.168.126.1',
    ].join('\n'),
  },
  'config/tang-tls': {
    severity: 'warning',
    fault: 'the URL of a Tang server starts with https',
    why: 'The initramfs has only the CAs of the CoreOS image. With a certificate of another CA, the node would wait for a passphrase at each boot.',
    fix: 'Use http: the Tang protocol itself protects the key. Keep https only with a certificate of a public CA.',
  },
  'config/saved-partition': {
    severity: 'error',
    fault: 'a label pattern or an index of coreosInstaller is malformed, or includes the operating system',
    why: 'The installation keeps these partitions and replaces all others. A partition of the previous operating system would be in its way.',
    fix: 'Write patterns that match the labels of your own partitions, or indexes from 5 on. `sudo sgdisk --print DISK` lists both.',
    example: [
      "savePartitionLabels: ['*']      # wrong: also matches root",
      "savePartitionLabels: ['data*']  # right",
    ].join('\n'),
  },
  'config/given-twice': {
    severity: 'error',
    fault:
      'the pull secret, the SSH keys or the installation disk are set in install-config.yaml and also in sno-config.yaml, or the disk in the environment too',
    why: 'It is unclear which of the two values you want.',
    fix: 'Remove `pullSecret`, `sshKey` or `bootstrapInPlace` from install-config.yaml, or `pullSecretFile`, `sshKeyFile` or `rootDeviceHints` from sno-config.yaml.',
  },
  'config/release-image': {
    severity: 'error',
    fault:
      'the release image is not a pull spec with a registry and a tag or digest, or its digest is a placeholder',
    why: 'The node pulls exactly this image; without a tag it would pull whatever is newest.',
    fix: 'Write the full pull spec with a tag or, better, its digest.',
    example: 'releaseImage: quay.io/openshift-release-dev/ocp-release:4.21.0-x86_64',
  },
  'config/release-version': {
    severity: 'error',
    fault:
      'releaseVersion does not begin with <major>.<minor>, contradicts the tag of the release image or of OPENSHIFT_INSTALL_RELEASE_IMAGE_OVERRIDE, or is set without releaseImage for another release than the default',
    why: 'The node needs different files and settings for each release.',
    fix: 'Remove releaseVersion if the tag contains the version; otherwise write the version of the image.',
  },
  'config/release-overridden': {
    severity: 'warning',
    fault:
      'OPENSHIFT_INSTALL_RELEASE_IMAGE_OVERRIDE selects another version than releaseImage of sno-config.yaml',
    why: 'The image in the environment is installed, and a run without the variable gives other outputs.',
    fix: 'Unset the variable, or write its image as releaseImage.',
  },
  'config/release-architecture': {
    severity: 'error',
    fault: 'the release image is for another architecture than controlPlane',
    why: 'The node cannot run programs of another architecture.',
    fix: 'Change controlPlane.architecture, or use the release image for it.',
  },
  'config/release-okd': {
    severity: 'warning',
    fault: 'the live system of this OKD release does not get oc and the kubelet from the payload',
    why: 'Older OKD releases boot from Fedora CoreOS and rebase it, which a live system cannot do. The bootstrap fails with "oc: command not found".',
    fix: 'Install the release that the hint names, or a later one, from the live ISO of CentOS Stream CoreOS.',
  },
  'config/release-untested': {
    severity: 'warning',
    fault: 'sno-install was not tested with this release',
    why: 'docs/releases.md lists the tested releases. With another release, a step of the installation may fail.',
    fix: 'Use a release in docs/releases.md, or expect to debug the installation.',
  },
  'config/render-unavailable': {
    severity: 'error',
    fault:
      '`controlPlane.render: Installer` is set for a release that does not support it, or together with a feature set or platform external',
    why: 'Flags, feature gates and objects of the control plane differ between releases, and a wrong one prevents its start. docs/releases.md lists the releases with `render: Installer`.',
    fix: 'Remove the field, write `render: Release`, or set `releaseVersion`.',
  },
  'config/render-preview': {
    severity: 'warning',
    fault:
      '`render control-plane` shows a control plane that the operators of the release render on the node',
    why: 'The files are those that sno-install renders: the shape of the revision 1 of the operators. Their bootstrap pods and certificates differ.',
    fix: 'Use the tree for review. `controlPlane.render: Installer` installs exactly these files.',
  },
  'config/render-unproven': {
    severity: 'warning',
    fault: 'controlPlane.render is Installer, which has not been tested with a complete cluster',
    why: 'The API server and etcd of real releases started with the rendered files, and the operators read them, one program at a time. No complete cluster has been installed with it.',
    fix: 'Remove the field for machines that matter; docs/control-plane.md lists the tests.',
  },
  'config/image-references': {
    severity: 'error',
    fault: 'the file of imageReferences is missing or does not list the images of a release',
    why: 'This file lists the images of the static pods.',
    fix: 'Write the file with `oc adm release info RELEASE --output=json`, or remove imageReferences: the node then reads the images from the release.',
  },
  'config/duration': {
    severity: 'error',
    fault: 'a duration is not a list of whole numbers with units, or is outside the range of its field',
    why: 'Certificates that expire too soon stop the installation; very long ones are never renewed.',
    fix: 'Use s, m, h, d, w or y (365 days), larger units first, such as 720h, 30d or 1h30m.',
    example: ['total: 1.5m  # wrong: not a whole number', 'total: 90s   # right'].join('\n'),
  },
  'config/graceful-shutdown': {
    severity: 'error',
    fault: 'criticalPods is not shorter than total',
    why: 'criticalPods is a part of total. The kubelet does not start with other values.',
    fix: 'Write a shorter `criticalPods` or a longer `total`.',
    example: ['kubelet:', '  gracefulShutdown:', '    total: 5m', '    criticalPods: 1m'].join('\n'),
  },
  'config/local-dns': {
    severity: 'error',
    fault: 'dns.local is set without nodeIP',
    why: 'The DNS server of the node returns this address for api, api-int and *.apps.',
    fix: 'Set `nodeIP` to the address of the node.',
  },
  'config/ntp-source': {
    severity: 'error',
    fault: 'a time server is not a domain name or an IP address',
    why: 'The value becomes a server line of chrony.conf.',
    fix: 'Write only the name or address, without options or a scheme.',
    example: [
      'ntpSources: ["ntp://time.example.com"]  # wrong',
      'ntpSources: ["time.example.com"]        # right',
    ].join('\n'),
  },
  'config/report': {
    severity: 'error',
    fault:
      'report.url is not an https URL without user, query and fragment, or report.caBundle contains no valid certificates',
    why: 'The node sends the token of its site to this URL. It does not connect to a server with an untrusted certificate.',
    fix: 'Write the URL of the report server, and in caBundle the authority that signs its certificate.',
  },
  'config/kernel-argument': {
    severity: 'error',
    fault: 'a kernel argument contains blanks or quotes',
    why: 'The kernel splits its command line at blanks.',
    fix: 'Write each argument as a separate list item.',
    example: [
      'kernelArguments: ["console=tty0 console=ttyS0"]    # wrong',
      'kernelArguments: ["console=tty0", "console=ttyS0"]  # right',
    ].join('\n'),
  },
  'config/path': {
    severity: 'error',
    fault: 'a path in sno-config.yaml is empty or contains control characters',
    why: 'The file cannot be found.',
    fix: 'Write the path relative to the directory of the config.',
  },
} as const satisfies CodeTable;
