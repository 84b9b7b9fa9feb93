/** The machine's time, within the validity of its certificates. */
export const machineClock = 1_767_323_045;
export const clusterUuid = '2f6c5a6e-6f0d-4c0e-9b1a-0d8a4f0c1b2d';
export const etcdImage = 'example.com/ocp/etcd:test';
/** The arguments that bootkube passes to bootstrap-in-place.sh. */
export const bootstrapImages = [
  '--etcd-image',
  etcdImage,
  '--cluster-bootstrap-image',
  'example.com/ocp/cluster-bootstrap:test',
];
const cidr = '192.168.126.0/24';

/** Programs that would change a real machine. */
export const stubbedPrograms = [
  'agetty',
  'blockdev',
  'chown',
  'coreos-installer',
  'crictl',
  'curl',
  'dmsetup',
  'findmnt',
  'getent',
  'hostname',
  'ip',
  'journalctl',
  'lsblk',
  'mdadm',
  'oc',
  'podman',
  'restorecon',
  'rm',
  'rpm-ostree',
  'sfdisk',
  'sgdisk',
  'shutdown',
  'ss',
  'swapoff',
  'sync',
  'systemctl',
  'systemd-run',
  'timedatectl',
  'udevadm',
  'umount',
] as const;

/** Files on the live system after bootkube has applied the manifests. Each contains its own path. */
export const leftByBootkube = Object.fromEntries(
  [
    'opt/openshift/auth/kubeconfig-loopback',
    'opt/openshift/bootstrap-manifests/kube-apiserver-pod.yaml',
    'opt/openshift/bootstrap-manifests/kube-controller-manager-pod.yaml',
    'opt/openshift/bootstrap-manifests/kube-scheduler-pod.yaml',
    'opt/openshift/original_cvo_overrides.patch',
    'opt/openshift/tls/etcd-ca-bundle.crt',
    'opt/openshift/tls/etcd-client.crt',
    'opt/openshift/tls/etcd-client.key',
    'opt/openshift/tls/service-account.key',
    'etc/kubernetes/bootstrap-configs/kube-apiserver-config.yaml',
    'etc/kubernetes/manifests/etcd-member-pod.yaml',
    ...['etcd', 'kube-apiserver', 'kube-controller-manager', 'kube-scheduler'].flatMap((base) => [
      `etc/kubernetes/static-pod-resources/${base}-certs/secrets/pair/tls.key`,
      `etc/kubernetes/static-pod-resources/${base}-pod-1/configmaps/config/config.yaml`,
    ]),
    'etc/kubernetes/static-pod-resources/etcd-member/ca.crt',
    'etc/kubernetes/static-pod-resources/etcd-member/etcd-all-certs/etcd-serving-sno1.crt',
    'etc/kubernetes/static-pod-resources/etcd-member/etcd-all-certs/etcd-serving-sno1.key',
  ].map((path) => [path, `${path}\n`]),
);

/** The installer's env file. */
export const usualVariables: Readonly<Record<string, string>> = {
  SNO_CLUSTER_NAME: 'sno',
  SNO_CLUSTER_DOMAIN: 'sno.example.com',
  SNO_API_HOST: 'api.sno.example.com',
  SNO_API_INT_HOST: 'api-int.sno.example.com',
  SNO_RELEASE_IMAGE: 'example.com/ocp/release:test',
  SNO_INSTALLATION_DISK: '/dev/disk/by-id/test',
  SNO_MACHINE_NETWORKS: cidr,
  SNO_HOSTNAME: '',
  SNO_NODE_IP: '',
  SNO_IP_FAMILY: '4',
  SNO_NOT_BEFORE: String(machineClock - 3600),
  SNO_NOT_AFTER: String(machineClock + 864_000),
};

/** lsblk output for an unused, sufficiently large disk. Tests override single fields. */
export const idleDisk = {
  name: '/dev/sda',
  type: 'disk',
  size: 480_103_981_056,
  ro: false,
  mountpoint: null,
  ptuuid: '11111111-2222-3333-4444-555555555555',
  pttype: 'gpt',
};

/** The response of the machine-config server. */
export const masterConfig = {
  ignition: { version: '3.2.0' },
  passwd: { users: [{ name: 'core', sshAuthorizedKeys: ['ssh-ed25519 AAAA test'] }] },
  storage: {
    files: [
      {
        path: '/var/lib/kubelet/config.json',
        mode: 384,
        overwrite: true,
        contents: { source: 'data:,%7B%22auths%22%3A%7B%7D%7D' },
      },
    ],
  },
  systemd: {
    units: [{ name: 'kubelet.service', enabled: true, contents: '[Service]\nExecStart=/bin/true\n' }],
  },
};

const noContainers = JSON.stringify({ containers: [] });
const member = { name: 'etcd-sno1', peerURLs: ['https://192.168.126.10:2380'] };
/** The stubs' answers, by path in their folder. */
export const stubFiles: Readonly<Record<string, string>> = {
  calls: '',
  uptime: '1000 0\n',
  clock: `${machineClock}\n`,
  'answers/hostname': 'sno1\n',
  'answers/meminfo': 'MemTotal:       33554432 kB\n',
  'answers/crictl-ps': noContainers,
  'answers/curl': JSON.stringify(masterConfig),
  'answers/etcd-member-list': JSON.stringify({ header: { revision: 4711 }, members: [member] }),
  'answers/etcd-endpoint-status': JSON.stringify([
    { Status: { header: { revision: 4711 }, version: '3.5.18', dbSize: 20480 } },
  ]),
  'answers/etcd-snapshot-status': JSON.stringify({ hash: 1, revision: 4711, totalKey: 812, totalSize: 19 }),
  [`answers/ip-address-show-scope-global-to-${cidr.replace('/', '_')}`]:
    '2: eth0    inet 192.168.126.10/24 brd 192.168.126.255 scope global eth0\n',
  'answers/ip-address-show-scope-global':
    '2: eth0    inet 192.168.126.10/24 scope global eth0\n2: eth0    inet6 fd2e:6f44::10/64 scope global\n',
  'answers/getent-api-int.sno.example.com': '192.168.126.10 STREAM\n192.168.126.10 DGRAM\n',
  'answers/lsblk': '/dev/sda 447G disk\n/dev/sr0 1G rom\n',
  'answers/lsblk-pttype': 'gpt\n',
  'answers/sgdisk': `Disk identifier (GUID): ${clusterUuid.toUpperCase()}\n`,
  'answers/lsblk.json': JSON.stringify({ blockdevices: [idleDisk] }),
};

export const usualEnvText = envText(usualVariables);

export function envText(values: Readonly<Record<string, string>>): string {
  return Object.entries(values)
    .map(([name, value]) => `${name}='${value}'\n`)
    .join('');
}
