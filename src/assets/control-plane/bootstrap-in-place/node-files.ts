import { success, type Result } from '../../../core/result.js';
import { defineAsset } from '../../../graph/asset.js';
import type { NodeFile } from '../../../ignition/types.js';
import { identityKey, identityOf } from '../../../kube/identity.js';
import { manifests } from '../../manifests/all.js';
import type { CertifiedKey } from '../../tls/certified-key.js';
import type { RotatorName } from '../certificates/rotators.js';
import { manifestFolder } from '../components.js';
import type { ControlPlaneInputs } from '../inputs.js';
import { loopTitles } from '../loops.js';
import { renderControlPlane, type RenderedControlPlane } from '../rendered.js';
import { exportedManifests } from './exported.js';
import { bootstrapInPlaceInputs } from './inputs.js';
import { nodeCertificates, secretsOfNode } from './node-certificates.js';

/** Where the scripts of the live system find what was rendered here; the parts are told in bootkube-control-plane.sh. */
const folder = '/opt/openshift/control-plane';

/** The control plane that the live system starts, rendered; undefined where the payload's operators render it. */
export const bootstrapInPlaceControlPlane = defineAsset({
  name: 'control-plane/bootstrap-in-place',
  needs: { inputs: bootstrapInPlaceInputs },
  steps: loopTitles(),
  tryMake: ({ inputs }): Result<RenderedControlPlane | undefined> =>
    inputs === undefined ? success(undefined) : renderControlPlane(inputs),
});

/** The rendered control plane as files of the live system; none where the payload's operators render it. */
export const controlPlaneNodeFiles = defineAsset({
  name: 'control-plane/node-files',
  needs: { inputs: bootstrapInPlaceInputs, rendered: bootstrapInPlaceControlPlane, manifests },
  make: ({ inputs, rendered, manifests }): readonly NodeFile[] => {
    if (inputs === undefined || rendered === undefined) return [];
    const certificates = nodeCertificates(inputs, rendered.store);
    // The installation's own manifests come by themselves.
    const own = manifests.map(({ object }) => identityKey(identityOf(object)));
    const exported = exportedManifests(rendered.store, new Set([...own, ...secretsOfNode(certificates)]));
    return [
      ...rendered.files.map((file) => ({ ...file, path: placeOf(file.path) })),
      ...exported.map(({ name, text }) => secretFile(`manifests/${name}`, text)),
      ...etcdFiles(inputs),
      ...(certificates === undefined
        ? []
        : [secretFile('node-certificates.json', `${JSON.stringify(certificates, undefined, 2)}\n`)]),
    ];
  },
});

/** etcd starts first, by the kubelet, under the name that it has during every bootstrap; cluster-bootstrap starts the others. */
function placeOf(path: string): string {
  if (path === `${manifestFolder}/etcd-pod.yaml`)
    return `${folder}/etc-kubernetes/manifests/etcd-member-pod.yaml`;
  return path.startsWith(`${manifestFolder}/`)
    ? `${folder}/bootstrap-manifests${path.slice(manifestFolder.length)}`
    : `${folder}/etc-kubernetes${path.slice('/etc/kubernetes'.length)}`;
}

/** What the scripts talk to etcd with, and the signers of what only the node can certify. */
function etcdFiles({ issued }: ControlPlaneInputs): readonly NodeFile[] {
  const pairs = ['etcd-client', 'etcd-signer', 'etcd-metric-signer'] as const;
  return [
    ...pairs.flatMap((name) => [
      secretFile(`tls/${name}.crt`, pairOf(issued, name).certPem),
      secretFile(`tls/${name}.key`, pairOf(issued, name).keyPem),
    ]),
    secretFile('tls/etcd-ca-bundle.crt', pairOf(issued, 'etcd-signer').certPem),
  ];
}

function pairOf(issued: ControlPlaneInputs['issued'], name: RotatorName): CertifiedKey {
  const pair = issued[name];
  if (pair === undefined) throw new Error(`internal error: ${name} was not issued`);
  return pair;
}

function secretFile(path: string, contents: string): NodeFile {
  return { path: `${folder}/${path}`, mode: 0o600, contents };
}
