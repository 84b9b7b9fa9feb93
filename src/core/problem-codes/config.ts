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
    fault: 'apiVersion or kind of a config file is wrong',
    why: 'The version decides how the rest of the file is read.',
    fix: 'Write `apiVersion: v1` in install-config.yaml, and `apiVersion: sno-install/v1alpha1` with `kind: SingleNodeConfig` in sno-config.yaml.',
  },
  'config/placeholder': {
    severity: 'error',
    fault: 'a value is a placeholder such as `<serial number>`, `${disk}`, `{{ disk }}` or `changeme`',
    why: 'The placeholder would be used as the value.',
    fix: 'Write the value, or remove the field.',
    example: [
      "rootDeviceHints: { serialNumber: '<serial number>' }  # wrong",
      'rootDeviceHints: { serialNumber: S6ESNX0R100123 }     # right',
    ].join('\n'),
  },
  'config/deprecated-field': {
    severity: 'warning',
    fault: 'a field has an old name or an old form',
    why: 'The old form is converted, as openshift-install does; a later version may reject it.',
    fix: 'Write the field in the form that the hint shows.',
  },
  'config/deprecated-conflict': {
    severity: 'error',
    fault: 'an old field and its replacement have different values, or are both given',
    why: 'The values conflict; openshift-install silently uses the new field.',
    fix: 'Delete the old field after you have checked the value of the new one.',
  },
  'config/ignored-value': {
    severity: 'warning',
    fault: 'a field has a value other than the only supported one',
    why: 'The value is ignored; the cluster gets the supported value.',
    fix: 'Write the value that the hint shows.',
  },
  'config/ignored-setting': {
    severity: 'warning',
    fault: 'a setting has no effect on a single-node cluster',
    why: 'Only `create aio-ignition` uses this setting.',
    fix: 'Follow the hint, or remove the setting.',
  },
  'config/cluster-name': {
    severity: 'error',
    fault: 'metadata.name is not a lower-case domain name of at most 54 characters',
    why: 'The name is the first part of the cluster domain. It appears in DNS records, certificates and object names.',
    fix: 'Use lower-case letters, digits and "-".',
    example: [
      'metadata:',
      '  name: Site_1  # wrong: upper case and an underscore',
      '# right:',
      'metadata:',
      '  name: site-1',
    ].join('\n'),
  },
  'config/base-domain': {
    severity: 'error',
    fault:
      'baseDomain, or <metadata.name>.<baseDomain>, is not a lower-case domain name of at most 253 characters',
    why: 'DNS and certificates contain api, api-int and *.apps below this domain.',
    fix: 'Write the domain without scheme, underscore or upper-case letters.',
    example: ['baseDomain: https://Example.com  # wrong', 'baseDomain: example.com          # right'].join(
      '\n',
    ),
  },
  'config/base-domain-name': {
    severity: 'warning',
    fault: 'baseDomain begins with metadata.name',
    why: 'The cluster domain is <metadata.name>.<baseDomain>, so the name appears twice: api.site1.site1.example.com. DNS usually has no such records, and the installation does not complete.',
    fix: 'Remove the cluster name from baseDomain, or ignore the warning if DNS has these records.',
    example: [
      'baseDomain: site1.example.com  # probably wrong with the name site1',
      'baseDomain: example.com',
    ].join('\n'),
  },
  'config/pull-secret': {
    severity: 'error',
    fault:
      'pullSecret is not JSON with credentials for at least one registry, each as base64 of user:password',
    why: 'Without credentials the node cannot pull the release image.',
    fix: 'Paste the pull secret from console.redhat.com in single quotes on one line, and add the entries of your mirrors. OKD needs no account: write `{"auths":{"fake":{"auth":"aWQ6cGFzcwo="}}}`.',
    example: 'pullSecret: \'{"auths":{"quay.io":{"auth":"dXNlcjpwYXNzd29yZA=="}}}\'',
  },
  'config/ssh-key': {
    severity: 'error',
    fault:
      'a line of sshKey is not a complete OpenSSH public key, or fips is set and the first key is not RSA or ECDSA',
    why: 'sshd skips lines that it cannot read, so you could not log in to debug a failed installation.',
    fix: 'Paste a line of a .pub file unchanged. With fips, put an RSA or ECDSA key first.',
  },
  'config/fips-host': {
    severity: 'warning',
    fault: 'fips is true, but the host that runs sno-install is not in FIPS mode',
    why: 'The keys and certificates of the cluster are generated on this host, without a validated cryptographic module. openshift-install refuses to run there.',
    fix: 'Run sno-install on a Linux host that was installed in FIPS mode. `cat /proc/sys/crypto/fips_enabled` prints 1 there.',
  },
  'config/trust-bundle': {
    severity: 'error',
    fault:
      'additionalTrustBundle contains an incomplete certificate, a private key, or something that is not PEM',
    why: 'One bad block breaks the trust store of the node.',
    fix: 'Write only certificates below "additionalTrustBundle: |", all lines with the same indentation.',
    example: [
      'additionalTrustBundle: |',
      '  -----BEGIN CERTIFICATE-----',
      '  MIIB…',
      '  -----END CERTIFICATE-----',
    ].join('\n'),
  },
  'config/trust-bundle-not-ca': {
    severity: 'warning',
    fault: 'a certificate in additionalTrustBundle is not a CA certificate of X.509 version 3',
    why: 'Such a certificate does not make the certificates of your servers trusted.',
    fix: 'Add the certificate of the authority that issued it.',
  },
  ...networkCodes,
  'config/platform': {
    severity: 'error',
    fault: 'platform is neither none nor external',
    why: 'A node that is installed in place uses no cloud API, DNS or load balancer of OpenShift.',
    fix: 'Write `platform: {none: {}}`; for a partner cloud, `platform: {external: {platformName: NAME}}`.',
    example: ['platform: none          # wrong: a string', 'platform: { none: {} }  # right'].join('\n'),
  },
  'config/replicas': {
    severity: 'error',
    fault: 'controlPlane.replicas is not 1',
    why: 'Operators would wait for other control plane nodes, which never appear.',
    fix: 'Write `replicas: 1` below `controlPlane`.',
  },
  'config/not-for-single-node': {
    severity: 'error',
    fault: 'a field needs a cloud or more than one control plane node',
    why: 'A single-node cluster on platform none does not use the field.',
    fix: 'Delete the field, or write the value that the hint shows.',
  },
  'config/workers-awaited': {
    severity: 'warning',
    fault: 'replicas of a compute pool is not 0, so the installation waits for workers',
    why: 'With workers, the control plane node runs no workloads. Monitoring, console and registry start only when workers have joined, so the installation waits for them.',
    fix: 'Write `replicas: 0` and add workers when the cluster is up. Or boot the workers with `worker.ign` during the installation, and approve their certificate requests.',
  },
  'config/compute-pool': {
    severity: 'error',
    fault: 'compute has more than one pool, or a pool that is not named worker',
    why: 'Only clouds use other pools.',
    fix: 'Keep one pool with `name: worker`.',
  },
  'config/architecture': {
    severity: 'error',
    fault: 'compute has another architecture than controlPlane',
    why: 'The images of a release payload are for one architecture.',
    fix: 'Delete `architecture` of the compute pool; it defaults to that of controlPlane.',
  },
  'config/installation-disk': {
    severity: 'error',
    fault: 'installationDisk or deviceName is not the path of one whole disk below /dev',
    why: 'The installer overwrites this disk. A blank or an option in the path could select another disk or change the command.',
    fix: 'Write a path such as `/dev/disk/by-id/wwn-0x5000c500a0b1c2d3`.',
    example: [
      'installationDisk: /dev/sda1                               # wrong: a partition',
      'installationDisk: /dev/disk/by-id/wwn-0x5000c500a0b1c2d3  # right',
    ].join('\n'),
  },
  'config/installation-disk-name': {
    severity: 'warning',
    fault: 'installationDisk or deviceName is a device name that can change at the next boot',
    why: 'The kernel assigns names such as /dev/sda in the order in which it finds the disks. The installation could overwrite the wrong disk.',
    fix: 'Use the name below /dev/disk/by-id that points to the disk, or describe the disk in rootDeviceHints of sno-config.yaml.',
    example: '$ ls -l /dev/disk/by-id/',
  },
  'config/bootstrap-in-place': {
    severity: 'error',
    fault: 'neither bootstrapInPlace.installationDisk nor rootDeviceHints is set',
    why: 'The live system installs to this disk.',
    fix: 'Add `bootstrapInPlace: {installationDisk: /dev/disk/by-id/…}` to install-config.yaml, or rootDeviceHints to sno-config.yaml.',
  },
  'config/proxy-url': {
    severity: 'error',
    fault: 'a proxy is not a valid absolute URL of a server outside the cluster networks',
    why: 'The node pulls every image through this proxy.',
    fix: 'Write `http://host:port` for httpProxy, and http or https for httpsProxy. In a user name or password write "@" as `%40`, ":" as `%3A` and "%" as `%25`. These escapes are safe: sno-install escapes "%" where systemd would read it.',
    example: [
      'httpProxy: proxy.example.com:3128                     # wrong: no scheme',
      'httpProxy: http://user:p%40ss@proxy.example.com:3128  # right: the password is p@ss',
    ].join('\n'),
  },
  'config/no-proxy': {
    severity: 'error',
    fault: 'noProxy is neither `*` nor a comma-separated list of domains, addresses and networks',
    why: 'Each program parses this list in its own way, and some ignore other forms of entries.',
    fix: 'Separate domains, addresses and networks by commas, without spaces or wildcards.',
    example: [
      "noProxy: '*.example.com, 192.168.126.0/24'  # wrong: a wildcard and a space",
      'noProxy: .example.com,192.168.126.0/24      # right',
    ].join('\n'),
  },
  'config/image-source': {
    severity: 'error',
    fault: 'an image source or mirror has a scheme, a tag or a digest, or a sourcePolicy has no mirrors',
    why: 'The values are written to registries.conf, and CRI-O does not start with an invalid one.',
    fix: 'Write the repository alone, such as `registry.example.com:5000/path`. Add mirrors where you set sourcePolicy.',
    example: [
      'imageDigestSources:',
      '  - source: quay.io/openshift-release-dev/ocp-release',
      '    mirrors: ["https://registry.example.com:5000/ocp-release"]  # wrong: a URL',
      '# right:',
      'imageDigestSources:',
      '  - source: quay.io/openshift-release-dev/ocp-release',
      '    mirrors: ["registry.example.com:5000/ocp-release"]',
    ].join('\n'),
  },
  'config/mirror-without-credentials': {
    severity: 'warning',
    fault: 'the pull secret has no credentials for the registry of a mirror',
    why: 'If the mirror requires a login, it rejects every pull of the node.',
    fix: 'Add the registry to `auths` of the pull secret, unless the registry allows anonymous pulls.',
  },
  'config/release-without-credentials': {
    severity: 'warning',
    fault: 'the pull secret has no credentials for the registry of the release',
    why: 'Without a mirror, the node pulls the release from its own registry. quay.io/openshift-release-dev rejects every pull without a login, so the bootstrap cannot start.',
    fix: 'Download the pull secret again from console.redhat.com, or add the registry to its `auths`, unless it allows anonymous pulls.',
  },
  'config/mirror-incomplete': {
    severity: 'warning',
    fault: 'the mirrors do not cover both repositories of the release',
    why: 'The release image refers to images in a second repository. A node in a disconnected network cannot pull images that have no mirror.',
    fix: 'Add a source with its mirror for `quay.io/openshift-release-dev/ocp-release` and for `quay.io/openshift-release-dev/ocp-v4.0-art-dev`. The two repositories of OKD are `quay.io/okd/scos-release` and `quay.io/okd/scos-content`.',
    example: [
      'imageDigestSources:',
      '  - source: quay.io/openshift-release-dev/ocp-release',
      '    mirrors: ["registry.example.com/openshift/release-images"]',
      '  - source: quay.io/openshift-release-dev/ocp-v4.0-art-dev',
      '    mirrors: ["registry.example.com/openshift/release"]',
    ].join('\n'),
  },
  'config/mirror-not-asked': {
    severity: 'error',
    fault: 'releaseImage has a tag, so the mirrors of its repository are not used',
    why: 'The node uses mirrors only for images named by digest. It pulls a tag from the source, which is not reachable in a disconnected network.',
    fix: 'In sno-config.yaml write releaseImage with its digest and add releaseVersion, or name the image at the mirror.',
  },
  'config/mirror-bypassed': {
    severity: 'warning',
    fault: 'releaseImage has a tag, so the mirrors of its repository are not used',
    why: 'The node uses mirrors only for images named by digest. It pulls the tag from the source, because sourcePolicy is AllowContactingSource.',
    fix: 'In sno-config.yaml write releaseImage with its digest and add releaseVersion, or name the image at the mirror.',
  },
  'config/capabilities': {
    severity: 'error',
    fault:
      'a capability or baseline set does not exist in the release, or Ingress or a required capability is not enabled',
    why: 'The API server refuses a ClusterVersion with an unknown set or capability, and the bootstrap waits for it forever. A cluster without Ingress never becomes available. Marketplace needs OperatorLifecycleManager.',
    fix: 'Write a set that the release has (docs/releases.md), or `vCurrent`. Add the missing capability to `additionalEnabledCapabilities`.',
    example: [
      'capabilities:',
      '  baselineCapabilitySet: None',
      '  additionalEnabledCapabilities: ["Ingress"]',
    ].join('\n'),
  },
  'config/feature-set': {
    severity: 'error',
    fault: 'featureSet is OKD, but the release does not have this set',
    why: 'OpenShift and older OKD releases reject the set, and the bootstrap waits for the FeatureGate forever.',
    fix: 'Remove the field. OKD releases that have the set use it by default.',
  },
  'config/feature-gate': {
    severity: 'error',
    fault:
      'featureGates is used without `featureSet: CustomNoUpgrade`, or an entry is not Name=true or Name=false, or is repeated',
    why: 'The cluster ignores the gates without that feature set.',
    fix: 'Set `featureSet: CustomNoUpgrade` and list each gate only once, or remove the gates.',
  },
  'config/feature-gate-unknown': {
    severity: 'warning',
    fault: 'the name of a feature gate is one or two letters off from a feature gate of OpenShift',
    why: 'The API accepts any name, and the components ignore those that they do not know.',
    fix: 'Correct the name, including its upper and lower case.',
  },
  'config/pki': {
    severity: 'error',
    fault:
      'pki is set without the feature gate ConfigurablePKI, is not supported by the release, or has an unsupported algorithm',
    why: 'Without the feature gate, operators ignore pki. The API server rejects settings of another algorithm.',
    fix: 'Remove pki. To choose the keys of the installation, set `certificates.keyAlgorithm` in sno-config.yaml.',
  },
  ...snoConfigCodes,
  ...nodeNetworkCodes,
} as const satisfies CodeTable;
