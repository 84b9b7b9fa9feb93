import { aioRuleCases } from './aio-rule-cases.js';
import type { RuleCase } from './install-rule-cases.js';
import { networkRuleCases } from './network-rule-cases.js';

const reportUrls = [
  ['no URL', 'boot.example.com', 'is not a URL'],
  [
    'a URL without TLS',
    'http://boot.example.com',
    'must start with https://, because the token of the site is sent to it',
  ],
  [
    'a user',
    'https://me:throwaway@boot.example.com',
    'contains a user; reports are authenticated by a token',
  ],
  ['a query', 'https://boot.example.com/?site=1', 'contains a query or a fragment'],
  ['a quote', 'https://boot.example.com/"', 'contains an invalid character'],
] as const;

const tangThumbprint = 'o6U9qKv0_XdugefJV3q_NknYTY4Xgw27kcUnErkrVCY';

const variableHint =
  ' | names of environment variables contain only letters, digits and "_"; in a fleet, add a column for the variable, because site names may contain "-"';

const nameForm = 'it is not a name as lsblk prints it';
const nameExample = 'write it as "lsblk --output NAME,WWN" prints it, such as "0x5000c500a1b2c3d4"';
const extensionForm = 'the extension is 0x and the last 16 digits of a name with 32';
const addressForm = 'numbers of a SCSI address have no leading zeros';

/** A hint that matches no disk, the end of the message, and its hint. */
const hintForms = [
  ['wwn: naa.5000c500a1b2c3d4', `wwn "naa.5000c500a1b2c3d4": ${nameForm}`, 'write "0x5000c500a1b2c3d4"'],
  ['wwn: NAA.5000C500A1B2C3D4', `wwn "NAA.5000C500A1B2C3D4": ${nameForm}`, 'write "0x5000c500a1b2c3d4"'],
  ['wwn: 5000c500a1b2c3d4', `wwn "5000c500a1b2c3d4": ${nameForm}`, 'write "0x5000c500a1b2c3d4"'],
  ['wwn: wwn-0x5000c500a1b2c3d4', `wwn "wwn-0x5000c500a1b2c3d4": ${nameForm}`, 'write "0x5000c500a1b2c3d4"'],
  [
    'wwn: nvme-eui.0025385b01403e7d',
    `wwn "nvme-eui.0025385b01403e7d": ${nameForm}`,
    'write "eui.0025385b01403e7d"',
  ],
  ['wwn: "0x5000c500a1b2c3"', `wwn "0x5000c500a1b2c3": ${nameForm}`, nameExample],
  [
    'wwnWithExtension: naa.600508b1001c5e6fabcdef0123456789',
    `wwnWithExtension "naa.600508b1001c5e6fabcdef0123456789": ${nameForm}`,
    'write "0x600508b1001c5e6fabcdef0123456789"',
  ],
  [
    'wwnWithExtension: "0x600508b1001c5e6f"',
    'wwnWithExtension "0x600508b1001c5e6f": a name that begins with 6 has 32 digits',
    'write all of them, or use wwn',
  ],
  [
    'wwnVendorExtension: abcdef0123456789',
    `wwnVendorExtension "abcdef0123456789": ${extensionForm}`,
    'write "0xabcdef0123456789"',
  ],
  [
    'wwnVendorExtension: "0x600508b1001c5e6fabcdef0123456789"',
    `wwnVendorExtension "0x600508b1001c5e6fabcdef0123456789": ${extensionForm}`,
    'write "0xabcdef0123456789"',
  ],
  ['hctl: "00:02:00:10"', `hctl "00:02:00:10": ${addressForm}`, 'write "0:2:0:10"'],
  [
    'model: PERC*',
    'model "PERC*": it is compared as plain text, without wildcards',
    'write the part without *',
  ],
  [
    'minSizeGigabytes: 480103981056',
    'minSizeGigabytes 480103981056: it is larger than any disk',
    'write units of 10^9 bytes, such as 480',
  ],
] as const;

