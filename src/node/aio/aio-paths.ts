export const aioPaths = {
  /** Inputs of the node's scripts; readable only by root. */
  etc: '/etc/sno-install',
  envFile: '/etc/sno-install/sno-install.env',
  /** Certificates and keys of the CAs that sign renewals. */
  authorities: '/etc/sno-install/pki',
  /** Certificates to renew, one per line. */
  renewals: '/etc/sno-install/certificates.tsv',
  /** Archives to unpack, one per line. */
  archives: '/etc/sno-install/archives.tsv',
  /** Objects that are applied at first boot. */
  objects: '/etc/sno-install/objects',
  /** Cluster-admin credentials for the first boot, which deletes them at its end. */
  bootAdmin: '/etc/sno-install/aiokube',
  approver: '/etc/sno-install/csr-approver',
  kubeletConfig: '/etc/kubernetes/kubelet-config.yaml',
  bootstrapKubeconfig: '/etc/kubernetes/bootstrap-kubeconfig',
  kubernetesPki: '/etc/kubernetes/pki',
  kubeProxy: '/etc/kubernetes/kube-proxy',
  cniConfig: '/etc/kubernetes/cni/net.d',
  cniPlugins: '/opt/cni/bin',
  manifests: '/etc/kubernetes/manifests',
  /** Registry credentials of the kubelet. Source: k8s.io/kubernetes pkg/credentialprovider/config.go */
  registryLogin: '/var/lib/kubelet/config.json',
} as const;

/** API URL for clients on the node; it needs no DNS. */
export const localApiUrl = 'https://localhost:6443';

export interface Runtime {
  readonly unit: 'containerd.service' | 'crio.service';
  readonly socket: string;
}

/** The container runtime of each operating system. */
export const runtimes = {
  FedoraCoreOS: { unit: 'containerd.service', socket: '/run/containerd/containerd.sock' },
  RHCOS: { unit: 'crio.service', socket: '/var/run/crio/crio.sock' },
} as const satisfies Readonly<Record<string, Runtime>>;
