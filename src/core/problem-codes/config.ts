import type { CodeTable } from './entry.js';
import { networkCodes } from './config-networks.js';
import { configFileCodes } from './config-files.js';
import { nodeNetworkCodes } from './config-node-network.js';
import { snoConfigCodes } from './config-sno.js';

/** Problems of install-config.yaml and sno-config.yaml. */
export const configCodes = {
  ...configFileCodes,
  'config/api-version': {
    severity: 'error',
    rule: 'apiVersion is v1 in install-config.yaml and sno-install/v1alpha1 in sno-config.yaml, whose kind is SingleNodeConfig',
    why: 'The version says how the rest is to be read.',
    fix: 'Write the version that the message names.',
  },
  'config/deprecated-field': {
    severity: 'warning',
    rule: 'fields have the names and forms of the present format',
    why: 'An old form is still read, as openshift-install reads it; a later version may not.',
    fix: 'Write the field in the form that the hint shows.',
  },
  'config/deprecated-conflict': {
    severity: 'error',
    rule: 'an old field and the one that took its place say the same',
    why: 'Either could be the one that was meant; openshift-install silently takes the new one.',
    fix: 'Take the old field out.',
  },
  'config/ignored-value': {
    severity: 'warning',
    rule: 'a field with one possible value has that value',
    why: 'What is written is not what happens.',
    fix: 'Write the value that the hint shows.',
  },
  'config/ignored-setting': {
    severity: 'warning',
    rule: 'settings have an effect on a node that is installed in place',
    why: 'The setting has no effect: it is for `create aio-ignition`.',
    fix: 'Do what the hint says, or remove the setting.',
  },
  'config/cluster-name': {
    severity: 'error',
    rule: 'metadata.name is a domain name in lower case of at most 54 characters',
    why: 'It is the first part of the cluster domain, of DNS records, certificates and object names.',
    fix: 'Use lower-case letters, digits and "-".',
  },
  'config/base-domain': {
    severity: 'error',
    rule: 'baseDomain, and <metadata.name>.<baseDomain>, are domain names in lower case of at most 253 characters',
    why: 'api, api-int and *.apps stand below it in DNS and in certificates.',
    fix: 'Write the domain without scheme, underscore or upper-case letters.',
  },
  'config/pull-secret': {
    severity: 'error',
    rule: 'pullSecret is JSON with credentials of at least one registry, each base64 of user:password',
    why: 'Without it the node cannot pull the release, and finds out only after it has booted.',
    fix: 'Paste the pull secret from console.redhat.com in single quotes, on one line, with the entries of your mirrors added. OKD needs no account: write `{"auths":{"fake":{"auth":"aWQ6cGFzcwo="}}}`.',
  },
  'config/ssh-key': {
    severity: 'error',
    rule: 'each line of sshKey is a whole public key of OpenSSH; with fips the first is RSA or ECDSA',
    why: 'sshd skips a line it cannot read, and nobody can log in when the installation needs a look.',
    fix: 'Paste the line of a .pub file as it is.',
  },
  'config/trust-bundle': {
    severity: 'error',
    rule: 'additionalTrustBundle holds whole X.509 certificates in PEM, and no keys',
    why: 'The trust store of the node is made from it as a whole; one bad block spoils it.',
    fix: 'Write the certificates below "additionalTrustBundle: |", every line indented the same.',
  },
  'config/trust-bundle-not-ca': {
    severity: 'warning',
    rule: 'the certificates of additionalTrustBundle are of authorities, in X.509 version 3',
    why: 'A certificate that is none of an authority does not make others trusted.',
    fix: 'Put in the certificate of the authority that issued it.',
  },
  ...networkCodes,
  'config/platform': {
    severity: 'error',
    rule: 'platform is exactly none',
    why: 'A single node that is installed in place gets no machines, DNS or load balancers from a platform.',
    fix: 'Write `platform: {none: {}}`.',
  },
  'config/replicas': {
    severity: 'error',
    rule: 'controlPlane.replicas is 1',
    why: 'Operators wait for as many control plane nodes as this says; with one node there never are three.',
    fix: 'Write `replicas: 1`.',
  },
  'config/not-for-single-node': {
    severity: 'error',
    rule: 'fields that need a cloud or more than one node are left out',
    why: 'Nothing would act on them.',
    fix: 'Take the field out.',
  },
  'config/workers-awaited': {
    severity: 'warning',
    rule: 'the installation of a single node brings no workers',
    why: 'Where it does, the control-plane node takes no workloads, so that whatever needs a place (monitoring, console, registry) waits until workers have joined, and with it the installation.',
    fix: 'Write `replicas: 0` and add workers when the cluster is up; or boot them with `worker.ign` while the installation runs, and approve their certificate requests.',
  },
  'config/compute-pool': {
    severity: 'error',
    rule: 'there is one compute pool, named worker',
    why: 'Other pools exist on clouds only.',
    fix: 'Keep one pool with `name: worker`.',
  },
  'config/architecture': {
    severity: 'error',
    rule: 'compute has the architecture of controlPlane',
    why: 'The installation is of one payload, and its images are for one architecture.',
    fix: 'Leave `architecture` of compute out: it follows that of controlPlane.',
  },
  'config/installation-disk': {
    severity: 'error',
    rule: 'installationDisk is the path of one whole disk below /dev',
    why: 'The path is handed to a program that overwrites the disk; a blank or an option in it would make it another disk, or another command.',
    fix: 'Write a path such as `/dev/disk/by-id/wwn-0x5000c500a0b1c2d3`.',
  },
  'config/installation-disk-name': {
    severity: 'warning',
    rule: 'installationDisk is a name that stays with the disk',
    why: 'The kernel numbers disks in the order it finds them, which differs from boot to boot: the node may install over the wrong one.',
    fix: 'Use the name below /dev/disk/by-id that points to the disk.',
  },
  'config/bootstrap-in-place': {
    severity: 'error',
    rule: 'bootstrapInPlace.installationDisk is given for an installation in place',
    why: 'The live system has to know which disk to install to.',
    fix: 'Add `bootstrapInPlace: {installationDisk: /dev/disk/by-id/…}`.',
  },
  'config/proxy-url': {
    severity: 'error',
    rule: 'a proxy is an absolute URL, http for httpProxy and http or https for httpsProxy, with "%" only before two hexadecimal digits, and outside of the cluster networks',
    why: 'Every pull goes through it, from the first minute. "%" of a valid URL is safe: it is escaped where systemd would read it.',
    fix: 'Write `http://host:port`; in a user name or password write "@" as `%40`, ":" as `%3A` and "%" as `%25`.',
  },
  'config/no-proxy': {
    severity: 'error',
    rule: 'noProxy is `*`, or domains, addresses and networks with commas in between',
    why: 'Programs read it each in its own way; what is not of this form is ignored by some of them.',
    fix: 'Write `.example.com,192.168.126.0/24`: no blanks, no wildcards.',
  },
  'config/image-source': {
    severity: 'error',
    rule: 'sources and mirrors are repositories without scheme, tag and digest; a sourcePolicy comes with mirrors',
    why: 'They end up in registries.conf, where CRI-O refuses to start over a bad one.',
    fix: 'Write `registry.example.com:5000/path`.',
  },
  'config/mirror-without-credentials': {
    severity: 'warning',
    rule: 'the pull secret has credentials for the registry of each mirror',
    why: 'A mirror that asks for a login refuses every pull without one.',
    fix: 'Add the registry to `auths` of the pull secret, unless it is open to all.',
  },
  'config/mirror-incomplete': {
    severity: 'warning',
    rule: 'mirrors of the release cover its own repository and that of its component images',
    why: 'The release image lists images of a second repository: a site without the internet pulls only what the mirrors cover.',
    fix: 'Add a source with its mirror for `quay.io/openshift-release-dev/ocp-release` and for `quay.io/openshift-release-dev/ocp-v4.0-art-dev`; of OKD these are `quay.io/okd/scos-release` and `quay.io/okd/scos-content`.',
  },
  'config/mirror-not-asked': {
    severity: 'error',
    rule: 'with mirrors of the repository of the release, the release is named by digest, or at a mirror',
    why: 'Mirrors are asked for images by digest only: by tag the release is pulled from its source, which a site without the internet does not reach.',
    fix: 'In sno-config.yaml name releaseImage by digest with releaseVersion beside it, or at the mirror itself.',
  },
  'config/mirror-bypassed': {
    severity: 'warning',
    rule: 'with mirrors of the repository of the release, the release is named by digest, or at a mirror',
    why: 'Mirrors are asked for images by digest only: by tag the release is pulled from its source, which sourcePolicy AllowContactingSource permits.',
    fix: 'In sno-config.yaml name releaseImage by digest with releaseVersion beside it, or at the mirror itself.',
  },
  'config/capabilities': {
    severity: 'error',
    rule: 'the release has the baseline set and the capabilities; Ingress is enabled, and marketplace only with OperatorLifecycleManager',
    why: 'The API server refuses a ClusterVersion with a set or a capability that the release does not have, and the bootstrap waits for it without end. A cluster without Ingress does not become available.',
    fix: 'Write a set that the release has (docs/releases.md), or `vCurrent`; add the missing capability to `additionalEnabledCapabilities`.',
  },
  'config/feature-set': {
    severity: 'error',
    rule: 'featureSet OKD is given only for a release of OKD that knows it',
    why: 'The API server of OpenShift refuses the set, and older releases do not know it: the bootstrap waits for the FeatureGate without end.',
    fix: 'Remove it. A release of OKD that knows the set has it without being told.',
  },
  'config/feature-gate': {
    severity: 'error',
    rule: 'featureGates go with featureSet CustomNoUpgrade, as Name=true or Name=false, each once',
    why: 'Without that set they would be ignored.',
    fix: 'Set `featureSet: CustomNoUpgrade`, or take the gates out.',
  },
  'config/pki': {
    severity: 'error',
    rule: 'pki is given with the feature ConfigurablePKI and a release that reads it, and names one algorithm that sno-install can generate',
    why: 'Without the feature no operator reads it; with settings of another algorithm the API refuses it.',
    fix: 'Remove it; for the keys of the installation set `certificates.keyAlgorithm` in sno-config.yaml.',
  },
  ...snoConfigCodes,
  ...nodeNetworkCodes,
} as const satisfies CodeTable;
