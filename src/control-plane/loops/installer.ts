import type { NodeFile } from '../../ignition/types.js';
import { componentNames, manifestFolder, resourceFolder } from '../../kube/components.js';
import { configMaps, secrets } from './kinds.js';
import type { NodeIdentity } from './loop-inputs.js';
import { revisionObject, revision, type RevisionedObject, type RevisionedObjects } from './revision.js';
import type { Store } from './store.js';

/**
 * The files that an installer pod writes for one component: the revisioned objects below `<base>-pod-1`, the renewable
 * certificates below the certs folder, and the static pod in the kubelet's manifest folder.
 * Source: openshift/library-go pkg/operator/staticpod/installerpod
 */
export function installedFiles(
  store: Store,
  objects: RevisionedObjects,
  node: NodeIdentity,
): readonly NodeFile[] {
  const { base, certsFolder } = componentNames[objects.component];
  const revisionFolder = `${resourceFolder}/${base}-pod-${revision}`;
  const objectFiles = [
    ...filesIn(store, objects, {
      folder: revisionFolder,
      configMaps: objects.configMaps,
      secrets: objects.secrets,
      suffix: `-${revision}`,
    }),
    ...filesIn(store, objects, {
      folder: `${resourceFolder}/${certsFolder}`,
      configMaps: objects.certConfigMaps,
      secrets: objects.certSecrets,
      suffix: '',
    }),
  ];
  const pod = podOf(store, objects);
  const podFiles = [
    { path: `${revisionFolder}/${base}-pod.yaml`, mode: 0o600, contents: pod },
    { path: `${manifestFolder}/${base}-pod.yaml`, mode: 0o600, contents: pod },
  ];
  return [...objectFiles, ...podFiles].map((file) => substituted(file, node));
}

interface Folder {
  readonly folder: string;
  readonly configMaps: readonly RevisionedObject[];
  readonly secrets: readonly RevisionedObject[];
  /** Suffix of the object names in the store; file names omit it. */
  readonly suffix: string;
}

function filesIn(store: Store, { component }: RevisionedObjects, wanted: Folder): readonly NodeFile[] {
  const { namespace } = componentNames[component];
  const { folder, suffix } = wanted;
  return [
    ...wanted.configMaps.flatMap((each) =>
      revisionObject(store.get(configMaps, namespace, each.name + suffix), each, namespace).flatMap(
        (object) =>
          Object.entries(object.data).map(([key, text]) => ({
            path: `${folder}/configmaps/${each.name}/${key}`,
            mode: key.endsWith('.sh') ? 0o755 : 0o600,
            contents: text,
          })),
      ),
    ),
    ...wanted.secrets.flatMap((each) =>
      revisionObject(store.get(secrets, namespace, each.name + suffix), each, namespace).flatMap((object) =>
        Object.entries(object.data).map(([key, base64]) => ({
          path: `${folder}/secrets/${each.name}/${key}`,
          mode: key.endsWith('.sh') ? 0o700 : 0o600,
          contents: Buffer.from(base64, 'base64').toString(),
        })),
      ),
    ),
  ];
}

function podOf(store: Store, { component }: RevisionedObjects): string {
  const { namespace, base } = componentNames[component];
  const pod = store.get(configMaps, namespace, `${base}-pod-${revision}`)?.data['pod.yaml'];
  if (pod === undefined) throw new Error(`internal error: the loops made no pod of ${component}`);
  return pod;
}

/** Replaces the installer pod's variables in every value. The longest comes first, because it contains another one. */
function substituted(file: NodeFile, node: NodeIdentity): NodeFile {
  const contents = String(file.contents)
    .replaceAll('NODE_ENVVAR_NAME', node.environmentName)
    .replaceAll('NODE_NAME', node.name)
    .replaceAll('REVISION', String(revision));
  return { ...file, contents };
}
