import { publicFile, secretFile, type OutputFile } from '../core/output-file.js';
import { writeYaml } from '../formats/yaml/write-yaml.js';
import { isSecretManifest } from '../kube/secret-manifest.js';
import { objectKey } from './loops/store.js';
import type { RenderedControlPlane } from './render-control-plane.js';

/** Name of the folder with the rendered control plane in the user's directory. */
const folder = 'control-plane';

/** A control plane with the differences between its objects and those that the node applies; by default there are none. */
export interface ShownControlPlane extends RenderedControlPlane {
  /** Certificates that the node issues, without secrets; undefined if there are none. */
  readonly certificates?: object | undefined;
  /** Keys (`objectKey`) of the Secrets that the node completes with these certificates. */
  readonly completedByNode?: ReadonlySet<string>;
  /** Keys of the objects that operators create themselves. */
  readonly notApplied?: ReadonlySet<string>;
}

/**
 * A rendered control plane as a tree for review: the node's files at their paths, the objects in `objects/`, those that are not applied in
 * `not-applied/`, the certificates that the node issues in `node-certificates.json`, and the objects read and written by each loop in
 * `loops.json`.
 */
export function controlPlaneTree({
  files,
  store,
  records,
  rounds,
  certificates,
  completedByNode = new Set(),
  notApplied = new Set(),
}: ShownControlPlane): readonly OutputFile[] {
  const objects = store.objects().filter((object) => !completedByNode.has(objectKey(object)));
  return [
    ...files.map(({ path, contents }) => secretFile(`${folder}${path}`, contents)),
    ...objects.map((object) => {
      const key = objectKey(object);
      const place = notApplied.has(key) ? 'not-applied' : 'objects';
      const path = `${folder}/${place}/${key.replaceAll(':', '-')}.yaml`;
      const text = writeYaml(object);
      return isSecretManifest(object, text) ? secretFile(path, text) : publicFile(path, text);
    }),
    ...(certificates === undefined
      ? []
      : [publicFile(`${folder}/node-certificates.json`, `${JSON.stringify(certificates, undefined, 2)}\n`)]),
    publicFile(`${folder}/loops.json`, `${JSON.stringify({ rounds, loops: records }, undefined, 2)}\n`),
  ];
}
