import type { CodeTable } from './entry.js';

/** Problems of sno-config.yaml, and of the release named there or in the environment. */
export const snoConfigCodes = {
  'config/hostname': {
    severity: 'error',
    rule: 'hostname is a domain name in lower case of at most 63 characters, and not localhost',
    why: 'It becomes the name of the node, a label of its objects and part of its certificates.',
    fix: 'Write a name such as `node-1` or `node-1.site.example.com`.',
  },
  'config/node-ip': {
    severity: 'error',
    rule: 'nodeIP is an address for a host in a machine network, of the family of the first service network',
    why: 'etcd and the API server listen on it and have it in their certificates.',
    fix: 'Give the address that the node has in its machine network.',
  },
  'config/reference': {
    severity: 'error',
    rule: 'pullSecretFile, sshKeyFile and the fields of certificates.authority name something that can be read',
    why: 'The value stands there and nowhere else. Paths are relative to the directory of the config, and stdin has one reader.',
    fix: 'Write the path of a regular file of at most 1 MiB, `env:NAME` for a variable that is exported, or `-` for stdin.',
  },
  'config/authority': {
    severity: 'error',
    rule: 'certificates.authority is a chain of certificate authorities and the key of the first, whose certificates are believed',
    why: 'Programs would refuse what it signs, most of them only on the node: without basicConstraints or keyCertSign, beyond its path length, outside of its dates, usages and name constraints, or below weak signatures.',
    fix: 'Put the certificate of the authority first, then those above it; have it issued with what the message asks for. `openssl x509 -text` shows what it says.',
  },
  'config/given-twice': {
    severity: 'error',
    rule: 'pullSecret and sshKey stand in one place',
    why: 'Either could be the one that was meant.',
    fix: 'Take the field out of install-config.yaml, or the reference out of sno-config.yaml.',
  },
  'config/release-image': {
    severity: 'error',
    rule: 'a release is a pull spec with its registry and a tag or a digest',
    why: 'The node pulls exactly this; without a tag it would pull whatever is newest.',
    fix: 'Write `quay.io/openshift-release-dev/ocp-release:4.21.0-x86_64`, or the digest of it.',
  },
  'config/release-version': {
    severity: 'error',
    rule: 'releaseVersion is <major>.<minor>, with more parts if you like, and agrees with the tag of the release',
    why: 'What the node needs differs from release to release.',
    fix: 'Leave it out where the tag says the version.',
  },
  'config/release-architecture': {
    severity: 'error',
    rule: 'the release is for the architecture of controlPlane',
    why: 'No program of another architecture runs on the node.',
    fix: 'Change controlPlane.architecture, or take the release for it.',
  },
  'config/release-okd': {
    severity: 'warning',
    rule: 'a release of OKD is one whose live system gets oc and the kubelet from the payload',
    why: 'Older releases of OKD boot from Fedora CoreOS and rebase it, which no live system can do: the bootstrap ends with "oc: command not found".',
    fix: 'Install the release that the hint names, or a later one, from the live ISO of CentOS Stream CoreOS.',
  },
  'config/release-untested': {
    severity: 'warning',
    rule: 'the release is one of those that sno-install is made for',
    why: 'The scripts of the live system are written for what these releases hold; docs/releases.md lists them.',
    fix: 'Expect that steps may have to be mended, or take a release of these.',
  },
  'config/render-unavailable': {
    severity: 'error',
    rule: 'controlPlane.render is Installer only where the release is known to take it and no feature set of the payload is asked for',
    why: 'Flags, gates and objects of the control plane differ from release to release, and a wrong one keeps it from starting; docs/releases.md says which releases take it.',
    fix: 'Leave it out, write `render: Release`, or give `releaseVersion`.',
  },
  'config/render-unproven': {
    severity: 'warning',
    rule: 'controlPlane.render is Release',
    why: 'What sno-install renders itself has been started by the API server and etcd of real releases and read by their operators, one program at a time; no whole cluster has been installed from it yet.',
    fix: 'Leave it out for machines that matter; see docs/control-plane.md for what Installer is worth.',
  },
  'config/image-references': {
    severity: 'error',
    rule: 'the file of imageReferences is there and names the images of a payload',
    why: 'The static pods of the control plane take their images from it.',
    fix: 'Write it with `oc adm release info RELEASE --output=json`, or leave imageReferences out to have the node ask the payload.',
  },
  'config/duration': {
    severity: 'error',
    rule: 'a duration is whole numbers with units, such as 720h, 30d or 1h30m, within the bounds of its field',
    why: 'Certificates that end too soon stop the installation; very long ones are never renewed.',
    fix: 'Use s, m, h, d, w or y (365 days), larger units first.',
  },
  'config/graceful-shutdown': {
    severity: 'error',
    rule: 'criticalPods is a part of total, and both are more than nothing',
    why: 'The kubelet refuses to start otherwise.',
    fix: 'Write for example `total: 5m` and `criticalPods: 1m`.',
  },
  'config/local-dns': {
    severity: 'error',
    rule: 'dns.local is set together with nodeIP',
    why: 'The node answers with that address for api, api-int and *.apps.',
    fix: 'Add nodeIP.',
  },
  'config/ntp-source': {
    severity: 'error',
    rule: 'a time server is given by domain name or address',
    why: 'It becomes a line of chrony.conf.',
    fix: 'Leave options and schemes out.',
  },
  'config/report': {
    severity: 'error',
    rule: 'report.url is an https URL without user, query and fragment, and report.caBundle holds certificates',
    why: 'The token of the site goes there, and the node has nobody to ask when the server cannot be believed.',
    fix: 'Write the URL of the server of reports, and below caBundle the authority that signs its certificate.',
  },
  'config/kernel-argument': {
    severity: 'error',
    rule: 'a kernel argument is one word without blanks and quotes',
    why: 'The kernel command line is split at blanks.',
    fix: 'Give each argument an item of its own.',
  },
  'config/path': {
    severity: 'error',
    rule: 'a path in sno-config.yaml is not empty and has no control characters',
    why: 'It names a file to read.',
    fix: 'Write the path relative to the directory of the config.',
  },
} as const satisfies CodeTable;
