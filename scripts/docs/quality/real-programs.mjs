/** Third-party programs, the outputs that they validate, and the tests that run them: files or folders of test/. Test helpers are not listed. */
export const realPrograms = [
  [
    'Ignition (engine, `ignition-validate`)',
    'Ignition configs, laid on an empty root',
    ['real/ignition', 'real/aio', 'real/enrich', 'real/disk', 'real/bootstrap/units.test.ts'],
  ],
  [
    'openssl',
    'certificates, keys, chains, what is encrypted',
    [
      'real/tls/openssl.test.ts',
      'real/tls/authority.test.ts',
      'real/tls/rsa-key.test.ts',
      'real/tls/encoding.test.ts',
    ],
  ],
  [
    'systemd (`systemd-analyze verify`)',
    'units of the live system and of the node',
    ['real/bootstrap/units.test.ts', 'real/aio'],
  ],
  [
    'systemd, containerd, kubelet and the control plane as one machine',
    'a whole all-in-one node',
    [
      'real/control-plane/aio.machines.test.ts',
      'real/control-plane/aio-ipv6.machines.test.ts',
      'real/control-plane/aio-mirror.machines.test.ts',
      'real/control-plane/aio-dual-stack.long.test.ts',
    ],
  ],
  [
    'kube-apiserver, kube-controller-manager, kube-scheduler',
    'their flags, configs and manifests',
    [
      'real/control-plane/kube-apiserver.machines.test.ts',
      'real/control-plane/kube-controller-manager.machines.test.ts',
      'real/control-plane/kube-scheduler.machines.test.ts',
      'real/control-plane/flags.machines.test.ts',
    ],
  ],
  [
    'etcd, `etcdctl`, `etcdutl`',
    'members, certificates, snapshots and their restore',
    ['real/control-plane/etcd.machines.test.ts', 'real/command-lines'],
  ],
  [
    'kube-apiserver, Job controller, kubelet',
    'the Job of a fleet, the examples, waiting for a cluster',
    [
      'real/store/job-on-kubelet.long.test.ts',
      'real/store/fleet-job.machines.test.ts',
      'real/examples',
      'real/cluster',
    ],
  ],
  ['`kubectl`', 'kubeconfigs and manifests', ['real/kubeconfig', 'real/manifests/kubectl.test.ts']],
  ['containerd', 'the image, its rights and signals', ['real/image']],
  ['podman and the programs of a release', "the command lines of the node's scripts", ['real/command-lines']],
  [
    'shellcheck',
    'scripts',
    ['real/bootstrap/shellcheck.machines.test.ts', 'real/manifests/machine-configs.test.ts'],
  ],
  ['Butane', 'trees of files', ['real/enrich/same-tree.machines.test.ts']],
  [
    'Go: yaml, `net/url`, `crypto/x509`',
    'YAML, URLs, every certificate and key of the outputs',
    ['real/manifests/go-readers.machines.test.ts', 'real/tls/authority-go.machines.test.ts'],
  ],
  ['`age`', 'encrypted states and outputs', ['real/state']],
  ['`nmstatectl`', 'profiles of NetworkManager', ['config/network/nmstate.machines.test.ts']],
  [
    'NetworkManager',
    'the same, on links',
    ['config/network/network-manager.machines.test.ts', 'config/network/kernel-links.long.test.ts'],
  ],
  [
    'QEMU: BIOS, UEFI, GRUB, iPXE, a Linux kernel',
    'live images that boot',
    ['real/media/live-boot.long.test.ts', 'real/media/tutorial.machines.test.ts'],
  ],
  [
    '`coreos-installer`, xorriso',
    'ISO images and minimal images',
    ['real/media/live-iso.machines.test.ts', 'real/media/minimal-iso.machines.test.ts'],
  ],
  ['curl', 'downloads in any ranges, resumed; reports', ['cli/serve.machines.test.ts', 'real/serve']],
  [
    'headless Chromium, axe',
    'the site, the page of `serve`',
    ['site/site.machines.test.ts', 'serve/page/page.machines.test.ts'],
  ],
  ['sushy-emulator', 'orders by Redfish', ['real/redfish']],
  ['versitygw', 'shards of a fleet in a store of S3', ['real/store/fleet-store.machines.test.ts']],
  ['`ssh-keygen`', 'signatures of receipts', ['cli/receipt/signature.test.ts']],
  [
    'sigstore-go, cosign',
    'signatures and provenance of a release',
    ['scripts/release-files.long.test.ts', 'scripts/verify-release.long.test.ts'],
  ],
  [
    'bash, zsh, fish, mandoc',
    'completions, manual pages',
    ['cli/completion.test.ts', 'cli/completion-shells.long.test.ts', 'scripts/manual.test.ts'],
  ],
  ["Wine 10, in Windows' stead", 'the executable file for Windows', ['real/windows']],
  ['chronyd, dnsmasq, tinyproxy, docker-registry', 'what the preflight asks', ['real/preflight']],
];
