import { writeYaml } from '../../formats/yaml/write-yaml.js';
import type { NodeFile } from '../../ignition/types.js';
import type { KubeObject } from '../../kube/object.js';
import { csrApprover, nodeBootstrapper } from '../../pki/aio-clients.js';
import { aioPaths } from './aio-paths.js';
import { coreDnsObjects } from './coredns.js';

/** The objects that are applied at first boot, one file each; the file names determine the order. */
export function firstBootObjectFiles(settings: {
  readonly coreDnsImage: string;
  readonly dnsAddresses: readonly string[];
}): readonly NodeFile[] {
  return [
    objectFile('10-access.yaml', [...approverObjects, kubeletApiBinding]),
    objectFile('20-node-bootstrapper.yaml', [bootstrapperBinding]),
    objectFile('30-coredns.yaml', coreDnsObjects(settings)),
  ];
}

function objectFile(name: string, objects: readonly KubeObject[]): NodeFile {
  const contents = objects.map((object) => writeYaml(object)).join('---\n');
  return { path: `${aioPaths.objects}/${name}`, mode: 0o600, contents };
}

const rbac = 'rbac.authorization.k8s.io/v1';

/**
 * An approver needs two permissions: updating the request's approval, and `approve` on its signer.
 * Source: kubernetes.io, certificate signing requests, authorization
 */
const approverObjects: readonly KubeObject[] = [
  {
    apiVersion: rbac,
    kind: 'ClusterRole',
    metadata: { name: csrApprover },
    rules: [
      {
        apiGroups: ['certificates.k8s.io'],
        resources: ['certificatesigningrequests'],
        verbs: ['get', 'list', 'watch'],
      },
      {
        apiGroups: ['certificates.k8s.io'],
        resources: ['certificatesigningrequests/approval'],
        verbs: ['update'],
      },
      {
        apiGroups: ['certificates.k8s.io'],
        resources: ['signers'],
        resourceNames: ['kubernetes.io/kube-apiserver-client-kubelet', 'kubernetes.io/kubelet-serving'],
        verbs: ['approve'],
      },
    ],
  },
  binding(csrApprover, csrApprover, { kind: 'User', name: csrApprover }),
];

/** The API server uses this identity for logs, exec and metrics requests to the kubelet. */
const kubeletApiBinding = binding('sno-install:kubelet-api', 'system:kubelet-api-admin', {
  kind: 'User',
  name: 'system:kube-apiserver',
});

/** Allows certificate requests while the node joins; aiokube deletes the binding at the end. */
export const bootstrapperBindingName = 'sno-install:node-bootstrapper';
const bootstrapperBinding = binding(bootstrapperBindingName, 'system:node-bootstrapper', {
  kind: 'Group',
  name: nodeBootstrapper.group,
});

function binding(
  name: string,
  role: string,
  subject: { readonly kind: 'User' | 'Group'; readonly name: string },
): KubeObject {
  return {
    apiVersion: rbac,
    kind: 'ClusterRoleBinding',
    metadata: { name },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: role },
    subjects: [{ apiGroup: 'rbac.authorization.k8s.io', ...subject }],
  };
}
