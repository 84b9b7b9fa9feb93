import type { NodeFile } from '../../ignition/types.js';
import { manifestFolder } from '../../kube/components.js';
import type { ControlPlaneInputs } from '../../control-plane/loops/loop-inputs.js';
import { pairOf } from '../../pki/rotator-pairs.js';

/** Where the scripts of the live system find what was rendered here; the parts are told in bootkube-control-plane.sh. */
const folder = '/opt/openshift/control-plane';

/** etcd starts first, by the kubelet, under the name that it has during every bootstrap; cluster-bootstrap starts the others. */
export function placeOf(path: string): string {
  if (path === `${manifestFolder}/etcd-pod.yaml`)
    return `${folder}/etc-kubernetes/manifests/etcd-member-pod.yaml`;
  return path.startsWith(`${manifestFolder}/`)
    ? `${folder}/bootstrap-manifests${path.slice(manifestFolder.length)}`
    : `${folder}/etc-kubernetes${path.slice('/etc/kubernetes'.length)}`;
}

/** What the scripts talk to etcd with, and the signers of what only the node can certify. */
export function etcdFiles({ issued }: ControlPlaneInputs): readonly NodeFile[] {
  const pairs = ['etcd-client', 'etcd-signer', 'etcd-metric-signer'] as const;
  return [
    ...pairs.flatMap((name) => [
      secretFile(`tls/${name}.crt`, pairOf(issued, name).certPem),
      secretFile(`tls/${name}.key`, pairOf(issued, name).keyPem),
    ]),
    secretFile('tls/etcd-ca-bundle.crt', pairOf(issued, 'etcd-signer').certPem),
  ];
}

/** A file below the folder of the control plane that only root reads. */
export function secretFile(path: string, contents: string): NodeFile {
  return { path: `${folder}/${path}`, mode: 0o600, contents };
}
