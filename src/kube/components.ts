/** The four components of the control plane, in the order in which their loops run. */
export const components = ['etcd', 'kube-apiserver', 'kube-controller-manager', 'kube-scheduler'] as const;

/** A component of the control plane. */
export type Component = (typeof components)[number];

/** Where the objects of a component live. Source: the four operators, pkg/operator/operatorclient */
interface ComponentNames {
  /** What the component itself reads: its pod, configuration, certificates. */
  readonly namespace: string;
  /** What only its operator reads: signers. */
  readonly operatorNamespace: string;
  /** Base of the names of its static pod's ConfigMap, manifest and folder: `<base>-pod`, `<base>-pod.yaml`, `<base>-pod-1`. */
  readonly base: string;
  /** Folder of the certificates that no revision holds, below static-pod-resources. */
  readonly certsFolder: string;
}

/** Names of objects and folders of each component. */
export const componentNames = {
  etcd: names('openshift-etcd', 'etcd', 'etcd-certs'),
  'kube-apiserver': names('openshift-kube-apiserver', 'kube-apiserver', 'kube-apiserver-certs'),
  'kube-controller-manager': names(
    'openshift-kube-controller-manager',
    'kube-controller-manager',
    'kube-controller-manager-certs',
  ),
  'kube-scheduler': names('openshift-kube-scheduler', 'kube-scheduler', 'kube-scheduler-certs'),
} as const satisfies Readonly<Record<Component, ComponentNames>>;

/** Namespaces that the components share. */
export const userConfigNamespace = 'openshift-config';
/** What operators write for each other to read. */
export const managedConfigNamespace = 'openshift-config-managed';
/** What Kubernetes itself expects there. */
export const systemNamespace = 'kube-system';

/** Where the static pods find what the installer step laid. Source: openshift/library-go pkg/operator/staticpod */
export const resourceFolder = '/etc/kubernetes/static-pod-resources';
/** The folder of a component's certificates, as its containers see it. */
export const certsMountPath = '/etc/kubernetes/static-pod-certs';
/** Where the kubelet looks for static pods. */
export const manifestFolder = '/etc/kubernetes/manifests';

function names(namespace: string, base: string, certsFolder: string): ComponentNames {
  return { namespace, operatorNamespace: `${namespace}-operator`, base, certsFolder };
}
