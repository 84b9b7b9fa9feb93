import { problem, type Place, type Problem } from '../../core/problem.js';
import { aioImages, type AioImage } from '../../config/schema/aio-model.js';
import { parseImageReference } from '../../formats/image-reference.js';

/** Reports aio/image-by-tag for each image without a digest. */
export function imagesByTag(
  images: Readonly<Partial<Record<AioImage, string>>>,
  at: Place | undefined,
): readonly Problem[] {
  return aioImages.flatMap((name) => {
    const image = images[name];
    if (image === undefined || parseImageReference(image)?.digest !== undefined) return [];
    const hint = `set controlPlane.images.${name} to the digest that \`skopeo inspect --format '{{.Digest}}' docker://${image}\` prints`;
    return [
      problem('aio/image-by-tag', `the image of ${name}, ${image}, uses a tag instead of a digest`, {
        at,
        hint,
      }),
    ];
  });
}
