/** The four components of the control plane, in the order in which their loops run. */
export const components = ['etcd', 'kube-apiserver', 'kube-controller-manager', 'kube-scheduler'] as const;

export type Component = (typeof components)[number];

/** Namespaces and base names of a component. Source: the four operators, pkg/operator/operatorclient */
interface ComponentNames {
  /** Objects of the component itself: pod, configuration, certificates. */
  readonly namespace: string;
  /** Objects that only the operator reads: signers. */
  readonly operatorNamespace: string;
  /** Base name of the static pod's ConfigMap, manifest and folder: `<base>-pod`, `<base>-pod.yaml`, `<base>-pod-1`. */
  readonly base: string;
  /** Folder of the renewable certificates, below static-pod-resources; not part of a revision. */
  readonly certsFolder: string;
}

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

/** Configuration that the user supplies. */
export const userConfigNamespace = 'openshift-config';
/** Objects that operators publish for each other. */
export const managedConfigNamespace = 'openshift-config-managed';
export const systemNamespace = 'kube-system';

/** Folder to which the installer step writes the files of static pods. Source: openshift/library-go pkg/operator/staticpod */
export const resourceFolder = '/etc/kubernetes/static-pod-resources';
/** Mount path of a component's certs folder in its containers. */
export const certsMountPath = '/etc/kubernetes/static-pod-certs';
/** The kubelet's folder of static pods. */
export const manifestFolder = '/etc/kubernetes/manifests';

function names(namespace: string, base: string, certsFolder: string): ComponentNames {
  return { namespace, operatorNamespace: `${namespace}-operator`, base, certsFolder };
}
