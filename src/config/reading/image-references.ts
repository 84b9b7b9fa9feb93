import { listAt, textAt } from '../../kube/fields.js';

/** Pull specs of a payload's images, by tag name such as `etcd` or `hyperkube`. */
export type ImageReferences = Readonly<Record<string, string>>;

/** Reads the images of a release payload; undefined if the data contains none. */
export function imagesIn(data: unknown): ImageReferences | undefined {
  const tags = [...listAt(data, ['spec', 'tags']), ...listAt(data, ['references', 'spec', 'tags'])];
  const images = tags.flatMap((tag) => {
    const [name, image] = [textAt(tag, ['name']), textAt(tag, ['from', 'name'])];
    return name !== undefined && image !== undefined ? [[name, image] as const] : [];
  });
  return images.length === 0 ? undefined : Object.fromEntries(images);
}
