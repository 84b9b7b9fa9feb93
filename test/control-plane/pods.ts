import { toData } from '../../src/formats/yaml/yaml-tree.js';
import { readYaml } from '../../src/formats/yaml/yaml.js';
import type { NodeFile } from '../../src/ignition/types.js';
import { fieldAt, listAt, textAt } from '../../src/kube/fields.js';

/** A static pod with the fields that tests use. */
export interface LaidPod {
  readonly path: string;
  /** Host folders that it mounts. */
  readonly volumes: readonly string[];
  readonly containers: readonly LaidContainer[];
}

interface LaidContainer {
  readonly name: string;
  /** Command, arguments and environment values. */
  readonly words: readonly string[];
  /** Host folders by mount path, longest path first. */
  readonly mounts: readonly { readonly mountPath: string; readonly hostPath: string }[];
}

/** The static pods among the files of a node. */
export function podsOf(files: readonly NodeFile[]): readonly LaidPod[] {
  return files
    .filter(({ path }) => path.startsWith('/etc/kubernetes/manifests/'))
    .map(({ path, contents }) => laidPod(path, parsed(String(contents))));
}

/**
 * Host paths of all files that a pod's containers read from mounted folders: those in their arguments, and those in configuration
 * files and kubeconfigs that these name.
 */
export function readFiles({ containers }: LaidPod, files: readonly NodeFile[]): readonly string[] {
  const contentsOf = new Map(files.map(({ path, contents }) => [path, String(contents)]));
  const found = new Set<string>();
  const visit = (text: string, { mounts }: LaidContainer): void => {
    for (const [inside] of text.matchAll(/\/etc\/kubernetes\/[A-Za-z0-9@._/-]*[A-Za-z0-9@_]/g)) {
      if (inside === pluginFolder) continue;
      const mount = mounts.find(({ mountPath }) => inside.startsWith(`${mountPath}/`));
      if (mount === undefined) throw new Error(`no mount holds ${inside}`);
      const path = mount.hostPath + inside.slice(mount.mountPath.length);
      if (found.has(path)) continue;
      found.add(path);
      if (/\.yaml$|kubeconfig$|\.kubeconfig$/.test(path))
        visit(contentsOf.get(path) ?? '', { name: '', words: [], mounts });
    }
  };
  for (const container of containers) for (const word of container.words) visit(word, container);
  return [...found];
}

/** The volume plugin folder of kube-controller-manager. It does not exist on a single node and is optional. */
const pluginFolder = '/etc/kubernetes/kubelet-plugins/volume/exec';

function laidPod(path: string, pod: unknown): LaidPod {
  const volumes = listAt(pod, ['spec', 'volumes']).flatMap((volume) => {
    const [name, hostPath] = [textAt(volume, ['name']), textAt(volume, ['hostPath', 'path'])];
    return name !== undefined && hostPath !== undefined ? [{ name, hostPath }] : [];
  });
  const containers = [...listAt(pod, ['spec', 'initContainers']), ...listAt(pod, ['spec', 'containers'])];
  return {
    path,
    volumes: volumes.map(({ hostPath }) => hostPath),
    containers: containers.map((container) => ({
      name: textAt(container, ['name']) ?? '',
      words: [
        ...listAt(container, ['command']),
        ...listAt(container, ['args']),
        ...listAt(container, ['env']).map((variable) => fieldAt(variable, ['value'])),
      ].filter((word) => typeof word === 'string'),
      mounts: listAt(container, ['volumeMounts'])
        .flatMap((mount) => {
          const volume = volumes.find(({ name }) => name === textAt(mount, ['name']));
          const mountPath = textAt(mount, ['mountPath']);
          return volume && mountPath !== undefined ? [{ mountPath, hostPath: volume.hostPath }] : [];
        })
        .toSorted((left, right) => right.mountPath.length - left.mountPath.length),
    })),
  };
}

function parsed(text: string): unknown {
  const [root] = readYaml(text).documents;
  if (root === undefined) throw new Error('not YAML');
  return toData(root);
}
