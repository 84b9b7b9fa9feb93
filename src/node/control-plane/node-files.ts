import type { NodeFile } from '../../ignition/types.js';
import { manifestFolder } from '../../kube/components.js';
import type { ControlPlaneInputs } from '../../control-plane/loops/loop-inputs.js';
import { pairOf } from '../../pki/rotator-pairs.js';

/** Folder of the rendered control plane on the live system; bootkube-control-plane.sh documents its contents. */
const folder = '/opt/openshift/control-plane';

/** The kubelet starts etcd first, under its usual name during bootstrap; cluster-bootstrap starts the other static pods. */
export function liveSystemPath(path: string): string {
  if (path === `${manifestFolder}/etcd-pod.yaml`)
    return `${folder}/etc-kubernetes/manifests/etcd-member-pod.yaml`;
  return path.startsWith(`${manifestFolder}/`)
    ? `${folder}/bootstrap-manifests${path.slice(manifestFolder.length)}`
    : `${folder}/etc-kubernetes${path.slice('/etc/kubernetes'.length)}`;
}

/** The etcd client certificate for the scripts, and the signers of the certificates that only the node can issue. */
export function etcdFiles({ issued }: ControlPlaneInputs): readonly NodeFile[] {
  const pairs = ['etcd-client', 'etcd-signer', 'etcd-metric-signer'] as const;
  return [
    ...pairs.flatMap((name) => [
      controlPlaneSecretFile(`tls/${name}.crt`, pairOf(issued, name).certPem),
      controlPlaneSecretFile(`tls/${name}.key`, pairOf(issued, name).keyPem.reveal()),
    ]),
    controlPlaneSecretFile('tls/etcd-ca-bundle.crt', pairOf(issued, 'etcd-signer').certPem),
  ];
}

/** A file in the control plane folder that only root may read. */
export function controlPlaneSecretFile(path: string, contents: string): NodeFile {
  return { path: `${folder}/${path}`, mode: 0o600, contents };
}
