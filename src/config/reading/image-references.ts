/** Pull specs of a payload's images by their names there, such as `hyperkube`. */

import { listAt, textAt } from '../../kube/fields.js';

/** Pull specs of a release's images by the names of the tags: `etcd`, `hyperkube`. */
export type ImageReferences = Readonly<Record<string, string>>;

/** The images of a release payload by name; undefined where the data names none. */
export function imagesIn(data: unknown): ImageReferences | undefined {
  const tags = [...listAt(data, ['spec', 'tags']), ...listAt(data, ['references', 'spec', 'tags'])];
  const images = tags.flatMap((tag) => {
    const [name, image] = [textAt(tag, ['name']), textAt(tag, ['from', 'name'])];
    return name !== undefined && image !== undefined ? [[name, image] as const] : [];
  });
  return images.length === 0 ? undefined : Object.fromEntries(images);
}
