import type { RuleCase } from './install-rule-cases.js';

const kubelet = { path: '/usr/local/bin/kubelet', url: 'https://dl.k8s.io/v1.36.3/bin/linux/amd64/kubelet' };
const sha256 = 'a'.repeat(64);

/** Appends these fields to the valid config; indented lines extend `controlPlane`. */
function added(text: string): RuleCase['edits'] {
  return [['- extra\n', `- extra\n${text}`]];
}

function inControlPlane(text: string): RuleCase['edits'] {
  return [['render: Release\n', `render: Release\n${text}`]];
}

function file(fields: Readonly<Record<string, string | undefined>>): string {
  const all: Readonly<Record<string, string | undefined>> = { ...kubelet, sha256, ...fields };
  const lines = Object.entries(all).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}: ${value}`],
  );
  return `    - ${lines.join('\n      ')}\n`;
}

function files(...texts: readonly string[]): RuleCase['edits'] {
  return added(`aio:\n  files:\n${texts.join('')}`);
}

/** One fault of the all-in-one control plane per case, by rule. */
export const aioRuleCases: readonly RuleCase[] = [
  {
    rule: 90,
    name: 'a leading v',
    edits: inControlPlane('  kubernetesVersion: v1.36.3\n'),
    want: [
      'config/kubernetes-version 10:v1.36.3: kubernetesVersion "v1.36.3" is not a version such as 1.36.3 | leave the "v" out',
    ],
  },
  {
    rule: 90,
    name: 'a minor alone',
    edits: inControlPlane("  kubernetesVersion: '1.36'\n"),
    want: ['config/kubernetes-version 10:\'1.36\': kubernetesVersion "1.36" is not a version such as 1.36.3'],
  },
  {
    rule: 90,
    name: 'a version whose flags nobody knows',
    edits: inControlPlane('  kubernetesVersion: 1.99.0\n'),
    want: [
      'warning config/kubernetes-untested 10:1.99.0: Kubernetes 1.99.0 is not one of the supported versions 1.27 to 1.36',
    ],
  },
  {
    rule: 91,
    name: 'no registry',
    edits: inControlPlane('  images:\n    etcd: etcd:3.6\n'),
    want: ['config/image 11:etcd:3.6: the image "etcd:3.6" is not a pull spec with its registry'],
  },
  {
    rule: 91,
    name: 'no tag',
    edits: inControlPlane('  images:\n    coredns: registry.k8s.io/coredns/coredns\n'),
    want: [
      'config/image 11:registry.k8s.io/coredns/coredns: the image "registry.k8s.io/coredns/coredns" has neither a tag nor a digest',
    ],
  },
  {
    rule: 92,
    name: 'dashes',
    edits: inControlPlane('  extraArguments:\n    etcd:\n      --quota-backend-bytes: ["1"]\n'),
    want: [
      'config/extra-argument 12:--quota-backend-bytes: "--quota-backend-bytes" is not a flag without dashes | write "audit-log-maxage: [\'30\']"',
    ],
  },
  {
    rule: 92,
    name: 'no value',
    edits: inControlPlane('  extraArguments:\n    kubelet:\n      v: []\n'),
    want: ['config/extra-argument 12:v: the flag v has no value'],
  },
  {
    rule: 92,
    name: 'two lines',
    edits: inControlPlane('  extraArguments:\n    kubelet:\n      v: ["1\\n2"]\n'),
    want: ['config/extra-argument 12:"1\\n2": a value of the flag v has control characters'],
  },
  {
    rule: 93,
    name: 'too long',
    edits: inControlPlane('  certificates:\n    signers: 31y\n'),
    want: ['config/duration 11:31y: controlPlane.certificates.signers 31y is not between 1y and 30y'],
  },
  {
    rule: 93,
    name: 'too short',
    edits: inControlPlane('  certificates:\n    leaves: 1d\n'),
    want: ['config/duration 11:1d: controlPlane.certificates.leaves 1d is not between 7d and 5y'],
  },
  {
    rule: 93,
    name: 'no duration',
    edits: inControlPlane('  certificates:\n    leaves: a year\n'),
    want: [
      'config/duration 11:a year: controlPlane.certificates.leaves "a year" is not a duration | write whole numbers with units, such as 720h, 30d or 1h30m',
    ],
  },
  {
    rule: 93,
    name: 'leaves that outlive',
    edits: inControlPlane('  certificates:\n    signers: 2y\n    leaves: 400d\n'),
    want: [
      'config/certificate-lifetimes 12:400d: certificates.leaves is more than half of certificates.signers',
    ],
  },
  {
    rule: 93,
    name: 'authorities too short for the usual leaves',
    edits: inControlPlane('  certificates:\n    signers: 1y\n'),
    want: [
      'config/certificate-lifetimes 11:1y: certificates.leaves is more than half of certificates.signers',
    ],
  },
  {
    rule: 94,
    name: 'a relative path',
    edits: files(file({ path: 'kubelet' })),
    want: ['config/fetched-file 30:kubelet: the path "kubelet" is not a plain absolute path'],
  },
  {
    rule: 94,
    name: 'a path with dots',
    edits: files(file({ path: '/usr/local/../bin/kubelet' })),
    want: [
      'config/fetched-file 30:/usr/local/../bin/kubelet: the path "/usr/local/../bin/kubelet" is not a plain absolute path',
    ],
  },
  {
    rule: 94,
    name: 'a read-only folder',
    edits: files(file({ path: '/usr/bin/kubelet' })),
    want: [
      'config/fetched-file 30:/usr/bin/kubelet: the path "/usr/bin/kubelet" is in a folder that is read-only on CoreOS',
    ],
  },
  {
    rule: 94,
    name: 'one path twice',
    edits: files(file({}), file({})),
    want: ['config/fetched-file 33:/usr/local/bin/kubelet: two files have the path /usr/local/bin/kubelet'],
  },
  {
    rule: 94,
    name: 'http',
    edits: files(file({ url: 'http://dl.k8s.io/v1.36.3/bin/linux/amd64/kubelet' })),
    want: [
      'config/fetched-file 31:http://dl.k8s.io/v1.36.3/bin/linux/amd64: "http://dl.k8s.io/v1.36.3/bin/linux/amd64/kubelet" is not an https URL of a file, without user and password | write "https://dl.k8s.io/…"',
    ],
  },
  {
    rule: 94,
    name: 'a password',
    edits: files(file({ url: 'https://user:word@dl.k8s.io/kubelet' })),
    want: [
      'config/fetched-file 31:https://user:word@dl.k8s.io/kubelet: "…" is not an https URL of a file, without user and password | write "https://dl.k8s.io/…"',
    ],
  },
  {
    rule: 94,
    name: 'no hash',
    edits: files(file({ sha256: undefined })),
    want: [
      'config/fetched-file 30:path: /usr/local/bin/kubelet: a file to fetch has no hash, expected one of sha256 and sha512 | add "sha256: …", as `sha256sum FILE` prints it',
    ],
  },
  {
    rule: 94,
    name: 'two hashes',
    edits: files(file({ sha512: 'b'.repeat(128) })),
    want: [
      'config/fetched-file 30:path: /usr/local/bin/kubelet: a file to fetch has two hashes, expected one of sha256 and sha512 | add "sha256: …", as `sha256sum FILE` prints it',
    ],
  },
  {
    rule: 94,
    name: 'a short hash',
    edits: files(file({ sha256: 'abc' })),
    want: ['config/fetched-file 32:abc: sha256 "abc" is not 64 hex digits in lower case'],
  },
  {
    rule: 94,
    name: 'a hash of another kind',
    edits: files(file({ sha256: undefined, sha512: sha256 })),
    want: [
      'config/fetched-file 32:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa: sha512 "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa…" is not 128 hex digits in lower case',
    ],
  },
  {
    rule: 94,
    name: 'a mode in decimal',
    edits: files(file({ mode: '493' })),
    want: ['config/fetched-file 33:493: mode "493" is not three octal digits | write "mode: 0755"'],
  },
  {
    rule: 94,
    name: 'a folder to unpack into that is read-only',
    edits: files(file({ unpackInto: '/usr/libexec/cni' })),
    want: [
      'config/fetched-file 33:/usr/libexec/cni: the folder "/usr/libexec/cni" is in a folder that is read-only on CoreOS',
    ],
  },
  {
    rule: 94,
    name: 'components of no archive',
    edits: files(file({ stripComponents: '1' })),
    want: ['config/fetched-file 33:1: stripComponents needs unpackInto'],
  },
  {
    rule: 95,
    name: 'another architecture',
    edits: files(file({ url: 'https://dl.k8s.io/v1.36.3/bin/linux/arm64/kubelet' })),
    want: [
      'config/fetched-file-architecture 31:https://dl.k8s.io/v1.36.3/bin/linux/arm6: the file is for arm64, while controlPlane.architecture is amd64',
    ],
  },
  {
    rule: 96,
    name: 'a kubelet that is newer',
    edits: files(file({ url: 'https://dl.k8s.io/v1.37.0/bin/linux/amd64/kubelet' })),
    want: [
      'config/fetched-file-version 31:https://dl.k8s.io/v1.37.0/bin/linux/amd6: /usr/local/bin/kubelet has Kubernetes 1.37, which is not compatible with a control plane of 1.36',
    ],
  },
  {
    rule: 96,
    name: 'a kubectl that is much older',
    edits: files(
      file({ path: '/usr/local/bin/kubectl', url: 'https://dl.k8s.io/v1.34.0/bin/linux/amd64/kubectl' }),
    ),
    want: [
      'config/fetched-file-version 31:https://dl.k8s.io/v1.34.0/bin/linux/amd6: /usr/local/bin/kubectl has Kubernetes 1.34, which is not compatible with a control plane of 1.36',
    ],
  },
  {
    rule: 97,
    name: 'http',
    edits: added('aio: { mirror: "http://mirror.example.com/files" }\n'),
    want: [
      'config/file-mirror 28:"http://mirror.example.com/files": the mirror "http://mirror.example.com/files" is not an https URL of a folder, without user, password and query | write "https://mirror.example.com/files"',
    ],
  },
  {
    rule: 97,
    name: 'a password',
    edits: added('aio: { mirror: "https://me:word@mirror.example.com" }\n'),
    want: [
      'config/file-mirror 28:"https://me:word@mirror.example.com": the mirror "…" is not an https URL of a folder, without user, password and query | write "https://mirror.example.com/files"',
    ],
  },
  {
    rule: 97,
    name: 'a query',
    edits: added('aio: { mirror: "https://mirror.example.com/files?a=b" }\n'),
    want: [
      'config/file-mirror 28:"https://mirror.example.com/files?a=b": the mirror "https://mirror.example.com/files?a=b" is not an https URL of a folder, without user, password and query | write "https://mirror.example.com/files"',
    ],
  },
];
