/** Where everything lies on an all-in-one node. */
export const aioPaths = {
  /** What the scripts of the node read; only root may look into it. */
  etc: '/etc/sno-install',
  envFile: '/etc/sno-install/sno-install.env',
  /** Keys and certificates of the authorities that renewals are signed with. */
  authorities: '/etc/sno-install/pki',
  /** What is renewed, a certificate a line. */
  renewals: '/etc/sno-install/certificates.tsv',
  /** Archives to unpack, one a line. */
  archives: '/etc/sno-install/archives.tsv',
  /** Objects that the first boot applies. */
  objects: '/etc/sno-install/objects',
  /** The identity of the first boot, which may do everything; removed at its end. */
  bootAdmin: '/etc/sno-install/aiokube',
  approver: '/etc/sno-install/csr-approver',
  kubeletConfig: '/etc/kubernetes/kubelet-config.yaml',
  bootstrapKubeconfig: '/etc/kubernetes/bootstrap-kubeconfig',
  kubernetesPki: '/etc/kubernetes/pki',
  kubeProxy: '/etc/kubernetes/kube-proxy',
  cniConfig: '/etc/kubernetes/cni/net.d',
  cniPlugins: '/opt/cni/bin',
  manifests: '/etc/kubernetes/manifests',
  /** Where the kubelet looks for registry credentials. Source: k8s.io/kubernetes pkg/credentialprovider/config.go */
  registryLogin: '/var/lib/kubelet/config.json',
} as const;

/** The API as everything on the node reaches it: by no name that needs DNS. */
export const localApi = 'https://localhost:6443';

/** The node's container runtime. */
export interface Runtime {
  readonly unit: 'containerd.service' | 'crio.service';
  readonly socket: string;
}

/** The container runtime that each operating system brings. */
export const runtimes = {
  FedoraCoreOS: { unit: 'containerd.service', socket: '/run/containerd/containerd.sock' },
  RHCOS: { unit: 'crio.service', socket: '/var/run/crio/crio.sock' },
} as const satisfies Readonly<Record<string, Runtime>>;
