import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import type { NodeFile } from '../../src/ignition/types.js';
import type { Container, Pod } from '../../src/kube/pod-object.js';

/** Writes files below a folder that simulates the root of a node. */
export function writeNodeFiles(files: readonly NodeFile[], root: string): void {
  for (const { path, mode, contents } of files) {
    const place = join(root, path);
    mkdirSync(dirname(place), { recursive: true });
    writeFileSync(place, contents);
    chmodSync(place, mode);
  }
}

/**
 * The command of a container, changed to run below such a folder: paths in its mounts become paths in the volumes. Creates the
 * folders that the kubelet would create. Nothing else changes.
 */
export function commandBelow(root: string, pod: Pod, name: string): readonly string[] {
  const container = pod.spec.containers.find((each) => each.name === name);
  if (container === undefined) throw new Error(`no container ${name}`);
  const folders = foldersOf(root, pod, container);
  return [...container.command, ...(container.args ?? [])].map((word) => mapped(word, folders));
}

/** Rewrites a text, such as a configuration file: paths in a container's mounts become paths below the folder. */
export function textBelow(root: string, pod: Pod, name: string): (text: string) => string {
  const container = pod.spec.containers.find((each) => each.name === name);
  if (container === undefined) throw new Error(`no container ${name}`);
  const folders = foldersOf(root, pod, container);
  return (text) => mapped(text, folders);
}

type Folders = readonly (readonly [string, string])[];

function foldersOf(root: string, pod: Pod, { volumeMounts }: Container): Folders {
  return volumeMounts.map(({ name, mountPath }) => {
    const volume = pod.spec.volumes.find((each) => each.name === name);
    if (volume === undefined) throw new Error(`no volume ${name}`);
    const folder = join(root, 'hostPath' in volume ? volume.hostPath.path : `volumes/${name}`);
    const isMade = !('hostPath' in volume) || volume.hostPath.type === 'DirectoryOrCreate';
    if (isMade) mkdirSync(folder, { recursive: true });
    return [mountPath, folder];
  });
}

/** Replaces in one pass, so that a replaced path is not matched by another mount: /tmp is a mount too. */
function mapped(text: string, folders: Folders): string {
  const longestFirst = folders.toSorted(([left], [right]) => right.length - left.length);
  const anyMount = longestFirst.map(([mountPath]) => `(?<![\\w.-])${mountPath}(?=/|$)`).join('|');
  const below = new Map(folders);
  return text.replaceAll(new RegExp(anyMount, 'gm'), (mountPath) => below.get(mountPath) ?? mountPath);
}
