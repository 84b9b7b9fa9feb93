import { throwawayLeafPem, throwawayV1Pem } from '../support/throwaway-certificates.js';
import type { Edit } from './sound-config.js';

export interface RuleCase {
  readonly rule: number;
  readonly name: string;
  readonly edits: readonly Edit[];
  /** Edits of install-config.yaml, for rules that read both files. */
  readonly installEdits?: readonly Edit[];
  /** `<code> <line>:<text at that position>: <message>`, then ` | <hint>`. The text is empty at the end of a line. */
  readonly want: readonly string[];
}

const indented = (pem: string): string => pem.trimEnd().replace(/^/gm, '  ');

/** One fault of the valid config per case, by rule. */
export const ruleCases: readonly RuleCase[] = [
  {
    rule: 4,
    name: 'a key without colon',
    edits: [['fips: false\n', 'fips\n']],
    want: [
      'config/yaml-syntax 20:fips: this line is no key with a value | write "key: value" with a space after the colon, or start a comment with "#"',
    ],
  },
  {
    rule: 5,
    name: 'a field twice',
    edits: [['fips: false\n', 'fips: false\nfips: true\n']],
    want: ['config/duplicate-field 21:fips: "fips" is given twice, first on line 20 | keep one of the two'],
  },
  {
    rule: 5,
    name: 'a field twice in other letters',
    edits: [['fips: false\n', 'fips: false\nFips: true\n']],
    want: [
      'config/duplicate-field 21:Fips: "Fips" is "fips" with other upper and lower case | keep one of the two',
    ],
  },
  {
    rule: 6,
    name: 'a mistyped field',
    edits: [['networking:', 'networkng:']],
    want: ['config/unknown-field 11:networkng: unknown field "networkng" | did you mean "networking"?'],
  },
  {
    rule: 6,
    name: 'a mistyped field beside the field that it resembles most',
    edits: [['fips: false', 'proxy:\n  httpProxy: http://proxy.example.com:3128\n  htttpProxy: http://p']],
    want: [
      'config/unknown-field 22:htttpProxy: unknown field "htttpProxy" in proxy | did you mean "httpsProxy"?',
    ],
  },
  {
    rule: 6,
    name: 'a mistyped field beside all fields that it resembles',
    edits: [
      [
        'fips: false',
        'proxy:\n  httpProxy: http://proxy.example.com:3128\n  httpsProxy: http://proxy.example.com:3128\n  htttpProxy: http://p',
      ],
    ],
    want: ['config/unknown-field 23:htttpProxy: unknown field "htttpProxy" in proxy | expected noProxy'],
  },
  {
    rule: 6,
    name: 'a mistyped field below',
    edits: [['hostPrefix', 'hostPreffix']],
    want: [
      'config/unknown-field 17:hostPreffix: unknown field "hostPreffix" in networking.clusterNetwork[0] | did you mean "hostPrefix"?',
    ],
  },
  {
    rule: 6,
    name: 'a field in other letters',
    edits: [['bootstrapInPlace', 'BootstrapInPlace']],
    want: [
      'config/unknown-field 23:BootstrapInPlace: unknown field "BootstrapInPlace" | write "bootstrapInPlace": upper and lower case matter',
    ],
  },
  {
    rule: 6,
    name: 'a field at another place',
    edits: [
      ['  networkType: OVNKubernetes\n', ''],
      ['fips: false', 'networkType: OVNKubernetes'],
    ],
    want: [
      'config/unknown-field 19:networkType: unknown field "networkType" | start it in column 3: it belongs to networking',
    ],
  },
  {
    rule: 6,
    name: 'the only field of a map, indented too little',
    edits: [['metadata:\n  name: ', 'metadata:\nname: ']],
    want: [
      'config/unknown-field 4:name: unknown field "name" | start it in column 3: it belongs to metadata',
    ],
  },
  {
    rule: 6,
    name: 'a map, indented too far',
    edits: [
      ['fips: false\n', ''],
      ['platform:\n', '  platform:\n'],
    ],
    want: [
      'config/unknown-field 20:platform: unknown field "platform" in networking | start it in column 1: it belongs to the top level',
    ],
  },
  {
    rule: 6,
    name: 'fields without the line above them',
    edits: [['networking:\n', '']],
    want: [
      'config/unknown-field 11:networkType: unknown field "networkType" in compute[0] | it belongs to networking: add the line "networking:" above it',
    ],
  },
  {
    rule: 6,
    name: 'a no-break space before a field',
    edits: [['metadata:\n  name: ', 'metadata:\n\u00a0 name: ']],
    want: [
      'config/unknown-field 4:\u00a0 name: unknown field "…" | replace the no-break spaces before "name" by normal ones',
    ],
  },
  {
    rule: 6,
    name: 'a field nobody knows',
    edits: [['fips: false', 'colour: red']],
    want: ['config/unknown-field 20:colour: unknown field "colour"'],
  },
  {
    rule: 7,
    name: 'a text for a list',
    edits: [
      ['  - 172.30.0.0/16', ''],
      ['serviceNetwork:', 'serviceNetwork: 172.30.0.0/16'],
    ],
    want: [
      'config/wrong-type 18:172.30.0.0/16: networking.serviceNetwork must be a list, not a string | start each item with "- "',
    ],
  },
  {
    rule: 7,
    name: 'a list for a map',
    edits: [['  none: {}', '  - none']],
    want: ['config/wrong-type 21:platform: platform must be a map of fields, not a list'],
  },
  {
    rule: 7,
    name: 'a map for a text',
    edits: [['baseDomain: example.com', 'baseDomain: {a: b}']],
    want: [
      'config/wrong-type 2:baseDomain: baseDomain must be a string, not a map of fields | write the value alone, without "a"',
    ],
  },
  {
    rule: 7,
    name: 'a pull secret without quotes',
    edits: [
      [
        '\'{"auths":{"quay.io":{"auth":"dGhyb3dhd2F5OnRocm93YXdheQ=="}}}\'',
        '{"auths":{"quay.io":{"auth":"dGhyb3dhd2F5OnRocm93YXdheQ=="}}}',
      ],
    ],
    want: [
      'config/wrong-type 25:pullSecret: pullSecret must be a string, not a map of fields | put the JSON in single quotes',
    ],
  },
  {
    rule: 7,
    name: 'a number in quotes',
    edits: [['replicas: 1', 'replicas: "1"']],
    want: [
      'config/wrong-type 7:"1": controlPlane.replicas must be a whole number, not a string | leave the quotes out',
    ],
  },
  {
    rule: 7,
    name: 'a truth value in quotes',
    edits: [['fips: false', 'fips: "false"']],
    want: ['config/wrong-type 20:"false": fips must be true or false, not a string | leave the quotes out'],
  },
  {
    rule: 7,
    name: 'a fraction',
    edits: [['replicas: 1', 'replicas: 1.5']],
    want: ['config/wrong-type 7:1.5: controlPlane.replicas must be a whole number, not a fraction'],
  },
  {
    rule: 7,
    name: 'a text for a number',
    edits: [['hostPrefix: 23', 'hostPrefix: big']],
    want: [
      'config/wrong-type 17:big: networking.clusterNetwork[0].hostPrefix must be a whole number, not a string',
    ],
  },
  {
    rule: 7,
    name: 'nothing in a list',
    edits: [['  - 172.30.0.0/16', '  -']],
    want: [
      'config/missing-field 19:-: networking.serviceNetwork[0] is empty | A network for services, such as `172.30.0.0/16`',
    ],
  },
  {
    rule: 8,
    name: 'no apiVersion',
    edits: [['apiVersion: v1\n', '']],
    want: ['config/missing-field 1:b: apiVersion is missing | Version of the format: `v1`'],
  },
  {
    rule: 8,
    name: 'no metadata',
    edits: [['metadata:\n  name: sno\n', '']],
    want: ['config/missing-field 1:a: metadata is missing | The cluster name, as `name: sno1`'],
  },
  {
    rule: 8,
    name: 'no metadata.name',
    edits: [['  name: sno\n', '  name:\n']],
    want: [
      'config/missing-field 4:name: metadata.name is missing | Cluster name: lower-case letters, digits and "-", at most 54 characters',
    ],
  },
  {
    rule: 8,
    name: 'no baseDomain',
    edits: [['baseDomain: example.com\n', '']],
    want: [
      'config/missing-field 1:a: baseDomain is missing | Parent of the cluster domain `<metadata.name>.<baseDomain>`',
    ],
  },
  {
    rule: 8,
    name: 'no platform',
    edits: [['platform:\n  none: {}\n', '']],
    want: [
      'config/missing-field 1:a: platform is missing | Platform of the cluster: `none: {}`, or `external` with its settings',
    ],
  },
  {
    rule: 8,
    name: 'an empty pullSecret',
    edits: [['\'{"auths":{"quay.io":{"auth":"dGhyb3dhd2F5OnRocm93YXdheQ=="}}}\'', "''"]],
    want: [
      'config/missing-field 25:pullSecret: pullSecret is empty | Registry credentials, as JSON in single quotes: the pull secret from console.redhat.com, with the credentials of your mirrors',
    ],
  },
  {
    rule: 8,
    name: 'a network without cidr',
    edits: [['cidr: 192.168.126.0/24', '{}']],
    want: [
      'config/missing-field 14:{}: networking.machineNetwork[0].cidr is missing | A network of the node, such as `192.168.126.0/24`',
    ],
  },
  {
    rule: 9,
    name: 'an unknown value',
    edits: [['fips: false', 'cpuPartitioningMode: Allnodes']],
    want: [
      'config/unsupported-value 20:Allnodes: cpuPartitioningMode must be None or AllNodes, not "Allnodes" | did you mean "AllNodes"?',
    ],
  },
  {
    rule: 9,
    name: 'an unknown architecture',
    edits: [['  replicas: 1', '  replicas: 1\n  architecture: x86_64']],
    want: [
      'config/unsupported-value 8:x86_64: controlPlane.architecture must be amd64, arm64, ppc64le or s390x, not "x86_64" | did you mean "amd64"?',
    ],
  },
  {
    rule: 9,
    name: 'a negative number',
    edits: [['replicas: 0', 'replicas: -1']],
    want: ['config/unsupported-value 10:-1: compute[0].replicas must be at least 0, not -1'],
  },
  {
    rule: 9,
    name: 'a number too large',
    edits: [['hostPrefix: 23', 'hostPrefix: 129']],
    want: [
      'config/unsupported-value 17:129: networking.clusterNetwork[0].hostPrefix must be at most 128, not 129',
    ],
  },
  {
    rule: 9,
    name: 'an unknown capability',
    edits: [
      [
        'fips: false',
        'capabilities: {baselineCapabilitySet: v4.18, additionalEnabledCapabilities: [consol]}',
      ],
    ],
    want: [
      'config/unsupported-value 20:consol: capabilities.additionalEnabledCapabilities[0] must be baremetal, marketplace, openshift-samples, MachineAPI, Console, Insights, Storage, CSISnapshot, NodeTuning, Build, DeploymentConfig, ImageRegistry, OperatorLifecycleManager, CloudCredential, Ingress, CloudControllerManager, OperatorLifecycleManagerV1, CompatibilityRequirements or ClusterAPI, not "consol" | did you mean "Console"?',
    ],
  },
  {
    rule: 9,
    name: 'an unknown operating system',
    edits: [['fips: false', 'osImageStream: rhel-8']],
    want: [
      'config/unsupported-value 20:rhel-8: osImageStream must be rhel-9 or rhel-10, not "rhel-8" | did you mean "rhel-9"?',
    ],
  },
  {
    rule: 9,
    name: 'publish nobody knows',
    edits: [['fips: false', 'publish: Everywhere']],
    want: [
      'config/unsupported-value 20:Everywhere: publish must be External, Internal or Mixed, not "Everywhere"',
    ],
  },
  {
    rule: 9,
    name: 'a trust bundle policy nobody knows',
    edits: [['fips: false', 'additionalTrustBundlePolicy: always']],
    want: [
      'config/unsupported-value 20:always: additionalTrustBundlePolicy must be Proxyonly or Always, not "always" | did you mean "Always"?',
    ],
  },
  {
    rule: 10,
    name: 'v2',
    edits: [['apiVersion: v1', 'apiVersion: v2']],
    want: ['config/api-version 1:v2: apiVersion must be v1, not "v2" | write "apiVersion: v1"'],
  },
  {
    rule: 10,
    name: 'v1beta4',
    edits: [['apiVersion: v1', 'apiVersion: v1beta4']],
    want: [
      'warning config/deprecated-field 1:v1beta4: apiVersion v1beta4 is read as v1 | write "apiVersion: v1"',
    ],
  },
  {
    rule: 11,
    name: 'upper case',
    edits: [['name: sno', 'name: Sno']],
    want: [
      'config/cluster-name 4:Sno: metadata.name "Sno" is not a cluster name: it has upper-case letters | write "sno"',
    ],
  },
  {
    rule: 11,
    name: 'an underscore',
    edits: [['name: sno', 'name: my_sno']],
    want: [
      'config/cluster-name 4:my_sno: metadata.name "my_sno" is not a cluster name: it has an underscore',
    ],
  },
  {
    rule: 11,
    name: 'too long',
    edits: [['name: sno', 'name: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa']],
    want: [
      'config/cluster-name 4:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa: metadata.name "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa" is not a cluster name: it is longer than 54 characters',
    ],
  },
  {
    rule: 13,
    name: 'the name in the domain, too',
    edits: [['baseDomain: example.com', 'baseDomain: sno.example.com']],
    want: [
      'warning config/base-domain-name 2:sno.example.com: baseDomain "sno.example.com" already begins with the cluster name: the cluster domain is "sno.sno.example.com" | write "example.com", unless DNS has the records of api-int.sno.sno.example.com',
    ],
  },
  {
    rule: 13,
    name: 'a domain that only starts with the same letters',
    edits: [['baseDomain: example.com', 'baseDomain: snow.example.com']],
    want: [],
  },
  {
    rule: 12,
    name: 'a scheme',
    edits: [['baseDomain: example.com', 'baseDomain: https://example.com']],
    want: [
      'config/base-domain 2:https://example.com: baseDomain "https://example.com" is not a domain name: only letters, digits, "-" and "." are allowed',
    ],
  },
  {
    rule: 12,
    name: 'upper case',
    edits: [['baseDomain: example.com', 'baseDomain: Example.com']],
    want: [
      'config/base-domain 2:Example.com: baseDomain "Example.com" is not a domain name: it has upper-case letters | write "example.com"',
    ],
  },
  {
    rule: 12,
    name: 'two dots at the end',
    edits: [['baseDomain: example.com', 'baseDomain: example.com..']],
    want: [
      'config/base-domain 2:example.com..: baseDomain "example.com." is not a domain name: it starts or ends with a dot, or has two dots in a row',
    ],
  },
  {
    rule: 13,
    name: 'together too long',
    edits: [
      [
        'baseDomain: example.com',
        'baseDomain: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.aaaaaaa',
      ],
    ],
    want: [
      'config/base-domain 2:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa: api-int.<metadata.name>.<baseDomain> is not a domain name: it is longer than 253 characters',
    ],
  },
  {
    rule: 14,
    name: 'JSON that is cut off',
    edits: [['\'{"auths":{"quay.io":{"auth":"dGhyb3dhd2F5OnRocm93YXdheQ=="}}}\'', '\'{"auths":\'']],
    want: [
      'config/pull-secret 25:\'{"auths":\': pullSecret is cut off: its JSON ends early | download it again from https://console.redhat.com/openshift/install/pull-secret',
    ],
  },
  {
    rule: 14,
    name: 'no auths',
    edits: [['\'{"auths":{"quay.io":{"auth":"dGhyb3dhd2F5OnRocm93YXdheQ=="}}}\'', "'{}'"]],
    want: [
      'config/pull-secret 25:\'{}\': pullSecret has no map "auths" | download it again from https://console.redhat.com/openshift/install/pull-secret',
    ],
  },
  {
    rule: 14,
    name: 'no registry',
    edits: [['\'{"auths":{"quay.io":{"auth":"dGhyb3dhd2F5OnRocm93YXdheQ=="}}}\'', '\'{"auths":{}}\'']],
    want: [
      'config/pull-secret 25:\'{"auths":{}}\': pullSecret has no registry in "auths" | download it again from https://console.redhat.com/openshift/install/pull-secret',
    ],
  },
  {
    rule: 14,
    name: 'a list',
    edits: [['\'{"auths":{"quay.io":{"auth":"dGhyb3dhd2F5OnRocm93YXdheQ=="}}}\'', "'[]'"]],
    want: [
      'config/pull-secret 25:\'[]\': pullSecret has no map "auths" | download it again from https://console.redhat.com/openshift/install/pull-secret',
    ],
  },
  {
    rule: 15,
    name: 'an entry without auth',
    edits: [
      [
        '\'{"auths":{"quay.io":{"auth":"dGhyb3dhd2F5OnRocm93YXdheQ=="}}}\'',
        '\'{"auths":{"quay.io":{"email":"a@example.com"}}}\'',
      ],
    ],
    want: [
      'config/pull-secret 25:\'{"auths":{"quay.io":{"email":"a@example: the entry of "quay.io" in pullSecret has neither "auth" nor "credsStore" | log in with podman and use its auth.json, or download the pull secret again',
    ],
  },
  {
    rule: 15,
    name: 'no base64',
    edits: [
      [
        '\'{"auths":{"quay.io":{"auth":"dGhyb3dhd2F5OnRocm93YXdheQ=="}}}\'',
        '\'{"auths":{"quay.io":{"auth":"user:password"}}}\'',
      ],
    ],
    want: [
      'config/pull-secret 25:\'{"auths":{"quay.io":{"auth":"user:passw: the entry of "quay.io" in pullSecret has an "auth" that is not base64 | log in with podman and use its auth.json, or download the pull secret again',
    ],
  },
  {
    rule: 15,
    name: 'no user and password',
    edits: [
      [
        '\'{"auths":{"quay.io":{"auth":"dGhyb3dhd2F5OnRocm93YXdheQ=="}}}\'',
        '\'{"auths":{"quay.io":{"auth":"dGhyb3dhd2F5"}}}\'',
      ],
    ],
    want: [
      'config/pull-secret 25:\'{"auths":{"quay.io":{"auth":"dGhyb3dhd2: the entry of "quay.io" in pullSecret has an "auth" that is not user:password in base64 | log in with podman and use its auth.json, or download the pull secret again',
    ],
  },
  {
    rule: 15,
    name: 'an auth of another type',
    edits: [
      [
        '\'{"auths":{"quay.io":{"auth":"dGhyb3dhd2F5OnRocm93YXdheQ=="}}}\'',
        '\'{"auths":{"quay.io":{"auth":1},"cloud.example.com":null}}\'',
      ],
    ],
    want: [
      'config/pull-secret 25:\'{"auths":{"quay.io":{"auth":1},"cloud.e: the entry of "quay.io" in pullSecret has an "auth" that is not a string | log in with podman and use its auth.json, or download the pull secret again',
      'config/pull-secret 25:\'{"auths":{"quay.io":{"auth":1},"cloud.e: the entry of "cloud.example.com" in pullSecret is not a map | log in with podman and use its auth.json, or download the pull secret again',
    ],
  },
  {
    rule: 16,
    name: 'a path',
    edits: [[/sshKey: ssh-.*/, 'sshKey: ~/.ssh/id_ed25519.pub']],
    want: [
      'config/ssh-key 26:~/.ssh/id_ed25519.pub: line 1 of sshKey is not a public key: it does not start with a key type such as ssh-ed25519 | paste the line of a file such as ~/.ssh/id_ed25519.pub',
    ],
  },
  {
    rule: 16,
    name: 'a second line of a block',
    edits: [[/sshKey: (ssh-.*)/, 'sshKey: |\n  $1\n  ssh-rsa AAAA']],
    want: [
      'config/ssh-key 28:ssh-rsa AAAA: line 2 of sshKey is not a public key: the key is cut off | paste the line of a file such as ~/.ssh/id_ed25519.pub',
    ],
  },
  {
    rule: 16,
    name: 'a private key',
    edits: [[/sshKey: ssh-.*/, 'sshKey: |\n  -----BEGIN OPENSSH PRIVATE KEY-----\n  throwaway']],
    want: [
      'config/ssh-key 27:-----BEGIN OPENSSH PRIVATE KEY-----: line 1 of sshKey is not a public key: it is a private key; the public one ends in ".pub" | paste the line of a file such as ~/.ssh/id_ed25519.pub',
    ],
  },
  {
    rule: 17,
    name: 'Ed25519 with fips',
    edits: [['fips: false', 'fips: true']],
    want: [
      'config/ssh-key 26:ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ5i: with fips the first sshKey must be RSA or ECDSA, not ssh-ed25519 | create one with "ssh-keygen -t ecdsa -b 521"',
    ],
  },
  {
    rule: 18,
    name: 'no PEM',
    edits: [['fips: false', 'additionalTrustBundle: |\n  hello']],
    want: [
      'config/trust-bundle 21:hello: additionalTrustBundle cannot be read at its line 1: it holds no certificate | paste the whole PEM certificate, with the base64 lines between BEGIN and END',
    ],
  },
  {
    rule: 18,
    name: 'an empty certificate',
    edits: [
      [
        'fips: false',
        'additionalTrustBundle: |\n  -----BEGIN CERTIFICATE-----\n  ...\n  -----END CERTIFICATE-----',
      ],
    ],
    want: [
      'config/trust-bundle 21:-----BEGIN CERTIFICATE-----: additionalTrustBundle cannot be read at its line 1: the certificate between BEGIN and END is empty | paste the whole PEM certificate, with the base64 lines between BEGIN and END',
    ],
  },
  {
    rule: 18,
    name: 'an open block',
    edits: [['fips: false', 'additionalTrustBundle: |\n  -----BEGIN CERTIFICATE-----\n  aGVsbG8=']],
    want: [
      'config/trust-bundle 21:-----BEGIN CERTIFICATE-----: additionalTrustBundle cannot be read at its line 1: it has no END line | paste the whole PEM certificate, with the base64 lines between BEGIN and END',
    ],
  },
  {
    rule: 19,
    name: 'a leaf',
    edits: [['fips: false', `additionalTrustBundle: |\n${indented(throwawayLeafPem)}`]],
    want: [
      'warning config/trust-bundle-not-ca 21:-----BEGIN CERTIFICATE-----: certificate 1 of additionalTrustBundle is not a CA certificate',
    ],
  },
  {
    rule: 19,
    name: 'a certificate of version 1',
    edits: [['fips: false', `additionalTrustBundle: |\n${indented(throwawayV1Pem)}`]],
    want: [
      'warning config/trust-bundle-not-ca 21:-----BEGIN CERTIFICATE-----: certificate 1 of additionalTrustBundle has X.509 version 1, which Go programs do not accept for an authority',
    ],
  },
  {
    rule: 21,
    name: 'host bits',
    edits: [['192.168.126.0/24', '192.168.126.10/24']],
    want: [
      'config/network-address 14:192.168.126.10/24: 192.168.126.10/24 has host bits set | write "192.168.126.0/24"',
    ],
  },
  {
    rule: 21,
    name: 'an address alone',
    edits: [['172.30.0.0/16', '172.30.0.0']],
    want: [
      'config/network-address 19:172.30.0.0: "172.30.0.0" is not a network in CIDR notation | add the prefix length, such as /24',
    ],
  },
  {
    rule: 21,
    name: 'no network',
    edits: [['10.128.0.0/14', 'ten']],
    want: [
      'config/network-address 16:ten: "ten" is not a network in CIDR notation | write it as 192.168.126.0/24 or fd2e:6f44:5dd8::/64',
    ],
  },
  {
    rule: 21,
    name: 'all zero',
    edits: [['192.168.126.0/24', '0.0.0.0/0']],
    want: ['config/network-address 14:0.0.0.0/0: 0.0.0.0/0 does not name a network: its address is all zero'],
  },
  {
    rule: 22,
    name: 'within it',
    edits: [['192.168.126.0/24', '172.17.5.0/24']],
    want: [
      'warning config/network-docker-bridge 14:172.17.5.0/24: 172.17.5.0/24 overlaps 172.17.0.0/16, the default of the Docker bridge',
    ],
  },
  {
    rule: 23,
    name: 'the join network',
    edits: [['192.168.126.0/24', '100.64.1.0/24']],
    want: [
      'config/network-reserved 14:100.64.1.0/24: 100.64.1.0/24 overlaps 100.64.0.0/16, which OVN-Kubernetes uses as its join network | use another network, or set networking.ovnKubernetesConfig.ipv4.internalJoinSubnet',
    ],
  },
  {
    rule: 23,
    name: 'the transit network',
    edits: [['172.30.0.0/16', '100.88.0.0/20']],
    want: [
      'config/network-reserved 19:100.88.0.0/20: 100.88.0.0/20 overlaps 100.88.0.0/16, which OVN-Kubernetes uses as its transit switch network | use another network',
    ],
  },
  {
    rule: 23,
    name: 'IPv6',
    edits: [
      ['192.168.126.0/24', 'fd98::/64'],
      ['172.30.0.0/16', 'fd02::/112'],
      ['10.128.0.0/14', 'fd01::/48'],
      ['hostPrefix: 23', 'hostPrefix: 64'],
    ],
    want: [
      'config/network-reserved 14:fd98::/64: fd98::/64 overlaps fd98::/64, which OVN-Kubernetes uses as its join network | use another network',
    ],
  },
  {
    rule: 24,
    name: 'machines and services',
    edits: [['172.30.0.0/16', '192.168.126.0/25']],
    want: [
      'config/network-overlap 19:192.168.126.0/25: serviceNetwork[0] 192.168.126.0/25 overlaps machineNetwork[0] 192.168.126.0/24',
    ],
  },
  {
    rule: 24,
    name: 'pods and services',
    edits: [['10.128.0.0/14', '172.16.0.0/12']],
    want: [
      'warning config/network-docker-bridge 16:172.16.0.0/12: 172.16.0.0/12 overlaps 172.17.0.0/16, the default of the Docker bridge',
      'config/network-overlap 16:172.16.0.0/12: clusterNetwork[0] 172.16.0.0/12 overlaps serviceNetwork[0] 172.30.0.0/16',
    ],
  },
  {
    rule: 24,
    name: 'every pair',
    edits: [['10.128.0.0/14', '128.0.0.0/1']],
    want: [
      'warning config/network-docker-bridge 16:128.0.0.0/1: 128.0.0.0/1 overlaps 172.17.0.0/16, the default of the Docker bridge',
      'config/network-reserved 16:128.0.0.0/1: 128.0.0.0/1 overlaps 169.254.0.0/17, which OVN-Kubernetes uses as its masquerade network | use another network',
      'config/network-overlap 16:128.0.0.0/1: clusterNetwork[0] 128.0.0.0/1 overlaps machineNetwork[0] 192.168.126.0/24',
      'config/network-overlap 16:128.0.0.0/1: clusterNetwork[0] 128.0.0.0/1 overlaps serviceNetwork[0] 172.30.0.0/16',
    ],
  },
  {
    rule: 24,
    name: 'two machine networks',
    edits: [['  - cidr: 192.168.126.0/24', '  - cidr: 192.168.126.0/24\n  - cidr: 192.168.0.0/16']],
    want: [
      'config/network-overlap 15:192.168.0.0/16: machineNetwork[1] 192.168.0.0/16 overlaps machineNetwork[0] 192.168.126.0/24',
    ],
  },
  {
    rule: 24,
    name: 'each network with each other',
    edits: [
      ['172.30.0.0/16', '192.168.0.0/17'],
      ['10.128.0.0/14', '192.168.0.0/16'],
    ],
    want: [
      'config/network-overlap 16:192.168.0.0/16: clusterNetwork[0] 192.168.0.0/16 overlaps machineNetwork[0] 192.168.126.0/24',
      'config/network-overlap 16:192.168.0.0/16: clusterNetwork[0] 192.168.0.0/16 overlaps serviceNetwork[0] 192.168.0.0/17',
      'config/network-overlap 19:192.168.0.0/17: serviceNetwork[0] 192.168.0.0/17 overlaps machineNetwork[0] 192.168.126.0/24',
    ],
  },
  {
    rule: 25,
    name: 'TEST-NET-1',
    edits: [['192.168.126.0/24', '192.0.2.0/25']],
    want: [
      'config/network-documentation 14:192.0.2.0/25: 192.0.2.0/25 is reserved for documentation, and the etcd operator rejects it | use the network that the node is in',
    ],
  },
  {
    rule: 25,
    name: 'IPv6',
    edits: [
      ['192.168.126.0/24', '2001:db8:1::/64'],
      ['172.30.0.0/16', 'fd02::/112'],
      ['10.128.0.0/14', 'fd01::/48'],
      ['hostPrefix: 23', 'hostPrefix: 64'],
    ],
    want: [
      'config/network-documentation 14:2001:db8:1::/64: 2001:db8:1::/64 is reserved for documentation, and the etcd operator rejects it | use the network that the node is in',
    ],
  },
  {
    rule: 26,
    name: 'too large',
    edits: [['172.30.0.0/16', '172.0.0.0/11']],
    want: [
      'warning config/network-docker-bridge 19:172.0.0.0/11: 172.0.0.0/11 overlaps 172.17.0.0/16, the default of the Docker bridge',
      'config/network-size 19:172.0.0.0/11: service network 172.0.0.0/11 is larger than /12 | take a /16',
    ],
  },
  {
    rule: 26,
    name: 'too small',
    edits: [['172.30.0.0/16', '172.30.0.0/29']],
    want: [
      'config/network-size 19:172.30.0.0/29: service network 172.30.0.0/29 is too small: cluster DNS uses its tenth address | take a /16',
    ],
  },
  {
    rule: 26,
    name: 'IPv6 too large',
    edits: [
      ['192.168.126.0/24', 'fd2e::/64'],
      ['172.30.0.0/16', 'fd02::/64'],
      ['10.128.0.0/14', 'fd01::/48'],
      ['hostPrefix: 23', 'hostPrefix: 64'],
    ],
    want: ['config/network-size 19:fd02::/64: service network fd02::/64 is larger than /108 | take a /112'],
  },
  {
    rule: 27,
    name: 'none',
    edits: [['    hostPrefix: 23\n', '']],
    want: [
      'config/host-prefix 16:cidr: 10.128.0.0/14: clusterNetwork[0] has no hostPrefix | write "hostPrefix: 23"',
    ],
  },
  {
    rule: 27,
    name: 'larger than the network',
    edits: [['hostPrefix: 23', 'hostPrefix: 13']],
    want: ['config/host-prefix 17:13: hostPrefix 13 is larger than the whole network 10.128.0.0/14'],
  },
  {
    rule: 27,
    name: 'too small for pods',
    edits: [['hostPrefix: 23', 'hostPrefix: 31']],
    want: ['config/host-prefix 17:31: hostPrefix 31 leaves no room for pods: at most 30'],
  },
  {
    rule: 27,
    name: 'two of a kind',
    edits: [['    hostPrefix: 23', '    hostPrefix: 23\n  - cidr: 10.132.0.0/14\n    hostPrefix: 24']],
    want: [
      'config/host-prefix 19:24: hostPrefix 24 differs from 23, the value of the first IPv4 cluster network',
    ],
  },
  {
    rule: 27,
    name: 'IPv6',
    edits: [
      ['192.168.126.0/24', 'fd2e::/64'],
      ['172.30.0.0/16', 'fd02::/112'],
      ['10.128.0.0/14', 'fd01::/48'],
    ],
    want: [
      'config/host-prefix 17:23: hostPrefix 23 is larger than the whole network fd01::/48 | write "hostPrefix: 64"',
    ],
  },
  {
    rule: 28,
    name: 'two of IPv4',
    edits: [['  - 172.30.0.0/16', '  - 172.30.0.0/16\n  - 172.31.0.0/16']],
    want: [
      'config/network-families 18:serviceNetwork: networking.serviceNetwork must contain one network | remove all but the first of each family',
    ],
  },
  {
    rule: 28,
    name: 'three with dual stack',
    edits: [
      ['  - 172.30.0.0/16', '  - 172.30.0.0/16\n  - fd02::/112\n  - fd03::/112'],
      ['  - cidr: 192.168.126.0/24', '  - cidr: 192.168.126.0/24\n  - cidr: fd2e::/64'],
      ['    hostPrefix: 23', '    hostPrefix: 23\n  - cidr: fd01::/48\n    hostPrefix: 64'],
    ],
    want: [
      'config/network-families 21:serviceNetwork: networking.serviceNetwork must contain one network of each family | remove all but the first of each family',
    ],
  },
  {
    rule: 29,
    name: 'services alone are IPv6',
    edits: [['172.30.0.0/16', 'fd02::/112']],
    want: [
      'config/network-families 13:machineNetwork: networking.machineNetwork has no IPv6 network and has an IPv4 network, while networking.serviceNetwork is IPv6 | give all three lists the same families',
      'config/network-families 15:clusterNetwork: networking.clusterNetwork has no IPv6 network and has an IPv4 network, while networking.serviceNetwork is IPv6 | give all three lists the same families',
    ],
  },
  {
    rule: 29,
    name: 'dual stack without machines',
    edits: [
      ['  - 172.30.0.0/16', '  - 172.30.0.0/16\n  - fd02::/112'],
      ['    hostPrefix: 23', '    hostPrefix: 23\n  - cidr: fd01::/48\n    hostPrefix: 64'],
    ],
    want: [
      'config/network-families 13:machineNetwork: networking.machineNetwork has no IPv6 network, while networking.serviceNetwork is IPv4 and IPv6 | give all three lists the same families',
    ],
  },
  {
    rule: 29,
    name: 'machines alone have both',
    edits: [['  - cidr: 192.168.126.0/24', '  - cidr: 192.168.126.0/24\n  - cidr: fd2e::/64']],
    want: [
      'warning config/network-family-spare 13:machineNetwork: networking.machineNetwork has an IPv6 network, while networking.serviceNetwork is IPv4 | remove it, unless the node has addresses in it that the cluster does not use',
    ],
  },
  {
    rule: 30,
    name: 'OpenShiftSDN',
    edits: [['networkType: OVNKubernetes', 'networkType: OpenShiftSDN']],
    want: [
      'config/network-type 12:OpenShiftSDN: networkType OpenShiftSDN was removed from OpenShift | use OVNKubernetes',
    ],
  },
  {
    rule: 30,
    name: 'Kuryr',
    edits: [['networkType: OVNKubernetes', 'networkType: Kuryr']],
    want: ['config/network-type 12:Kuryr: networkType Kuryr was removed from OpenShift | use OVNKubernetes'],
  },
  {
    rule: 30,
    name: 'a slip',
    edits: [['networkType: OVNKubernetes', 'networkType: OVNKubernets']],
    want: [
      'config/network-type 12:OVNKubernets: networkType "OVNKubernets" is not a network plugin | did you mean "OVNKubernetes"?',
    ],
  },
  {
    rule: 31,
    name: 'an MTU',
    edits: [['networkType: OVNKubernetes', 'networkType: OVNKubernetes\n  clusterNetworkMTU: 1400']],
    want: ['config/not-for-single-node 13:1400: clusterNetworkMTU is supported only on AWS | remove it'],
  },
  {
    rule: 32,
    name: 'another plugin',
    edits: [['networkType: OVNKubernetes', 'networkType: Calico\n  ovnKubernetesConfig: {}']],
    want: [
      'config/join-subnet 13:ovnKubernetesConfig: ovnKubernetesConfig has no effect with networkType "Calico" | remove it',
    ],
  },
  {
    rule: 33,
    name: 'host bits',
    edits: [
      [
        'networkType: OVNKubernetes',
        'networkType: OVNKubernetes\n  ovnKubernetesConfig: {ipv4: {internalJoinSubnet: 100.65.0.1/16}}',
      ],
    ],
    want: ['config/join-subnet 13:100.65.0.1/16: 100.65.0.1/16 has host bits set | write "100.65.0.0/16"'],
  },
  {
    rule: 33,
    name: 'IPv6',
    edits: [
      [
        'networkType: OVNKubernetes',
        'networkType: OVNKubernetes\n  ovnKubernetesConfig: {ipv4: {internalJoinSubnet: "fd98::/64"}}',
      ],
    ],
    want: ['config/join-subnet 13:"fd98::/64": internalJoinSubnet fd98::/64 must be an IPv4 network'],
  },
  {
    rule: 33,
    name: 'an overlap',
    edits: [
      [
        'networkType: OVNKubernetes',
        'networkType: OVNKubernetes\n  ovnKubernetesConfig: {ipv4: {internalJoinSubnet: 172.30.0.0/24}}',
      ],
    ],
    want: [
      'config/join-subnet 13:172.30.0.0/24: internalJoinSubnet 172.30.0.0/24 overlaps serviceNetwork[0] 172.30.0.0/16',
    ],
  },
  {
    rule: 33,
    name: 'an overlap with several networks',
    edits: [
      [
        'networkType: OVNKubernetes',
        'networkType: OVNKubernetes\n  ovnKubernetesConfig: {ipv4: {internalJoinSubnet: 128.0.0.0/1}}',
      ],
    ],
    want: [
      'config/join-subnet 13:128.0.0.0/1: internalJoinSubnet 128.0.0.0/1 overlaps machineNetwork[0] 192.168.126.0/24',
      'config/join-subnet 13:128.0.0.0/1: internalJoinSubnet 128.0.0.0/1 overlaps serviceNetwork[0] 172.30.0.0/16',
    ],
  },
  {
    rule: 33,
    name: 'too small',
    edits: [
      [
        'networkType: OVNKubernetes',
        'networkType: OVNKubernetes\n  ovnKubernetesConfig: {ipv4: {internalJoinSubnet: 100.65.0.0/23}}',
      ],
    ],
    want: [
      'config/join-subnet 13:100.65.0.0/23: internalJoinSubnet 100.65.0.0/23 has fewer addresses than the cluster network can have nodes',
    ],
  },
  {
    rule: 34,
    name: 'AWS',
    edits: [['  none: {}', '  aws: {region: us-east-1}']],
    want: [
      'config/platform 22:aws: platform aws is not supported for a single node; it must be none or external | write "platform:" and below it "  none: {}"',
    ],
  },
  {
    rule: 34,
    name: 'none and AWS',
    edits: [['  none: {}', '  none: {}\n  aws: {}']],
    want: [
      'config/platform 23:aws: platform aws is not supported for a single node; it must be none or external | write "platform:" and below it "  none: {}"',
    ],
  },
  {
    rule: 34,
    name: 'none and external',
    edits: [['  none: {}', '  none: {}\n  external: {}']],
    want: ['config/platform 23:external: platform is none and external | remove one of them'],
  },
  {
    rule: 34,
    name: 'nothing with external',
    edits: [['  none: {}', '  external: {platformName: oci, cloudControllerManager: External}']],
    want: [],
  },
  {
    rule: 34,
    name: 'null',
    edits: [['  none: {}', '  none:']],
    want: ['config/platform 21:platform: platform is empty | write "platform:" and below it "  none: {}"'],
  },
  {
    rule: 35,
    name: 'of AWS',
    edits: [['  replicas: 1', '  replicas: 1\n  platform: {aws: {type: m5.xlarge}}']],
    want: [
      'config/not-for-single-node 8:aws: machine settings of platform "aws" are not supported on platform none | write "platform: {}"',
    ],
  },
  {
    rule: 35,
    name: 'the platform of the cluster',
    edits: [['  replicas: 1', '  replicas: 1\n  platform: {none: {}}']],
    want: [
      'config/not-for-single-node 8:none: the platform of a machine pool has no field "none": on platform none it is "{}" or left out | write "platform: {}"',
    ],
  },
  {
    rule: 36,
    name: 'all of them',
    edits: [
      [
        'fips: false',
        'arbiter: {replicas: 1}\ncredentialsMode: Manual\npublish: Internal\noperatorPublishingStrategy: {apiserver: Internal}',
      ],
      [
        '  replicas: 1',
        '  replicas: 1\n  fencing: {credentials: []}\n  diskSetup: [{type: etcd}]\n  management: ClusterAPI',
      ],
    ],
    want: [
      'config/not-for-single-node 8:fencing: fencing is for two-node clusters, not for a single node | remove it',
      'config/not-for-single-node 9:diskSetup: diskSetup is for clusters whose machines the installer creates, not for a single node | remove it',
      'config/not-for-single-node 10:management: management is for AWS, not for a single node | remove it',
      'config/not-for-single-node 23:arbiter: arbiter is for clusters of two nodes and an arbiter, not for a single node | remove it',
      'config/not-for-single-node 24:credentialsMode: credentialsMode is for clouds, not for a single node | remove it',
      'config/not-for-single-node 25:Internal: publish Internal needs a cloud | write "publish: External"; your network controls access to the node',
      'config/not-for-single-node 26:operatorPublishingStrategy: operatorPublishingStrategy is for Azure, not for a single node | remove it',
    ],
  },
  {
    rule: 37,
    name: 'three',
    edits: [['replicas: 1', 'replicas: 3']],
    want: [
      'config/replicas 7:3: controlPlane.replicas must be 1 for a single node, not 3 | write "replicas: 1"',
    ],
  },
  {
    rule: 38,
    name: 'another name',
    edits: [['name: master', 'name: boss']],
    want: [
      'warning config/ignored-value 6:boss: controlPlane.name is always master; "boss" is ignored | write "name: master"',
    ],
  },
  {
    rule: 39,
    name: 'edge',
    edits: [['name: worker', 'name: edge']],
    want: [
      'config/compute-pool 9:edge: a compute pool must be named worker, not "edge" | write "name: worker"',
    ],
  },
  {
    rule: 39,
    name: 'two',
    edits: [['- name: worker\n  replicas: 0', '- name: worker\n- name: worker']],
    want: ['config/compute-pool 10:worker: there are two compute pools named worker | keep one'],
  },
  {
    rule: 40,
    name: 'arm64 below amd64',
    edits: [['- name: worker', '- name: worker\n  architecture: arm64']],
    want: [
      'config/architecture 10:arm64: compute[0] is arm64 while controlPlane is amd64 | write "architecture: amd64", or leave it out',
    ],
  },
  {
    rule: 42,
    name: 'a blank',
    edits: [['/dev/disk/by-id/wwn-0x5000c500a0b1c2d3', '/dev/sda --append-karg=x']],
    want: [
      'config/installation-disk 24:/dev/sda --append-karg=x: installationDisk "/dev/sda --append-karg=x" contains a space | write the path of one disk, preferably below /dev/disk/by-id/',
    ],
  },
  {
    rule: 42,
    name: 'a shell character',
    edits: [['/dev/disk/by-id/wwn-0x5000c500a0b1c2d3', '/dev/$(reboot)']],
    want: [
      'config/installation-disk 24:/dev/$(reboot): installationDisk "/dev/$(reboot)" is not a plain device path | write the path of one disk, preferably below /dev/disk/by-id/',
    ],
  },
  {
    rule: 42,
    name: 'a parent',
    edits: [['/dev/disk/by-id/wwn-0x5000c500a0b1c2d3', '/dev/../etc/passwd']],
    want: [
      'config/installation-disk 24:/dev/../etc/passwd: installationDisk "/dev/../etc/passwd" is not a plain device path | write the path of one disk, preferably below /dev/disk/by-id/',
    ],
  },
  {
    rule: 42,
    name: 'no /dev',
    edits: [['/dev/disk/by-id/wwn-0x5000c500a0b1c2d3', 'vda']],
    want: [
      'config/installation-disk 24:vda: installationDisk "vda" is not a path below /dev | write "/dev/vda"',
    ],
  },
  {
    rule: 42,
    name: 'a serial number',
    edits: [['/dev/disk/by-id/wwn-0x5000c500a0b1c2d3', 'S6B2NX0T512345']],
    want: [
      'config/installation-disk 24:S6B2NX0T512345: installationDisk "S6B2NX0T512345" is not a path below /dev | write the path of one disk, preferably below /dev/disk/by-id/; for a serial number use rootDeviceHints in sno-config.yaml',
    ],
  },
  {
    rule: 42,
    name: 'another folder',
    edits: [['/dev/disk/by-id/wwn-0x5000c500a0b1c2d3', '/mnt/disk']],
    want: [
      'config/installation-disk 24:/mnt/disk: installationDisk "/mnt/disk" is not a path below /dev | write the path of one disk, preferably below /dev/disk/by-id/',
    ],
  },
  {
    rule: 42,
    name: 'an option',
    edits: [['/dev/disk/by-id/wwn-0x5000c500a0b1c2d3', "'--help'"]],
    want: [
      'config/installation-disk 24:\'--help\': installationDisk "--help" is not a path below /dev | write the path of one disk, preferably below /dev/disk/by-id/',
    ],
  },
  {
    rule: 42,
    name: 'a folder',
    edits: [['/dev/disk/by-id/wwn-0x5000c500a0b1c2d3', '/dev/']],
    want: [
      'config/installation-disk 24:/dev/: installationDisk "/dev/" is not a plain device path | write the path of one disk, preferably below /dev/disk/by-id/',
    ],
  },
  {
    rule: 42,
    name: 'a partition',
    edits: [['/dev/disk/by-id/wwn-0x5000c500a0b1c2d3', '/dev/sda1']],
    want: [
      'config/installation-disk 24:/dev/sda1: installationDisk /dev/sda1 is a partition; the node needs a whole disk | write the path of one disk, preferably below /dev/disk/by-id/',
    ],
  },
  {
    rule: 42,
    name: 'a partition by id',
    edits: [['/dev/disk/by-id/wwn-0x5000c500a0b1c2d3', '/dev/disk/by-id/wwn-0x5000c500a0b1c2d3-part3']],
    want: [
      'config/installation-disk 24:/dev/disk/by-id/wwn-0x5000c500a0b1c2d3-p: installationDisk /dev/disk/by-id/wwn-0x5000c500a0b1c2d3-part3 is a partition; the node needs a whole disk | write the path of one disk, preferably below /dev/disk/by-id/',
    ],
  },
  {
    rule: 42,
    name: 'a partition by its label',
    edits: [['/dev/disk/by-id/wwn-0x5000c500a0b1c2d3', '/dev/disk/by-partlabel/root']],
    want: [
      'config/installation-disk 24:/dev/disk/by-partlabel/root: installationDisk /dev/disk/by-partlabel/root is a partition or a file system, like all names in by-partlabel; the node needs a whole disk | write the path of one disk, preferably below /dev/disk/by-id/',
    ],
  },
  {
    rule: 42,
    name: 'a partition by its UUID',
    edits: [['/dev/disk/by-id/wwn-0x5000c500a0b1c2d3', '/dev/disk/by-partuuid/01']],
    want: [
      'config/installation-disk 24:/dev/disk/by-partuuid/01: installationDisk /dev/disk/by-partuuid/01 is a partition or a file system, like all names in by-partuuid; the node needs a whole disk | write the path of one disk, preferably below /dev/disk/by-id/',
    ],
  },
  {
    rule: 42,
    name: 'a file system by its UUID',
    edits: [['/dev/disk/by-id/wwn-0x5000c500a0b1c2d3', '/dev/disk/by-uuid/01']],
    want: [
      'config/installation-disk 24:/dev/disk/by-uuid/01: installationDisk /dev/disk/by-uuid/01 is a partition or a file system, like all names in by-uuid; the node needs a whole disk | write the path of one disk, preferably below /dev/disk/by-id/',
    ],
  },
  {
    rule: 42,
    name: 'a file system by its label',
    edits: [['/dev/disk/by-id/wwn-0x5000c500a0b1c2d3', '/dev/disk/by-label/root']],
    want: [
      'config/installation-disk 24:/dev/disk/by-label/root: installationDisk /dev/disk/by-label/root is a partition or a file system, like all names in by-label; the node needs a whole disk | write the path of one disk, preferably below /dev/disk/by-id/',
    ],
  },
  {
    rule: 42,
    name: 'a placeholder in a path',
    edits: [['/dev/disk/by-id/wwn-0x5000c500a0b1c2d3', '/dev/disk/by-id/<disk_id>']],
    want: [
      'config/installation-disk 24:/dev/disk/by-id/<disk_id>: installationDisk "/dev/disk/by-id/<disk_id>" is not a plain device path | fill it in: "<…>" is still there',
    ],
  },
  {
    rule: 43,
    name: 'the number of a disk',
    edits: [['/dev/disk/by-id/wwn-0x5000c500a0b1c2d3', '/dev/disk/by-diskseq/1']],
    want: [
      'warning config/installation-disk-name 24:/dev/disk/by-diskseq/1: /dev/disk/by-diskseq/1 is numbered in the order of detection, so it may be another disk at the next boot | use a name below /dev/disk/by-id, as "ls -l /dev/disk/by-id" in the live system lists them',
    ],
  },
  {
    rule: 43,
    name: 'a disk of a virtual machine',
    edits: [['/dev/disk/by-id/wwn-0x5000c500a0b1c2d3', '/dev/vda']],
    want: [
      'warning config/installation-disk-name 24:/dev/vda: /dev/vda is a disk of a virtual machine; physical machines have no such disk | use a name below /dev/disk/by-id, as "ls -l /dev/disk/by-id" in the live system lists them',
    ],
  },
  {
    rule: 43,
    name: 'a software RAID',
    edits: [['/dev/disk/by-id/wwn-0x5000c500a0b1c2d3', '/dev/md127']],
    want: [
      'warning config/installation-disk-name 24:/dev/md127: /dev/md127 is a software RAID array, which has to exist before the installation and may get another name in the live system | use a name below /dev/disk/by-id, as "ls -l /dev/disk/by-id" in the live system lists them',
    ],
  },
  {
    rule: 43,
    name: 'sda',
    edits: [['/dev/disk/by-id/wwn-0x5000c500a0b1c2d3', '/dev/sda']],
    want: [
      'warning config/installation-disk-name 24:/dev/sda: /dev/sda may be another disk at the next boot, and the installation would erase it | use a name below /dev/disk/by-id, as "ls -l /dev/disk/by-id" in the live system lists them',
    ],
  },
  {
    rule: 43,
    name: 'nvme',
    edits: [['/dev/disk/by-id/wwn-0x5000c500a0b1c2d3', '/dev/nvme0n1']],
    want: [
      'warning config/installation-disk-name 24:/dev/nvme0n1: /dev/nvme0n1 may be another disk at the next boot, and the installation would erase it | use a name below /dev/disk/by-id, as "ls -l /dev/disk/by-id" in the live system lists them',
    ],
  },
  {
    rule: 43,
    name: 'the name of a path group that the kernel counts',
    edits: [['/dev/disk/by-id/wwn-0x5000c500a0b1c2d3', '/dev/dm-0']],
    want: [
      'warning config/installation-disk-name 24:/dev/dm-0: /dev/dm-0 may be another disk at the next boot, and the installation would erase it | use a name below /dev/disk/by-id, as "ls -l /dev/disk/by-id" in the live system lists them',
    ],
  },
  {
    rule: 43,
    name: 'the name of a card that the kernel counts',
    edits: [['/dev/disk/by-id/wwn-0x5000c500a0b1c2d3', '/dev/mmcblk0']],
    want: [
      'warning config/installation-disk-name 24:/dev/mmcblk0: /dev/mmcblk0 may be another disk at the next boot, and the installation would erase it | use a name below /dev/disk/by-id, as "ls -l /dev/disk/by-id" in the live system lists them',
    ],
  },
  {
    rule: 44,
    name: 'neither',
    edits: [['fips: false', 'proxy: {noProxy: example.com}']],
    want: [
      'config/missing-field 20:proxy: proxy has neither httpProxy nor httpsProxy | set one of them, or remove proxy',
    ],
  },
  {
    rule: 45,
    name: 'no scheme',
    edits: [['fips: false', 'proxy: {httpProxy: "proxy.example.com:3128"}']],
    want: [
      'config/proxy-url 20:"proxy.example.com:3128": proxy.httpProxy is not an absolute URL | write it as http://host:port, with characters such as "@" in a password as "%40"',
    ],
  },
  {
    rule: 45,
    name: 'https for http',
    edits: [['fips: false', 'proxy: {httpProxy: "https://user:throwaway@proxy.example.com"}']],
    want: [
      'config/proxy-url 20:"https://user:throwaway@proxy.example.co: proxy.httpProxy must be an http URL, not https | write it as http://host:port, with characters such as "@" in a password as "%40"',
    ],
  },
  {
    rule: 45,
    name: 'socks',
    edits: [['fips: false', 'proxy: {httpsProxy: "socks5://proxy.example.com"}']],
    want: [
      'config/proxy-url 20:"socks5://proxy.example.com": proxy.httpsProxy must be an http or https URL, not socks5 | write it as http://host:port, with characters such as "@" in a password as "%40"',
    ],
  },
  {
    rule: 45,
    name: 'a blank',
    edits: [['fips: false', 'proxy: {httpProxy: "http://us er:throwaway@proxy.example.com"}']],
    want: [
      'config/proxy-url 20:"http://us er:throwaway@proxy.example.co: proxy.httpProxy contains a character that is not allowed in a URL | write it as http://host:port, with characters such as "@" in a password as "%40"',
    ],
  },
  {
    rule: 45,
    name: 'no host',
    edits: [['fips: false', 'proxy: {httpProxy: "http://:3128"}']],
    want: [
      'config/proxy-url 20:"http://:3128": proxy.httpProxy is not a URL | write it as http://host:port, with characters such as "@" in a password as "%40"',
    ],
  },
  {
    rule: 46,
    name: 'within the services',
    edits: [['fips: false', 'proxy: {httpProxy: "http://172.30.0.5:3128"}']],
    want: [
      'config/proxy-url 20:"http://172.30.0.5:3128": proxy.httpProxy has an address in serviceNetwork | use the address of the proxy outside the cluster',
    ],
  },
  {
    rule: 47,
    name: 'a bare %',
    edits: [['fips: false', 'proxy: {httpProxy: "http://user:p%ss@proxy.example.com"}']],
    want: [
      'config/proxy-url 20:"http://user:p%ss@proxy.example.com": proxy.httpProxy has a "%" that is not followed by two hexadecimal digits | write it as http://host:port, with characters such as "@" in a password as "%40"',
    ],
  },
  {
    rule: 47,
    name: 'a bare % and another scheme',
    edits: [['fips: false', 'proxy: {httpProxy: "https://user:p%ss@proxy.example.com"}']],
    want: [
      'config/proxy-url 20:"https://user:p%ss@proxy.example.com": proxy.httpProxy must be an http URL, not https | write it as http://host:port, with characters such as "@" in a password as "%40"',
      'config/proxy-url 20:"https://user:p%ss@proxy.example.com": proxy.httpProxy has a "%" that is not followed by two hexadecimal digits | write it as http://host:port, with characters such as "@" in a password as "%40"',
    ],
  },
  {
    rule: 48,
    name: 'a blank',
    edits: [
      [
        'fips: false',
        'proxy: {httpProxy: "http://proxy.example.com", noProxy: "a.example.com, b.example.com"}',
      ],
    ],
    want: [
      'config/no-proxy 20:"a.example.com, b.example.com": noProxy contains a space | separate the items with commas only',
    ],
  },
  {
    rule: 48,
    name: 'a wildcard',
    edits: [
      ['fips: false', 'proxy: {httpProxy: "http://proxy.example.com", noProxy: "*.example.com,,10.0.0.0/8"}'],
    ],
    want: [
      'config/no-proxy 20:"*.example.com,,10.0.0.0/8": noProxy item "*.example.com" is not a domain, address or network | write ".example.com" for a domain and its subdomains',
      'config/no-proxy 20:"*.example.com,,10.0.0.0/8": noProxy has an empty item',
    ],
  },
  {
    rule: 49,
    name: 'forms',
    edits: [
      [
        'fips: false',
        'imageDigestSources:\n- source: https://quay.io/a\n  mirrors: [quay.io/b:latest, "quay.io/c@sha256:0000000000000000000000000000000000000000000000000000000000000000", quay, quay.io]',
      ],
    ],
    want: [
      'config/image-source 21:https://quay.io/a: "https://quay.io/a" has a scheme | leave "https://" out',
      'config/image-source 22:quay.io/b:latest: "quay.io/b:latest" has a tag | write "quay.io/b"',
      'config/image-source 22:"quay.io/c@sha256:0000000000000000000000: "quay.io/c@sha256:0000000000000000000000000000000000000000000…" has a digest | write "quay.io/c"',
      'config/image-source 22:quay: "quay" is not a repository with a registry host | write it as registry.example.com:5000/path',
    ],
  },
  {
    rule: 50,
    name: 'no mirror',
    edits: [['fips: false', 'imageDigestSources:\n- source: quay.io/a\n  sourcePolicy: NeverContactSource']],
    want: [
      'config/image-source 22:NeverContactSource: sourcePolicy has no effect without mirrors | add mirrors, or remove it',
    ],
  },
  {
    rule: 51,
    name: 'another registry',
    edits: [
      [
        'fips: false',
        'imageDigestSources:\n- source: quay.io/a\n  mirrors: ["registry.example.com:5000/a", quay.io/b]\n- source: quay.io/b\n  mirrors: ["registry.example.com:5000/b"]',
      ],
    ],
    want: [
      'warning config/mirror-without-credentials 22:"registry.example.com:5000/a": pullSecret has no credentials for the mirror registry "registry.example.com:5000" | add them, unless the registry allows anonymous pulls',
    ],
  },
  {
    rule: 52,
    name: 'both',
    edits: [
      [
        'fips: false',
        'imageDigestSources: [{source: quay.io/a}]\nimageContentSources: [{source: quay.io/a}]',
      ],
    ],
    want: [
      'config/deprecated-conflict 21:imageContentSources: imageContentSources and imageDigestSources are both given | move everything to imageDigestSources',
      'warning config/deprecated-field 21:imageContentSources: imageContentSources is deprecated | rename it to imageDigestSources',
    ],
  },
  {
    rule: 9,
    name: 'a capability set that no release has, which is no misspelled v4.12',
    edits: [['fips: false', 'capabilities: {baselineCapabilitySet: v4.22}']],
    want: [
      'config/unsupported-value 20:v4.22: capabilities.baselineCapabilitySet must be None, v4.11, v4.12, v4.13, v4.14, v4.15, v4.16, v4.17, v4.18 or vCurrent, not "v4.22" | write vCurrent for everything that release 4.22 has; its newest numbered set is v4.18',
    ],
  },
  {
    rule: 56,
    name: 'without the set',
    edits: [['fips: false', 'featureGates: [A=true]']],
    want: [
      'config/feature-gate 20:featureGates: featureGates needs featureSet CustomNoUpgrade | write "featureSet: CustomNoUpgrade"; the cluster cannot be upgraded then',
    ],
  },
  {
    rule: 56,
    name: 'forms',
    edits: [
      [
        'fips: false',
        'featureSet: CustomNoUpgrade\nfeatureGates: [A, B=yes, C=true, C=false, ConfigurablePKI=true, ConfigurablePKI=true]',
      ],
    ],
    want: [
      'config/feature-gate 21:A: feature gate "A" is not of the form Name=true or Name=false',
      'config/feature-gate 21:B=yes: feature gate "B=yes" is not of the form Name=true or Name=false',
      'config/feature-gate 21:C=false: feature gate "C=false" is listed twice',
      'config/feature-gate 21:ConfigurablePKI=true: feature gate "ConfigurablePKI=true" is listed twice',
    ],
  },
  {
    rule: 56,
    name: 'spelling; Kubernetes has more gates than OpenShift lists',
    edits: [
      [
        'fips: false',
        'featureSet: CustomNoUpgrade\nfeatureGates: [ConfigurablePkI=true, GatwayAPI=true, KMSv2=true, CPUManagerPolicyBetaOptions=true, OnClusterBuild=false]',
      ],
    ],
    want: [
      'warning config/feature-gate-unknown 21:ConfigurablePkI=true: OpenShift has no feature gate "ConfigurablePkI": every component ignores it | did you mean "ConfigurablePKI"?',
      'warning config/feature-gate-unknown 21:GatwayAPI=true: OpenShift has no feature gate "GatwayAPI": every component ignores it | did you mean "GatewayAPI"?',
    ],
  },
  {
    rule: 57,
    name: 'without the feature',
    edits: [['fips: false', 'pki: {signerCertificates: {key: {algorithm: RSA, rsa: {keySize: 4096}}}}']],
    want: [
      'config/pki 20:pki: pki needs the feature ConfigurablePKI, which is a technology preview | remove it, or set featureSet; certificates.keyAlgorithm of sno-config.yaml sets the keys of the installation',
    ],
  },
  {
    rule: 57,
    name: 'a key that is not generated: algorithm: RSA, rsa: {keySize: 8192}',
    edits: [
      [
        'fips: false',
        'featureSet: TechPreviewNoUpgrade\npki: {signerCertificates: {key: {algorithm: RSA, rsa: {keySize: 8192}}}}',
      ],
    ],
    want: [
      'config/pki 21:key: sno-install cannot generate such keys: it generates RSA keys of 2048, 3072 and 4096 bits, and ECDSA keys on P256 and P384 | choose one of these',
    ],
  },
  {
    rule: 57,
    name: 'a key that is not generated: algorithm: ECDSA, ecdsa: {curve: P521}',
    edits: [
      [
        'fips: false',
        'featureSet: TechPreviewNoUpgrade\npki: {signerCertificates: {key: {algorithm: ECDSA, ecdsa: {curve: P521}}}}',
      ],
    ],
    want: [
      'config/pki 21:key: sno-install cannot generate such keys: it generates RSA keys of 2048, 3072 and 4096 bits, and ECDSA keys on P256 and P384 | choose one of these',
    ],
  },
  {
    rule: 57,
    name: 'no algorithm',
    edits: [
      [
        'fips: false',
        'featureSet: TechPreviewNoUpgrade\npki: {signerCertificates: {key: {rsa: {keySize: 4096}}}}',
      ],
    ],
    want: ['config/pki 21:key: pki needs an algorithm, RSA or ECDSA'],
  },
  {
    rule: 57,
    name: 'an odd size',
    edits: [
      [
        'fips: false',
        'featureSet: TechPreviewNoUpgrade\npki: {signerCertificates: {key: {algorithm: RSA, rsa: {keySize: 2049}}}}',
      ],
    ],
    want: ['config/pki 21:2049: keySize must be a multiple of 1024 from 2048 to 8192'],
  },
  {
    rule: 57,
    name: 'settings of the other',
    edits: [
      [
        'fips: false',
        'featureSet: CustomNoUpgrade\nfeatureGates: [ConfigurablePKI=true]\npki: {signerCertificates: {key: {algorithm: ECDSA, rsa: {keySize: 2048}}}}',
      ],
    ],
    want: ['config/pki 22:rsa: rsa cannot be set with algorithm ECDSA'],
  },
  {
    rule: 57,
    name: 'no curve',
    edits: [
      [
        'fips: false',
        'featureSet: TechPreviewNoUpgrade\npki: {signerCertificates: {key: {algorithm: ECDSA}}}',
      ],
    ],
    want: ['config/pki 21:key: algorithm ECDSA needs a curve'],
  },
  {
    rule: 57,
    name: 'a curve for RSA',
    edits: [
      [
        'fips: false',
        'featureSet: TechPreviewNoUpgrade\npki: {signerCertificates: {key: {algorithm: RSA, ecdsa: {curve: P256}}}}',
      ],
    ],
    want: ['config/pki 21:ecdsa: ecdsa cannot be set with algorithm RSA'],
  },
  {
    rule: 57,
    name: 'nothing',
    edits: [['fips: false', 'featureSet: TechPreviewNoUpgrade\npki: {}']],
    want: ['config/pki 21:pki: pki.signerCertificates.key is missing'],
  },
  {
    rule: 58,
    name: 'all of them',
    edits: [
      [
        /networking:\n(?: {2}.*\n)+/,
        'networking:\n  type: OVNKubernetes\n  machineCIDR: 192.168.126.0/24\n  serviceCIDR: 172.30.0.0/16\n  clusterNetworks:\n  - cidr: 10.128.0.0/14\n    hostSubnetLength: 9\n',
      ],
    ],
    want: [
      'warning config/deprecated-field 12:type: networking.type is deprecated and read as networking.networkType | rename it to networkType',
      'warning config/deprecated-field 13:machineCIDR: networking.machineCIDR is deprecated and read as networking.machineNetwork | rename it to machineNetwork',
      'warning config/deprecated-field 14:serviceCIDR: networking.serviceCIDR is deprecated and read as networking.serviceNetwork | rename it to serviceNetwork',
      'warning config/deprecated-field 15:clusterNetworks: networking.clusterNetworks is deprecated and read as networking.clusterNetwork | rename it to clusterNetwork',
      'warning config/deprecated-field 17:hostSubnetLength: hostSubnetLength 9 is read as hostPrefix 23 | write "hostPrefix: 23"',
    ],
  },
  {
    rule: 58,
    name: 'a mistake in an old field',
    edits: [
      [
        /networking:\n(?: {2}.*\n)+/,
        'networking:\n  type: OVNKubernetes\n  machineCIDR: 192.168.126.1/24\n  serviceCIDR: 172.30.0.0/16\n  clusterNetworks:\n  - cidr: 10.128.0.0/14\n    hostSubnetLength: 31\n',
      ],
    ],
    want: [
      'warning config/deprecated-field 12:type: networking.type is deprecated and read as networking.networkType | rename it to networkType',
      'warning config/deprecated-field 13:machineCIDR: networking.machineCIDR is deprecated and read as networking.machineNetwork | rename it to machineNetwork',
      'config/network-address 13:192.168.126.1/24: 192.168.126.1/24 has host bits set | write "192.168.126.0/24"',
      'warning config/deprecated-field 14:serviceCIDR: networking.serviceCIDR is deprecated and read as networking.serviceNetwork | rename it to serviceNetwork',
      'warning config/deprecated-field 15:clusterNetworks: networking.clusterNetworks is deprecated and read as networking.clusterNetwork | rename it to clusterNetwork',
      'warning config/deprecated-field 17:hostSubnetLength: hostSubnetLength 31 is read as hostPrefix 1 | write "hostPrefix: 1"',
      'config/host-prefix 17:31: hostPrefix 1 is larger than the whole network 10.128.0.0/14',
    ],
  },
  {
    rule: 59,
    name: 'another network',
    edits: [['networking:\n', 'networking:\n  machineCIDR: 192.168.127.0/24\n  type: OVNKubernetes\n']],
    want: [
      'warning config/deprecated-field 12:machineCIDR: networking.machineCIDR is deprecated and read as networking.machineNetwork | rename it to machineNetwork',
      'config/deprecated-conflict 12:machineCIDR: machineCIDR is deprecated and differs from machineNetwork | remove machineCIDR',
      'warning config/deprecated-field 13:type: networking.type is deprecated and read as networking.networkType | rename it to networkType',
    ],
  },
  {
    rule: 60,
    name: 'of a list',
    edits: [['    hostPrefix: 23', '    hostSubnetLength: 9']],
    want: [
      'warning config/deprecated-field 17:hostSubnetLength: hostSubnetLength 9 is read as hostPrefix 23 | write "hostPrefix: 23"',
    ],
  },
  {
    rule: 59,
    name: 'another hostPrefix',
    edits: [['    hostPrefix: 23', '    hostPrefix: 23\n    hostSubnetLength: 8']],
    want: [
      'config/deprecated-conflict 18:hostSubnetLength: hostSubnetLength is deprecated and differs from hostPrefix | remove hostSubnetLength',
      'warning config/deprecated-field 18:hostSubnetLength: hostSubnetLength 8 is read as hostPrefix 24 | write "hostPrefix: 24"',
    ],
  },
  {
    rule: 61,
    name: 'lower case',
    edits: [['networkType: OVNKubernetes', 'networkType: ovnkubernetes']],
    want: [
      'warning config/deprecated-field 12:ovnkubernetes: networkType ovnkubernetes is read as OVNKubernetes | write "OVNKubernetes"',
    ],
  },
  {
    rule: 62,
    name: 'the old form',
    edits: [['fips: false', 'imageContentSources: [{source: quay.io/a, mirrors: [quay.io/b]}]']],
    want: [
      'warning config/deprecated-field 20:imageContentSources: imageContentSources is deprecated | rename it to imageDigestSources',
    ],
  },
  {
    rule: 4,
    name: 'a key that is indented deeper than the one above it',
    edits: [['- name: worker\n  replicas: 0', '- name: worker\n   replicas: 0']],
    want: [
      'config/yaml-syntax 10:replicas: 0: this line is indented more than its siblings | start it in column 3',
    ],
  },
  {
    rule: 4,
    name: 'two keys on one line',
    edits: [['fips: false', 'fips: publish: External']],
    want: [
      'config/yaml-syntax 20:p: two keys are on one line | start a new line for the second; when ": " is part of a text, put the text in single quotes',
    ],
  },
  {
    rule: 4,
    name: 'a template that was not filled in',
    edits: [['baseDomain: example.com', 'baseDomain: {{ domain }}']],
    want: [
      'config/yaml-syntax 2:{ domain }: a key must be a string | fill in the template: "{{ … }}" is still there',
    ],
  },
  {
    rule: 4,
    name: 'a template within a text',
    edits: [['baseDomain: example.com', 'baseDomain: {{ domain }}.com']],
    want: [
      'config/yaml-syntax 2:.com: this is not expected here | fill in the template: "{{ … }}" is still there',
    ],
  },
  {
    rule: 6,
    name: 'fields of agent-config.yaml',
    edits: [['fips: false', 'rendezvousIP: 192.168.126.10']],
    want: [
      'config/unknown-field 20:rendezvousIP: unknown field "rendezvousIP" | write it as nodeIP in sno-config.yaml',
    ],
  },
  {
    rule: 6,
    name: 'settings of platform none',
    edits: [['none: {}', 'none: {foo: 1}']],
    want: ['config/unknown-field 22:foo: unknown field "foo" in platform.none'],
  },
  {
    rule: 7,
    name: 'a map for a service network',
    edits: [['  - 172.30.0.0/16', '  - cidr: 172.30.0.0/16']],
    want: [
      'config/wrong-type 19:cidr: 172.30.0.0/16: networking.serviceNetwork[0] must be a string, not a map of fields | write the value alone, without "cidr"',
    ],
  },
  {
    rule: 7,
    name: 'a text for a machine network',
    edits: [['  - cidr: 192.168.126.0/24', '  - 192.168.126.0/24']],
    want: [
      'config/wrong-type 14:192.168.126.0/24: networking.machineNetwork[0] must be a map of fields, not a string | write "cidr: 192.168.126.0/24"',
    ],
  },
  {
    rule: 7,
    name: 'a list of keys',
    edits: [[/sshKey: (.*)/, 'sshKey:\n- $1']],
    want: [
      'config/wrong-type 26:sshKey: sshKey must be a string, not a list | write one string; for several lines start with "|" and put each on its own line',
    ],
  },
  {
    rule: 8,
    name: 'a compute pool without a name',
    edits: [['- name: worker\n  replicas: 0', '- replicas: 0']],
    want: [
      'config/missing-field 9:replicas: 0: compute[0].name is missing | Always `worker` on platform none',
    ],
  },
  {
    rule: 9,
    name: 'an empty capability',
    edits: [
      ['fips: false', "capabilities: {baselineCapabilitySet: vCurrent, additionalEnabledCapabilities: ['']}"],
    ],
    want: [
      "config/missing-field 20:'': capabilities.additionalEnabledCapabilities[0] is empty | An optional component of a cluster",
    ],
  },
  {
    rule: 11,
    name: 'the base domain in the name',
    edits: [['name: sno', 'name: sno.example.com']],
    want: [
      'config/cluster-name 4:sno.example.com: metadata.name "sno.example.com" already contains the base domain: the cluster domain would be "sno.example.com.example.com" | write "sno"',
    ],
  },
  {
    rule: 12,
    name: 'a template in quotes',
    edits: [['baseDomain: example.com', "baseDomain: '{{ domain }}'"]],
    want: [
      'config/base-domain 2:\'{{ domain }}\': baseDomain "{{ domain }}" is not a domain name: only letters, digits, "-" and "." are allowed | fill in the template: "{{ … }}" is still there',
    ],
  },
  {
    rule: 12,
    name: 'a word that stands for what is to be filled in',
    edits: [['baseDomain: example.com', 'baseDomain: BASE_DOMAIN']],
    want: [
      'config/base-domain 2:BASE_DOMAIN: baseDomain "BASE_DOMAIN" is not a domain name: it has upper-case letters | replace it, if it is a placeholder',
    ],
  },
  {
    rule: 14,
    name: 'JSON broken within a text',
    edits: [
      [
        /pullSecret: .*/,
        'pullSecret: |\n  {"auths":{"quay.io":{"auth":"dGhyb3dhd2F5\n  OnRocm93YXdheQ=="}}}',
      ],
    ],
    want: ['config/pull-secret 25:|: pullSecret contains line breaks | put the whole JSON on one line'],
  },
  {
    rule: 15,
    name: 'an entry broken over lines',
    edits: [
      [/pullSecret: .*/, 'pullSecret: \'{"auths":{"quay.io":{"auth":"dGhyb3dhd2F5\n  OnRocm93YXdheQ=="}}}\''],
    ],
    want: [
      'config/pull-secret 25:\'{"auths":{"quay.io":{"auth":"dGhyb3dhd2: the entry of "quay.io" in pullSecret has an "auth" that contains a space or a line break | log in with podman and use its auth.json, or download the pull secret again',
    ],
  },
  {
    rule: 16,
    name: 'U+A0 between the fields',
    edits: [[/sshKey: ssh-ed25519 (.*)/, 'sshKey: |\n  ssh-ed25519\u00a0$1']],
    want: [
      'config/ssh-key 27:ssh-ed25519\u00a0AAAAC3NzaC1lZDI1NTE5AAAAIJ5i: line 1 of sshKey is not a public key: it has the character U+00A0, expected a space or a tab | paste the line of a file such as ~/.ssh/id_ed25519.pub',
    ],
  },
  ...[
    ['\\v', 'U+000B'],
    ['\\r', 'U+000D'],
    ['\\u2028', 'U+2028'],
    ['\\u0085', 'U+0085'],
  ].map(([escape = '', code = '']) => ({
    rule: 16,
    name: `${escape} between the fields`,
    edits: [[/sshKey: ssh-ed25519 (.*)/, `sshKey: "ssh-ed25519${escape}$1"`]] as const,
    want: [
      `config/ssh-key 26:${`"ssh-ed25519${escape}AAAAC3NzaC1lZDI1NTE5AAAAIJ`.slice(0, 40)}: line 1 of sshKey is not a public key: it has the character ${code}, expected a space or a tab | paste the line of a file such as ~/.ssh/id_ed25519.pub`,
    ],
  })),
  {
    rule: 36,
    name: 'empty maps',
    edits: [['fips: false', 'arbiter: {}\noperatorPublishingStrategy: {}']],
    want: [
      'config/not-for-single-node 20:arbiter: arbiter is for clusters of two nodes and an arbiter, not for a single node | remove it',
      'config/not-for-single-node 21:operatorPublishingStrategy: operatorPublishingStrategy is for Azure, not for a single node | remove it',
    ],
  },
  {
    rule: 45,
    name: 'an escaped host',
    edits: [['fips: false', 'proxy: {httpProxy: "http://%70"}']],
    want: [
      'config/proxy-url 20:"http://%70": proxy.httpProxy contains "%" in its host name | write it as http://host:port, with characters such as "@" in a password as "%40"',
    ],
  },
  {
    rule: 48,
    name: 'upper case',
    edits: [['fips: false', 'proxy: {httpProxy: "http://proxy:3128", noProxy: A.com}']],
    want: [
      'config/no-proxy 20:A.com: noProxy item "A.com" is not a domain, address or network | write "a.com"',
    ],
  },
  {
    rule: 49,
    name: 'a mirror by IPv6 address',
    edits: [['fips: false', "imageDigestSources: [{source: quay.io/a, mirrors: ['[fd00::1]:5000/a']}]"]],
    want: [
      'config/image-source 20:\'[fd00::1]:5000/a\': "[fd00::1]:5000/a" has an IPv6 address as its registry | use a DNS name for the registry',
    ],
  },
  {
    rule: 98,
    name: 'two workers',
    edits: [['  replicas: 0', '  replicas: 2']],
    want: [
      'warning config/workers-awaited 10:2: with compute[0].replicas 2 the control-plane node runs no workloads, and the installation is complete only when workers have joined | write "replicas: 0" and add workers when the cluster is up, or boot them with worker.ign during the installation',
    ],
  },
];
