import { releaseDigest } from './node-files.js';
import { scratchNode, type NodeSetup, type ScratchNode } from './scratch-node.js';

/** In stage order. Values that the scripts assemble are written out in full. */
export const toolsOf421: Readonly<Record<string, readonly string[]>> = {
  'api-render': [
    '--asset-output-dir=/assets/api-bootstrap',
    '--rendered-manifest-dir=/assets/manifests',
    '--cluster-profile=self-managed-high-availability',
    '--payload-version=4.21.3',
  ],
  'auth-api-render': [
    '--asset-output-dir=/assets/auth-api-bootstrap/manifests',
    '--rendered-manifest-dir=/assets/manifests',
    '--cluster-profile=self-managed-high-availability',
    '--payload-version=4.21.3',
  ],
  'config-render': [
    '--skip-api-rendering',
    '--cluster-infrastructure-input-file=/assets/manifests/cluster-infrastructure-02-config.yml',
    '--cloud-provider-config-output-file=/assets/config-bootstrap/cloud-provider-config-generated.yaml',
    '--config-output-file=/assets/config-bootstrap/config',
    '--asset-input-dir=/assets/tls',
    '--asset-output-dir=/assets/config-bootstrap',
    '--rendered-manifest-files=/assets/manifests',
    '--payload-version=4.21.3',
  ],
  'cvo-render': [
    '--output-dir=/assets/cvo-bootstrap',
    `--release-image=${releaseDigest}`,
    '--feature-gate-manifest-path=/assets/manifests/99_feature-gate.yaml',
  ],
  'etcd-render': [
    '--asset-output-dir=/assets/etcd-bootstrap',
    '--cluster-configmap-file=/assets/manifests/cluster-config.yaml',
    '--etcd-image=example.com/ocp/etcd:test',
    '--infra-config-file=/assets/manifests/cluster-infrastructure-02-config.yml',
    '--network-config-file=/assets/manifests/cluster-network-02-config.yml',
  ],
  'kube-apiserver-render': [
    '--manifest-etcd-serving-ca=etcd-ca-bundle.crt',
    '--manifest-etcd-server-urls=https://localhost:2379',
    '--manifest-image=example.com/ocp/hyperkube:test',
    '--manifest-operator-image=example.com/ocp/cluster-kube-apiserver-operator:test',
    '--asset-input-dir=/assets/tls',
    '--asset-output-dir=/assets/kube-apiserver-bootstrap',
    '--config-output-file=/assets/kube-apiserver-bootstrap/config',
    '--cluster-config-file=/assets/manifests/cluster-network-02-config.yml',
    '--cluster-auth-file=/assets/manifests/cluster-authentication-02-config.yaml',
    '--infra-config-file=/assets/manifests/cluster-infrastructure-02-config.yml',
    '--rendered-manifest-files=/assets/manifests',
    '--payload-version=4.21.3',
    '--operand-kubernetes-version=1.34.6',
  ],
  'kube-controller-render': [
    '--cluster-policy-controller-image=example.com/ocp/cluster-policy-controller:test',
    '--manifest-image=example.com/ocp/hyperkube:test',
    '--asset-input-dir=/assets/tls',
    '--asset-output-dir=/assets/kube-controller-manager-bootstrap',
    '--config-output-file=/assets/kube-controller-manager-bootstrap/config',
    '--cpc-config-output-file=/assets/kube-controller-manager-bootstrap/cpc-config',
    '--cluster-config-file=/assets/manifests/cluster-network-02-config.yml',
    '--rendered-manifest-files=/assets/manifests',
    '--payload-version=4.21.3',
  ],
  'kube-scheduler-render': [
    '--manifest-image=example.com/ocp/hyperkube:test',
    '--asset-input-dir=/assets/tls',
    '--asset-output-dir=/assets/kube-scheduler-bootstrap',
    '--config-output-file=/assets/kube-scheduler-bootstrap/config',
  ],
  'ingress-render': ['--prefix=cluster-ingress-', '--output-dir=/assets/ingress-operator-manifests'],
  'node-tuning-render': [
    '--asset-input-dir=/assets/manifests',
    '--asset-output-dir=/assets/node-tuning-bootstrap',
  ],
  'cmdbootline-nto-render': [
    '--asset-input-dir=/assets/manifests',
    '--asset-output-dir=/assets/cmdbootline-nto-bootstrap',
    '--mcp-name=master',
  ],
  'mco-render': [
    '--root-ca=/assets/tls/root-ca.crt',
    '--kube-ca=/assets/tls/kube-apiserver-complete-client-ca-bundle.crt',
    '--config-file=/assets/manifests/cluster-config.yaml',
    '--dest-dir=/assets/mco-bootstrap',
    '--pull-secret=/assets/manifests/openshift-config-secret-pull-secret.yaml',
    `--release-image=${releaseDigest}`,
    '--image-references=/assets/mco-bootstrap/image-references',
    '--payload-version=4.21.3',
  ],
  'cco-render': [
    '--dest-dir=/assets/cco-bootstrap',
    '--manifests-dir=/assets/manifests',
    '--cloud-credential-operator-image=example.com/ocp/cloud-credential-operator:test',
  ],
  'cluster-bootstrap': [
    '--tear-down-early=false',
    '--asset-dir=/assets',
    '--required-pods=',
    '--assets-create-timeout=30m',
  ],
};

/** Stages that write a marker. */
export const stages = [
  'openshift-manifests',
  'api-bootstrap',
  'auth-api-bootstrap',
  'config-bootstrap',
  'cvo-bootstrap',
  'etcd-bootstrap',
  'kube-apiserver-bootstrap',
  'kube-controller-manager-bootstrap',
  'kube-scheduler-bootstrap',
  'ingress-operator-bootstrap',
  'node-tuning-bootstrap',
  'cmdbootline-nto-bootstrap',
  'mco-bootstrap',
  'cco-bootstrap',
  'resolve-api-url',
  'resolve-api-int-url',
  'cb-bootstrap',
];

/** A node with a stub for the second half of the bootstrap. */
export function bootstrapNode(setup: NodeSetup = {}): ScratchNode {
  return scratchNode({ ...setup, stubbedScripts: ['bootstrap-in-place.sh'] });
}

/** A node on which an earlier run has completed all stages but these. */
export function nodeWithAllDoneBut(pending: readonly string[], setup: NodeSetup = {}): ScratchNode {
  const node = bootstrapNode(setup);
  for (const stage of stages) if (!pending.includes(stage)) node.write(`opt/openshift/${stage}.done`, '');
  return node;
}

/** Every run of a render tool, without the calls that list its flags: the container's name, then the flags. */
export function runsOfTools(node: ScratchNode): readonly (readonly string[])[] {
  return node.calls('podman').flatMap((call) => {
    const image = call.findIndex((word) => word.startsWith('example.com/'));
    const container = call.find((word) => word.startsWith('--name='))?.slice('--name='.length);
    const flags = call.slice(image).filter((word) => word.startsWith('--'));
    const isNone = container === undefined || ['etcdctl', 'payload-manifests'].includes(container);
    return call[1] !== 'run' || isNone || call.at(-1) === '--help' ? [] : [[container, ...flags]];
  });
}

export function nameOf(flag: string): string {
  return flag.replace(/=.*/, '');
}

export function markers(node: ScratchNode): readonly string[] {
  return node.list('opt/openshift').flatMap((path) => /^([^/.]+)\.done$/.exec(path)?.[1] ?? []);
}