/** Hints that a disk can match: blanks at the ends and case do not count. */
export const soundHints = [
  'wwn: "0x5000C500A1B2C3D4"',
  'wwn: " 0x5000c500a1b2c3d4 "',
  'wwn: "0x600508b1001c5e6fabcdef0123456789"',
  'wwn: "0x600508b1001c5e6f"',
  'wwn: eui.0025385b01403e7d',
  'wwn: uuid.2f3a1c9e-0d4b-4a57-9a43-0c1d2e3f4a5b',
  'wwn: nvme.1b36-4c41422d303030312d-51454d55204e564d65-00000001',
  'wwnWithExtension: "0x5000c500a1b2c3d4"',
  'wwnVendorExtension: "0xabcdef0123456789"',
  'hctl: "0:2:0:0"',
  'model: PERC H755',
  'serialNumber: "  S6ESNX0R100123 "',
  'minSizeGigabytes: 245760',
];

export const snoRuleCases: readonly RuleCase[] = [
  ...aioRuleCases,
  ...networkRuleCases,
  {
    rule: 143,
    name: 'static addresses and no name',
    edits: [
      ['hostname: node-1\n', ''],
      [
        'extraManifests:\n- extra\n',
        'extraManifests:\n- extra\nnetwork:\n  interfaces: [{ name: eno1, ipv4: { enabled: true, address: [{ ip: 192.168.126.10, prefix-length: 24 }] } }]\n  dns-resolver: { config: { server: [192.168.126.1] } }\n  routes: { config: [{ destination: 0.0.0.0/0, next-hop-address: 192.168.126.1, next-hop-interface: eno1 }] }\n',
      ],
    ],
    want: [
      'warning config/no-hostname 27:network: all addresses are static, so DHCP gives the node no name; without a PTR record it is called localhost and never joins | add hostname',
    ],
  },
  {
    rule: 6,
    name: 'a mistyped field',
    edits: [['hostname', 'hostnme']],
    want: ['config/unknown-field 3:hostnme: unknown field "hostnme" | did you mean "hostname"?'],
  },
  {
    rule: 6,
    name: 'a field of install-config.yaml',
    edits: [['nodeIP: 192.168.126.10', 'sshKey: x']],
    want: [
      'config/unknown-field 4:sshKey: unknown field "sshKey"',
      'config/local-dns 19:true: dns.local needs nodeIP, the address that the node answers with | add nodeIP',
    ],
  },
  {
    rule: 8,
    name: 'no apiVersion',
    edits: [['apiVersion: sno-install/v1alpha1\n', '']],
    want: ['config/missing-field 1:k: apiVersion is missing | Version of the format: `sno-install/v1alpha1`'],
  },
  {
    rule: 8,
    name: 'no kind',
    edits: [['kind: SingleNodeConfig\n', '']],
    want: ['config/missing-field 1:a: kind is missing | Always `SingleNodeConfig`'],
  },
  {
    rule: 9,
    name: 'a key algorithm nobody knows',
    edits: [['keyAlgorithm: RSA-2048', 'keyAlgorithm: RSA-1024']],
    want: [
      'config/unsupported-value 13:RSA-1024: certificates.keyAlgorithm must be RSA-2048, RSA-3072, RSA-4096, ECDSA-P256 or ECDSA-P384, not "RSA-1024"',
    ],
  },
  {
    rule: 9,
    name: 'a renderer nobody knows',
    edits: [['render: Release', 'render: Operators']],
    want: [
      'config/unsupported-value 9:Operators: controlPlane.render must be Installer or Release, not "Operators"',
    ],
  },
  {
    rule: 70,
    name: 'another version',
    edits: [['sno-install/v1alpha1', 'v1']],
    want: [
      'config/api-version 1:v1: apiVersion must be sno-install/v1alpha1, not "v1" | write "apiVersion: sno-install/v1alpha1"',
    ],
  },
  {
    rule: 70,
    name: 'another kind',
    edits: [['SingleNodeConfig', 'AgentConfig']],
    want: [
      'config/api-version 2:AgentConfig: kind must be SingleNodeConfig, not "AgentConfig" | write "kind: SingleNodeConfig"',
    ],
  },
  {
    rule: 71,
    name: 'upper case',
    edits: [['hostname: node-1', 'hostname: Node-1']],
    want: ['config/hostname 3:Node-1: hostname "Node-1" is not a valid node name: it has upper-case letters'],
  },
  {
    rule: 71,
    name: 'too long',
    edits: [
      [
        'hostname: node-1',
        'hostname: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb',
      ],
    ],
    want: [
      'config/hostname 3:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa: hostname "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.bbbbbbbbbbbbbbbbbbb…" is not a valid node name: it is longer than 63 characters',
    ],
  },
  {
    rule: 71,
    name: 'localhost',
    edits: [['hostname: node-1', 'hostname: localhost.localdomain']],
    want: [
      'config/hostname 3:localhost.localdomain: hostname localhost.localdomain contains localhost, so the node waits forever for another name | use another name, or leave hostname out for DHCP to set it',
    ],
  },
  ...['mylocalhost', 'localhost4', 'localhost-1', 'node.localhost.example.com'].map((name) => ({
    rule: 71,
    name,
    edits: [['hostname: node-1', `hostname: ${name}`]] as const,
    want: [
      `config/hostname 3:${name}: hostname ${name} contains localhost, so the node waits forever for another name | use another name, or leave hostname out for DHCP to set it`,
    ],
  })),
  {
    rule: 72,
    name: 'no address',
    edits: [['192.168.126.10', 'node-1']],
    want: ['config/node-ip 4:node-1: nodeIP "node-1" is not an address'],
  },
  {
    rule: 72,
    name: 'a prefix length',
    edits: [['192.168.126.10', '192.168.126.10/24']],
    want: [
      'config/node-ip 4:192.168.126.10/24: nodeIP "192.168.126.10/24" is not an address | leave the prefix length out',
    ],
  },
  {
    rule: 72,
    name: 'of another network',
    edits: [['192.168.126.10', '192.168.127.10']],
    want: [
      'config/node-ip 4:192.168.127.10: nodeIP 192.168.127.10 is in none of the machine networks (192.168.126.0/24)',
    ],
  },
  {
    rule: 72,
    name: 'the network address',
    edits: [['192.168.126.10', '192.168.126.0']],
    want: [
      'config/node-ip 4:192.168.126.0: nodeIP 192.168.126.0 is the network or the broadcast address of its machine network',
    ],
  },
  {
    rule: 72,
    name: 'the broadcast address',
    edits: [['192.168.126.10', '192.168.126.255']],
    want: [
      'config/node-ip 4:192.168.126.255: nodeIP 192.168.126.255 is the network or the broadcast address of its machine network',
    ],
  },
  {
    rule: 72,
    name: 'of another family',
    edits: [['192.168.126.10', 'fd2e::10']],
    want: ['config/node-ip 4:fd2e::10: nodeIP fd2e::10 is IPv6, while the first service network is IPv4'],
  },
  {
    rule: 73,
    name: 'no nodeIP',
    edits: [['nodeIP: 192.168.126.10\n', '']],
    want: [
      'config/local-dns 18:true: dns.local needs nodeIP, the address that the node answers with | add nodeIP',
    ],
  },
  {
    rule: 74,
    name: 'options',
    edits: [['- time.example.com', '- time.example.com iburst']],
    want: [
      'config/ntp-source 21:time.example.com iburst: time server "time.example.com iburst" is neither a domain name nor an address',
    ],
  },
  {
    rule: 75,
    name: 'a blank',
    edits: [['- console=ttyS0', '- console=ttyS0 quiet']],
    want: [
      'config/kernel-argument 24:console=ttyS0 quiet: kernel argument "console=ttyS0 quiet" contains a space | write each argument as a separate item',
    ],
  },
  {
    rule: 75,
    name: 'a quote',
    edits: [['- console=ttyS0', '- \'a="b"\'']],
    want: [
      'config/kernel-argument 24:\'a="b"\': kernel argument "a=\\"b\\"" contains a character that has a special meaning for the boot loader',
    ],
  },
  {
    rule: 75,
    name: 'nothing',
    edits: [['- console=ttyS0', "- ''"]],
    want: ["config/kernel-argument 24:'': a kernel argument is empty"],
  },
  ...(
    [
      [
        'a key with a blank',
        "'a b': c",
        "'a b'",
        '"…" is not a key for a label, expected letters, digits, "-", "_" and ".", with a letter or digit at both ends and at most 63 characters | a prefix of a domain and "/" is allowed',
      ],
      [
        'a key with two slashes',
        'a/b/c: d',
        'a/b/c',
        '"a/b/c" is not a key for a label, expected letters, digits, "-", "_" and ".", with a letter or digit at both ends and at most 63 characters | a prefix of a domain and "/" is allowed',
      ],
      [
        'a domain in upper case',
        'Example.com/a: d',
        'Example.com/a',
        '"Example.com/a" is not a key for a label, expected letters, digits, "-", "_" and ".", with a letter or digit at both ends and at most 63 characters | a prefix of a domain and "/" is allowed',
      ],
      [
        'a value with a blank',
        'site: rack 1',
        'rack 1',
        '"rack 1" is not a value for a label, expected at most 63 letters, digits, "-", "_" and ".", with a letter or digit at both ends | annotate the node when it is up: `oc annotate node`',
      ],
      [
        'a role',
        "node-role.kubernetes.io/infra: ''",
        'node-role.kubernetes.io/infra',
        'a kubelet must not set the label node-role.kubernetes.io/infra of its own node | set it when the node is up: `oc label node`',
      ],
      [
        'a restricted label',
        'node-restriction.kubernetes.io/a: b',
        'node-restriction.kubernetes.io/a',
        'a kubelet must not set the label node-restriction.kubernetes.io/a of its own node | set it when the node is up: `oc label node`',
      ],
      [
        'a label of a project',
        'ptp.k8s.io/a: b',
        'ptp.k8s.io/a',
        'a kubelet must not set the label ptp.k8s.io/a of its own node | set it when the node is up: `oc label node`',
      ],
      [
        'the hostname',
        'kubernetes.io/hostname: a',
        'kubernetes.io/hostname',
        'the kubelet sets the label kubernetes.io/hostname | remove it',
      ],
      [
        'the role of the node',
        "node-role.kubernetes.io/master: ''",
        'node-role.kubernetes.io/master',
        'the machine config operator sets the label node-role.kubernetes.io/master | remove it',
      ],
    ] as const
  ).map(([name, label, shown, want]) => ({
    rule: 160,
    name,
    edits: [['reinstall:', `nodeLabels: { ${label} }\nreinstall:`]] as const,
    want: [`config/node-label 25:${shown}: ${want}`],
  })),
  ...(
    [
      [
        161,
        'neither tpm2 nor tang',
        '{}',
        'diskEncryption',
        'diskEncryption has neither tpm2 nor tang, so nothing would unlock the disk | add "tpm2: true" or Tang servers, or remove diskEncryption',
      ],
      [
        161,
        'tpm2 false',
        '{ tpm2: false, tang: [] }',
        'diskEncryption',
        'diskEncryption has neither tpm2 nor tang, so nothing would unlock the disk | add "tpm2: true" or Tang servers, or remove diskEncryption',
      ],
      [
        161,
        'too large a threshold',
        '{ tpm2: true, threshold: 2 }',
        '2',
        'threshold is 2, but only 1 is given to unlock the disk | write at most 1, or add Tang servers',
      ],
      [
        162,
        'another scheme',
        `{ tang: [{ url: "ftp://tang.example.com", thumbprint: ${tangThumbprint} }] }`,
        '"ftp://tang.example.com"',
        'tang[0].url must start with http:// or https:// | write the server, such as http://tang.example.com:7500',
      ],
      [
        162,
        'no scheme',
        `{ tang: [{ url: tang.example.com, thumbprint: ${tangThumbprint} }] }`,
        'tang.example.com',
        'tang[0].url is not a URL | write the server, such as http://tang.example.com:7500',
      ],
      [
        162,
        'a user',
        `{ tang: [{ url: "http://me:throwaway@tang.example.com", thumbprint: ${tangThumbprint} }] }`,
        '"http://me:throwaway@tang.example.com"',
        'tang[0].url contains a user | write the server, such as http://tang.example.com:7500',
      ],
      [
        162,
        'a query',
        `{ tang: [{ url: "http://tang.example.com/?a", thumbprint: ${tangThumbprint} }] }`,
        '"http://tang.example.com/?a"',
        'tang[0].url contains a query or a fragment | write the server, such as http://tang.example.com:7500',
      ],
      [
        162,
        'a short thumbprint',
        '{ tang: [{ url: "http://tang.example.com", thumbprint: abc }] }',
        'abc',
        'tang[0].thumbprint is not a thumbprint of a key: it has 3 characters, expected 43 of A-Z, a-z, 0-9, "-" and "_" | run `tang-show-keys PORT` on the server',
      ],
      [
        162,
        'a server twice',
        `{ tang: [{ url: "http://tang.example.com", thumbprint: ${tangThumbprint} }, { url: "http://tang.example.com/", thumbprint: ${tangThumbprint} }] }`,
        '"http://tang.example.com/"',
        'tang[1].url is given twice, and counts once | write the server, such as http://tang.example.com:7500',
      ],
    ] as const
  ).map(([rule, name, value, shown, want]) => ({
    rule,
    name,
    edits: [['reinstall:', `diskEncryption: ${value}\nreinstall:`]] as const,
    want: [`config/disk-encryption 25:${shown}: ${want}`],
  })),
  {
    rule: 162,
    name: 'a server with TLS',
    edits: [
      [
        'reinstall:',
        `diskEncryption: { tang: [{ url: "https://tang.example.com", thumbprint: ${tangThumbprint} }] }\nreinstall:`,
      ],
    ],
    want: [
      'warning config/tang-tls 25:"https://tang.example.com": the initramfs verifies the certificate with the CAs of the CoreOS image; it has no CA of yours, nor additionalTrustBundle | use http, unless a public CA issued the certificate: the Tang protocol does not need TLS',
    ],
  },
  ...[
    '{ tpm2: true }',
    `{ tpm2: true, threshold: 3, tang: [{ url: "http://192.0.2.1:7500", thumbprint: ${tangThumbprint} }, { url: "http://[2001:db8::1]", thumbprint: kWwirxc5PhkFIH0yE28nc-EvjDY }] }`,
  ].map((value) => ({
    rule: 161,
    name: `nothing with ${value}`,
    edits: [['reinstall:', `diskEncryption: ${value}\nreinstall:`]] as const,
    want: [],
  })),
  {
    rule: 160,
    name: 'labels that a kubelet can set',
    edits: [
      [
        'reinstall:',
        "nodeLabels: { site: '', example.com/a: b.c-d_e, topology.kubernetes.io/zone: z, a.node.kubernetes.io/b: c, kubelet.kubernetes.io/d: e, node-role.kubernetes.io/worker: '' }\nreinstall:",
      ],
    ],
    want: [],
  },
  {
    rule: 151,
    name: 'no hint',
    edits: [['reinstall:', 'rootDeviceHints: {}\nreinstall:']],
    want: [
      'config/root-device-hints 25:rootDeviceHints: rootDeviceHints has no hint, so every disk would match | add a hint, for example serialNumber',
    ],
  },
  {
    rule: 151,
    name: 'a blank in a World Wide Name',
    edits: [['reinstall:', 'rootDeviceHints: { wwn: 0x5000 c500, serialNumber: " " }\nreinstall:']],
    want: [
      'config/root-device-hints 25:0x5000 c500: wwn "0x5000 c500" contains a space',
      'config/root-device-hints 25:" ": serialNumber is empty | remove it, or write its value',
    ],
  },
  ...hintForms.map(([hint, problem, fix]) => ({
    rule: 156,
    name: hint,
    edits: [['reinstall:', `rootDeviceHints: { ${hint} }\nreinstall:`]] as const,
    want: [
      `warning config/root-device-hint-form 25:${hint.slice(hint.indexOf(' ') + 1)}: no disk matches ${problem} | ${fix}`,
    ],
  })),
  {
    rule: 159,
    name: 'a payload that is removed',
    edits: [['reinstall:', 'payload: { file: 4.22.0-x86_64.payload, keep: false }\nreinstall:']],
    want: [
      'config/payload-keep 25:false: payload.keep is false, but the cluster pulls from the payload after the installation too, and has no other source for its images | remove keep; a larger disk has space for the payload',
    ],
  },
  {
    rule: 152,
    name: 'a kernel name alone',
    edits: [['reinstall:', 'rootDeviceHints: { deviceName: /dev/sda, rotational: false }\nreinstall:']],
    want: [
      'warning config/installation-disk-name 25:/dev/sda: /dev/sda may be another disk at the next boot, and the installation would erase it | use a name below /dev/disk/by-id, as "ls -l /dev/disk/by-id" in the live system lists them',
    ],
  },
  {
    rule: 152,
    name: 'a kernel name with a serial number',
    edits: [['reinstall:', 'rootDeviceHints: { deviceName: /dev/sda, serialNumber: 12345678 }\nreinstall:']],
    want: [],
  },
  {
    rule: 152,
    name: 'no path',
    edits: [['reinstall:', 'rootDeviceHints: { deviceName: sda }\nreinstall:']],
    want: ['config/installation-disk 25:sda: deviceName "sda" is not a path below /dev | write "/dev/sda"'],
  },
  {
    rule: 153,
    name: 'patterns of other partitions',
    edits: [
      [
        'reinstall:',
        'coreosInstaller: { savePartitionLabels: ["data*", "[a-c]?", "my data", "[!br]oot.*"] }\nreinstall:',
      ],
    ],
    want: [],
  },
  ...(
    [
      ['roo?', 'matches root, a partition of the operating system'],
      ['[!d]oot', 'matches boot, a partition of the operating system'],
    ] as const
  ).map(([pattern, message]) => ({
    rule: 153,
    name: pattern,
    edits: [['reinstall:', `coreosInstaller: { savePartitionLabels: ['${pattern}'] }\nreinstall:`]] as const,
    want: [
      `config/saved-partition 25:'${pattern}': label pattern "${pattern}" ${message} | write a pattern that matches only your partitions; the installation replaces those of the operating system`,
    ],
  })),
  ...['**', 'a\\b', '[]', '[a', '[z-a]', '!(a)', 'a^b'].map((pattern) => ({
    rule: 153,
    name: `the pattern ${pattern}`,
    edits: [['reinstall:', `coreosInstaller: { savePartitionLabels: ['${pattern}'] }\nreinstall:`]] as const,
    want: [
      `config/saved-partition 25:'${pattern}': label pattern ${JSON.stringify(pattern)} is not a glob that the installation supports | write letters, digits and . _ : + # @ -, "*" for any text, "?" for one character and [a-z] for one of several`,
    ],
  })),
  {
    rule: 154,
    name: 'indexes of other partitions',
    edits: [['reinstall:', 'coreosInstaller: { savePartitionIndexes: [5, 7-9, "10-"] }\nreinstall:']],
    want: [],
  },
  ...(['a', '5-6-7', '-'] as const).map((index) => ({
    rule: 154,
    name: `the index ${index}`,
    edits: [['reinstall:', `coreosInstaller: { savePartitionIndexes: ['${index}'] }\nreinstall:`]] as const,
    want: [
      `config/saved-partition 25:'${index}': partition index "${index}" is neither a number nor a range | write a number such as 5, or a range such as 5-7 or 5-`,
    ],
  })),
  {
    rule: 155,
    name: 'two arguments in one',
    edits: [
      [
        'reinstall:',
        "coreosInstaller: { appendKernelArguments: ['a b'], deleteKernelArguments: [''] }\nreinstall:",
      ],
    ],
    want: [
      'config/kernel-argument 25:\'a b\': kernel argument "a b" contains a space | write each argument as a separate item',
      "config/kernel-argument 25:'': a kernel argument is empty",
    ],
  },
  {
    rule: 76,
    name: 'no registry',
    edits: [['quay.io/openshift-release-dev/ocp-release:4.21.0-x86_64', 'openshift/release:4.21']],
    want: [
      'config/release-image 5:openshift/release:4.21: releaseImage "openshift/release:4.21" is not a pull spec with its registry',
    ],
  },
  {
    rule: 76,
    name: 'no tag',
    edits: [['ocp-release:4.21.0-x86_64', 'ocp-release']],
    want: [
      'config/release-image 5:quay.io/openshift-release-dev/ocp-releas: releaseImage "quay.io/openshift-release-dev/ocp-release" has neither a tag nor a digest',
    ],
  },
  {
    rule: 76,
    name: 'a placeholder digest',
    edits: [['ocp-release:4.21.0-x86_64', `ocp-release@sha256:${'0'.repeat(64)}`]],
    want: [
      'config/release-image 5:quay.io/openshift-release-dev/ocp-releas: releaseImage "quay.io/openshift-release-dev/ocp-release@sha256:00000000000…" has a placeholder as its digest',
    ],
  },
  {
    rule: 76,
    name: 'a short digest',
    edits: [['quay.io/openshift-release-dev/ocp-release:4.21.0-x86_64', 'quay.io/a/b@sha256:0123abc']],
    want: [
      'config/release-image 5:quay.io/a/b@sha256:0123abc: releaseImage "quay.io/a/b@sha256:0123abc" has a digest that is not "sha256:" and 64 hexadecimal digits',
    ],
  },
  {
    rule: 77,
    name: 'a word',
    edits: [['releaseVersion: 4.21', 'releaseVersion: latest']],
    want: [
      'config/release-version 6:latest: releaseVersion "latest" is not a version such as 4.18 or 4.18.3',
    ],
  },
  {
    rule: 77,
    name: 'another version',
    edits: [['releaseVersion: 4.21', 'releaseVersion: 4.20']],
    want: [
      'config/release-version 6:4.20: releaseVersion 4.20 differs from the tag of releaseImage, 4.21 | leave it out',
    ],
  },
  {
    rule: 77,
    name: 'another patch version',
    edits: [['releaseVersion: 4.21', 'releaseVersion: 4.21.3']],
    want: [
      'config/release-version 6:4.21.3: releaseVersion 4.21.3 differs from the tag of releaseImage, 4.21.0 | leave it out',
    ],
  },
  {
    rule: 78,
    name: 'Installer with a feature set of the payload',
    edits: [['render: Release', 'render: Installer']],
    installEdits: [['fips: false\n', 'fips: false\nfeatureSet: TechPreviewNoUpgrade\n']],
    want: [
      'config/render-unavailable 9:Installer: controlPlane.render Installer is not supported with featureSet TechPreviewNoUpgrade | write "render: Release", or leave it out',
    ],
  },
  {
    rule: 79,
    name: 'no duration',
    edits: [['validity: 30d', 'validity: a month']],
    want: [
      'config/duration 11:a month: certificates.validity "a month" is not a duration | write whole numbers with units, such as 720h, 30d or 1h30m',
    ],
  },
  {
    rule: 79,
    name: 'a bare number',
    edits: [['validity: 30d', 'validity: 30']],
    want: [
      'config/duration 11:30: certificates.validity "30" is not a duration | write whole numbers with units, such as 720h, 30d or 1h30m',
    ],
  },
  {
    rule: 79,
    name: 'too short',
    edits: [['validity: 30d', 'validity: 23h']],
    want: ['config/duration 11:23h: certificates.validity 23h is not between 24h and 10y'],
  },
  {
    rule: 79,
    name: 'too long',
    edits: [['validity: 30d', 'validity: 11y']],
    want: ['config/duration 11:11y: certificates.validity 11y is not between 24h and 10y'],
  },
  {
    rule: 80,
    name: 'too long',
    edits: [['backdate: 1h', 'backdate: 25h']],
    want: ['config/duration 12:25h: certificates.backdate 25h is not between 0s and 24h'],
  },
  {
    rule: 80,
    name: 'negative',
    edits: [['backdate: 1h', 'backdate: -1h']],
    want: [
      'config/duration 12:-1h: certificates.backdate "-1h" is not a duration | write whole numbers with units, such as 720h, 30d or 1h30m',
    ],
  },
  {
    rule: 81,
    name: 'no part of it',
    edits: [['criticalPods: 10s', 'criticalPods: 60s']],
    want: ['config/graceful-shutdown 17:60s: criticalPods 60s must be less than total 60s'],
  },
  {
    rule: 81,
    name: 'nothing',
    edits: [['criticalPods: 10s', 'criticalPods: 0s']],
    want: ['config/duration 17:0s: kubelet.gracefulShutdown.criticalPods 0s is not between 1s and 24h'],
  },
  {
    rule: 81,
    name: 'no duration',
    edits: [['total: 60s', 'total: 60']],
    want: [
      'config/duration 16:60: kubelet.gracefulShutdown.total "60" is not a duration | write whole numbers with units, such as 720h, 30d or 1h30m',
    ],
  },
  {
    rule: 82,
    name: 'empty paths',
    edits: [
      ['imageReferences: image-references', "imageReferences: ''"],
      ['- extra', "- ' '"],
    ],
    want: [
      'config/path 7:imageReferences: imageReferences has an empty path',
      "config/path 27:' ': extraManifests has an empty path",
    ],
  },
  {
    rule: 82,
    name: 'a line break',
    edits: [['- extra', '- "a\\nb"']],
    want: ['config/path 27:"a\\nb": extraManifests has a path with control characters'],
  },
  {
    rule: 146,
    name: 'too short',
    edits: [['postInstallTimeout: 90m', 'postInstallTimeout: 59s']],
    want: ['config/duration 28:59s: postInstallTimeout 59s is not between 1m and 24h'],
  },
  {
    rule: 146,
    name: 'no duration',
    edits: [['postInstallTimeout: 90m', 'postInstallTimeout: 90 minutes']],
    want: [
      'config/duration 28:90 minutes: postInstallTimeout "90 minutes" is not a duration | write whole numbers with units, such as 720h, 30d or 1h30m',
    ],
  },
  ...['env:1st', 'env:a-b', "'   '"].map((reference) => ({
    rule: 116,
    name: `the reference ${reference}`,
    edits: [['hostname: node-1', `pullSecretFile: ${reference}\nhostname: node-1`]] as const,
    want: [
      `config/reference 3:${reference}: pullSecretFile must be a path, env:NAME or -${reference.startsWith('env:') ? variableHint : ''}`,
    ],
  })),
  ...reportUrls.map(([name, url, fault]) => ({
    rule: 117,
    name,
    edits: [['reinstall: SameCluster', `reinstall: SameCluster\nreport: { url: '${url}' }`] as const],
    want: [
      `config/report 26:'${url}': report.url ${fault} | write only the server, such as https://boot.example.com:8443`,
    ],
  })),
  {
    rule: 117,
    name: 'a bundle without a certificate',
    edits: [
      [
        'reinstall: SameCluster',
        "reinstall: SameCluster\nreport: { url: 'https://boot.example.com', caBundle: '' }",
      ],
    ],
    want: [
      'config/report 26:caBundle: report.caBundle contains no certificate | write the CA certificate of the server below "caBundle: |", each line indented',
    ],
  },
];
