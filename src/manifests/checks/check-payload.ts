import { overlaps, payloadSources, type PayloadSettings } from '../../config/reading/payload.js';
import type { SnoReading } from '../../config/reading/sno-config.js';
import type { InstallConfig } from '../../config/schema/install-config-schema.js';
import type { PayloadManifest } from '../../config/schema/payload-schema.js';
import { problem, type Problem } from '../../core/problem.js';
import { quoted } from '../../core/quoted.js';
import { parseImageReference } from '../../formats/image-reference.js';
import { manifestFieldPlace } from '../../kube/manifest-place.js';
import type { SourcedObject } from '../../kube/manifest.js';
import { versionIn } from '../../release/release-version.js';
import { containerImages, shortNamedImages, type ObjectImage } from '../container-images.js';
import { isCapabilityEnabled } from './check-kinds.js';
import { mirrorEntries } from './check-mirror-sets.js';

/** Problems of objects of a site with a payload: config/payload-images, config/payload-mirror, config/payload-internet. */
export function payloadObjectProblems(
  objects: readonly SourcedObject[],
  manifest: PayloadManifest,
  { sno, install }: Pick<PayloadSettings, 'sno' | 'install'>,
): readonly Problem[] {
  return [
    ...missingImages(objects, manifest),
    ...shortNames(objects),
    ...otherMirrors(objects, manifest),
    ...(install?.isSound('capabilities') === true && hasDefaultCatalogs(objects, manifest, install.config)
      ? [defaultCatalogs(sno)]
      : []),
  ];
}

/** Whether the marketplace operator pulls its default catalogs, and no object decides otherwise. */
function hasDefaultCatalogs(
  objects: readonly SourcedObject[],
  { release }: PayloadManifest,
  { capabilities }: InstallConfig,
): boolean {
  return (
    isCapabilityEnabled('marketplace', capabilities, versionIn(release.version)) &&
    !objects.some(({ object: { kind } }) => kind === 'OperatorHub')
  );
}

/** Source: operator-framework/operator-marketplace defaults/, and openshift/api config/v1 types_operatorhub.go */
function defaultCatalogs(sno: SnoReading): Problem {
  const message =
    'the default catalogs of OperatorHub are pulled from the internet, which this site may not reach';
  const hint =
    'save an OperatorHub named cluster with spec.disableAllDefaultSources: true in manifests/, or leave out the capability marketplace';
  return problem('config/payload-internet', message, { at: sno.placeOf(['payload', 'file']), hint });
}

/** One problem for all missing images, at the first of them. */
function missingImages(objects: readonly SourcedObject[], manifest: PayloadManifest): readonly Problem[] {
  const missing = containerImages(objects).filter(({ image }) => !isInPayload(image, manifest));
  const [first] = missing;
  if (first === undefined) return [];
  const names = [...new Set(missing.map(({ image }) => image))];
  const message =
    names.length === 1
      ? `the payload does not contain the image ${first.image}`
      : `the payload does not contain ${names.length} images of the manifests: ${names.join(', ')}`;
  return [
    problem('config/payload-images', message, {
      at: placeOf(first),
      hint: 'add them to additionalImages in payload.yaml and make the payload again',
    }),
  ];
}

/** A payload contains images by their full names. */
function shortNames(objects: readonly SourcedObject[]): readonly Problem[] {
  return shortNamedImages(objects).map((found) =>
    problem(
      'config/payload-images',
      `the image ${quoted(found.image)} has no registry, so the node does not look for it in the payload`,
      {
        at: placeOf(found),
        hint: 'write its registry and repository, and add it to additionalImages in payload.yaml',
      },
    ),
  );
}

function placeOf({ sourced, path }: ObjectImage): Problem['at'] {
  return manifestFieldPlace(sourced.source, path);
}

/** An image with tag and digest is pulled by its digest. Source: containers/image docker/reference */
function isInPayload(image: string, { images }: PayloadManifest): boolean {
  const wanted = parseImageReference(image);
  return images.some((each) => {
    if (each.image === image) return true;
    if (wanted?.digest === undefined || wanted.digest !== each.digest) return false;
    return parseImageReference(each.image)?.repository === wanted.repository;
  });
}

function otherMirrors(objects: readonly SourcedObject[], manifest: PayloadManifest): readonly Problem[] {
  const own = payloadSources(manifest).map(({ source }) => source);
  return objects.flatMap(mirrorEntries).flatMap(({ sourced, path, source }) => {
    const covered = own.find((each) => overlaps(each, source));
    if (covered === undefined) return [];
    const message = `the payload contains the images of ${covered}, and this is another mirror for them`;
    const at = manifestFieldPlace(sourced.source, [...path, 'source']);
    return [problem('config/payload-mirror', message, { at, hint: 'remove the entry' })];
  });
}
