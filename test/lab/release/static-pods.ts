import { etcdFiles } from './etcd-certificates.js';
import { container, namespaceText, podText } from './pod-text.js';

/** The node data that the stub release's operators render from. */
export interface ReleaseNode {
  readonly name: string;
  readonly address: string;
  /** The installer's files below /opt/openshift/tls. */
  readonly tls: Readonly<Record<string, string>>;
}

type Files = Readonly<Record<string, string>>;

export interface ReleasePods {
  readonly etcd: Files;
  readonly kubeApiserver: Files;
  readonly kubeControllerManager: Files;
  readonly kubeScheduler: Files;
}

/**
 * The four components as their operators render them for a bootstrap. Names, folders and hand-over match upstream; the flags
 * are those that the upstream builds accept. Source of the paths: render commands of the operators.
 */
export function releasePods(node: ReleaseNode): ReleasePods {
  return {
    etcd: etcdOutput(node),
    kubeApiserver: {
      ...component('kube-apiserver', apiserverFlags(node)),
      ...operatorNamespace('kube-apiserver'),
    },
    kubeControllerManager: {
      ...component('kube-controller-manager', controllerManagerFlags),
      ...operatorNamespace('kube-controller-manager'),
      'cpc-config': '{}\n',
    },
    kubeScheduler: component('kube-scheduler', schedulerFlags),
  };
}

/** The static pod that serves the node's config on port 22624. */
export const bootstrapMachineConfigPod = podText(
  'bootstrap-machine-config-operator',
  'openshift-machine-config-operator',
  {
    initContainers: [
      container(
        {
          name: 'machine-config-controller',
          image: 'machine-config-operator',
          command: [
            'machine-config-controller',
            'bootstrap',
            '--manifest-dir=/etc/mcc/bootstrap',
            '--dest-dir=/etc/mcs/bootstrap',
          ],
        },
        ['/etc/mcc/bootstrap', '/etc/mcs'],
      ),
    ],
    containers: [
      container(
        {
          name: 'machine-config-server',
          image: 'machine-config-operator',
          command: [
            'machine-config-server',
            'bootstrap',
            '--server-basedir=/etc/mcs/bootstrap',
            '--bootstrap-kubeconfig=/etc/mcs/kubeconfig',
            '--secure-port=22623',
            '--insecure-port=22624',
          ],
        },
        ['/etc/mcs'],
      ),
    ],
    volumes: ['/etc/mcc/bootstrap', '/etc/mcs'],
  },
);

export const bootstrapVersionPod = podText(
  'bootstrap-cluster-version-operator',
  'openshift-cluster-version',
  {
    containers: [
      container(
        {
          name: 'cluster-version-operator',
          image: 'cluster-version-operator',
          command: ['cluster-version-operator', 'start'],
        },
        [],
      ),
    ],
    volumes: [],
  },
);

const secrets = '/etc/kubernetes/secrets';

function component(name: string, flags: readonly string[]): Files {
  const pod = podText(`bootstrap-${name}`, 'kube-system', {
    containers: [
      container({ name, image: 'hyperkube', command: [name, ...flags] }, [], {
        '/etc/kubernetes/bootstrap-secrets': secrets,
      }),
    ],
    volumes: ['/etc/kubernetes/bootstrap-secrets'],
  });
  return {
    config: '{}\n',
    [`bootstrap-manifests/${name}-pod.yaml`]: pod,
    [`manifests/00_openshift-${name}-ns.yaml`]: namespaceText(`openshift-${name}`),
  };
}

/** These two renders include the operator's namespace. That of the scheduler does not. Source: bindata/bootkube/manifests of the operators */
function operatorNamespace(name: string): Files {
  const namespace = `openshift-${name}-operator`;
  return { [`manifests/00_${namespace}-ns.yaml`]: namespaceText(namespace) };
}

