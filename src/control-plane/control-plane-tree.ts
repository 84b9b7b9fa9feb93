import { publicFile, secretFile, type OutputFile } from '../core/output-file.js';
import { writeYaml } from '../formats/yaml/write-yaml.js';
import { isSecretManifest } from '../kube/secret-manifest.js';
import { objectKey } from './loops/store.js';
import type { RenderedControlPlane } from './render-control-plane.js';

/** Name of the folder with the rendered control plane in the user's directory. */
const folder = 'control-plane';

/**
 * A rendered control plane as a tree for review: the node's files at their paths, all objects in `objects/`, and
 * the objects read and written by each loop in `loops.json`.
 */
export function controlPlaneTree({
  files,
  store,
  records,
  rounds,
}: RenderedControlPlane): readonly OutputFile[] {
  return [
    ...files.map(({ path, contents }) => secretFile(`${folder}${path}`, contents)),
    ...store.objects().map((object) => {
      const path = `${folder}/objects/${objectKey(object).replaceAll(':', '-')}.yaml`;
      const text = writeYaml(object);
      return isSecretManifest(object, text) ? secretFile(path, text) : publicFile(path, text);
    }),
    publicFile(`${folder}/loops.json`, `${JSON.stringify({ rounds, loops: records }, undefined, 2)}\n`),
  ];
}