function apiserverFlags({ address }: ReleaseNode): readonly string[] {
  const serving = ['localhost-server', 'lb-server', 'internal-lb-server'].map(
    (name) =>
      `--tls-sni-cert-key=${secrets}/kube-apiserver-${name}.crt,${secrets}/kube-apiserver-${name}.key`,
  );
  return [
    `--advertise-address=${address}`,
    '--allow-privileged=true',
    '--authorization-mode=Node,RBAC',
    `--client-ca-file=${secrets}/kube-apiserver-complete-client-ca-bundle.crt`,
    `--etcd-cafile=${secrets}/etcd-ca-bundle.crt`,
    `--etcd-certfile=${secrets}/etcd-client.crt`,
    `--etcd-keyfile=${secrets}/etcd-client.key`,
    '--etcd-prefix=kubernetes.io',
    '--etcd-servers=https://localhost:2379',
    `--kubelet-client-certificate=${secrets}/kube-apiserver-to-kubelet-client.crt`,
    `--kubelet-client-key=${secrets}/kube-apiserver-to-kubelet-client.key`,
    `--proxy-client-cert-file=${secrets}/aggregator-client.crt`,
    `--proxy-client-key-file=${secrets}/aggregator-client.key`,
    `--requestheader-client-ca-file=${secrets}/aggregator-ca-bundle.crt`,
    // The new pod starts before the old one has stopped.
    '--permit-port-sharing=true',
    '--secure-port=6443',
    '--service-account-issuer=https://kubernetes.default.svc',
    `--service-account-key-file=${secrets}/service-account.pub`,
    `--service-account-signing-key-file=${secrets}/service-account.key`,
    '--service-cluster-ip-range=172.30.0.0/16',
    '--shutdown-delay-duration=0s',
    `--tls-cert-file=${secrets}/kube-apiserver-service-network-server.crt`,
    `--tls-private-key-file=${secrets}/kube-apiserver-service-network-server.key`,
    ...serving,
  ];
}

const controllerManagerFlags = [
  '--allocate-node-cidrs=false',
  `--cluster-signing-cert-file=${secrets}/kubelet-signer.crt`,
  `--cluster-signing-key-file=${secrets}/kubelet-signer.key`,
  '--controllers=*,-ttl,-bootstrapsigner,-tokencleaner',
  `--kubeconfig=${secrets}/kubeconfig`,
  '--leader-elect=true',
  `--root-ca-file=${secrets}/kube-apiserver-complete-server-ca-bundle.crt`,
  `--service-account-private-key-file=${secrets}/service-account.key`,
  '--use-service-account-credentials=true',
];

const schedulerFlags = [`--kubeconfig=${secrets}/kubeconfig`, '--leader-elect=true'];

function etcdOutput(node: ReleaseNode): Files {
  const folder = '/etc/kubernetes/static-pod-resources/etcd-member';
  const peer = `https://${node.address}:2380`;
  const name = `etcd-${node.name}`;
  const pair = (kind: string) => [
    `${folder}/etcd-${kind}-${node.name}.crt`,
    `${folder}/etcd-${kind}-${node.name}.key`,
  ];
  const [servingCert = '', servingKey = ''] = pair('serving');
  const [peerCert = '', peerKey = ''] = pair('peer');
  const command = [
    'etcd',
    `--name=${name}`,
    '--data-dir=/var/lib/etcd',
    `--initial-advertise-peer-urls=${peer}`,
    `--initial-cluster=${name}=${peer}`,
    '--initial-cluster-token=etcd-cluster',
    `--listen-peer-urls=${peer}`,
    '--listen-client-urls=https://0.0.0.0:2379',
    `--advertise-client-urls=https://${node.address}:2379`,
    `--cert-file=${servingCert}`,
    `--key-file=${servingKey}`,
    `--trusted-ca-file=${folder}/ca.crt`,
    '--client-cert-auth=true',
    `--peer-cert-file=${peerCert}`,
    `--peer-key-file=${peerKey}`,
    `--peer-trusted-ca-file=${folder}/ca.crt`,
    '--peer-client-cert-auth=true',
  ];
  const pod = podText(name, 'openshift-etcd', {
    containers: [container({ name: 'etcd', image: 'etcd', command }, [folder, '/var/lib/etcd'])],
    volumes: [folder, '/var/lib/etcd'],
  });
  return {
    'etc-kubernetes/manifests/etcd-member-pod.yaml': pod,
    ...etcdFiles(node),
    'manifests/00_openshift-etcd-ns.yaml': namespaceText('openshift-etcd'),
  };
}
