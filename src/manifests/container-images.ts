import { isRecord } from '../core/is-record.js';
import { parseImageReference } from '../formats/image-reference.js';
import type { FieldPath } from '../formats/yaml/yaml-tree.js';
import { isList, textAt } from '../kube/fields.js';
import type { SourcedObject } from '../kube/manifest.js';
import type { KubeObject } from '../kube/object.js';

/** An image that an object makes the node pull. */
export interface ObjectImage {
  readonly sourced: SourcedObject;
  readonly path: FieldPath;
  readonly image: string;
}

/** Fields with an image, by kind. */
const fieldsByKind: Readonly<Record<string, readonly string[]>> = {
  CatalogSource: ['spec', 'image'],
  MachineConfig: ['spec', 'osImageURL'],
};

/** Lists of containers in a pod, of any object that contains one. */
const containerLists: readonly string[] = ['containers', 'initContainers', 'ephemeralContainers'];

/**
 * The images of pods in objects, of catalogs, of operating systems and of volumes with an image, in the order of the files. Texts that
 * are no pull spec with a registry, such as templates and names of ImageStreamTags, are left out.
 */
export function containerImages(objects: readonly SourcedObject[]): readonly ObjectImage[] {
  return allImages(objects).filter(({ image }) => parseImageReference(image) !== undefined);
}

/**
 * The images without a registry, such as `nginx:1.27`, which the node looks up in the registries of its system. Names
 * that may belong to an ImageStream are left out.
 */
export function shortNamedImages(objects: readonly SourcedObject[]): readonly ObjectImage[] {
  return allImages(objects.filter(({ object }) => !isResolvedByImageStream(object))).filter(
    ({ image }) => shortName.test(image) && parseImageReference(image) === undefined,
  );
}

/** Source: containers/image docs/containers-registries.conf.5.md, short names */
const shortName =
  /^[a-z0-9]+(?:[._/-]+[a-z0-9]+)*(?::[A-Za-z0-9_][A-Za-z0-9._-]*)?(?:@sha256:[0-9a-f]{64})?$/;

/** Source: OpenShift documentation, using image streams with Kubernetes resources, and triggering updates on image stream changes */
function isResolvedByImageStream(object: KubeObject): boolean {
  return (
    object.apiVersion.includes('openshift.io/') ||
    /image\.openshift\.io\/triggers|alpha\.image\.policy\.openshift\.io/.test(JSON.stringify(object))
  );
}

function allImages(objects: readonly SourcedObject[]): readonly ObjectImage[] {
  return objects.flatMap((sourced) => [
    ...imagesBelow(sourced.object, []).map((found) => ({ sourced, ...found })),
    ...found(sourced.object, fieldsByKind[sourced.object.kind] ?? []).map((each) => ({ sourced, ...each })),
  ]);
}

type Found = Omit<ObjectImage, 'sourced'>;

function imagesBelow(value: unknown, path: FieldPath): readonly Found[] {
  if (isList(value)) return value.flatMap((item, index) => imagesBelow(item, [...path, index]));
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([key, field]) => {
    const below = [...path, key];
    if (containerLists.includes(key) && isList(field))
      return field.flatMap((item, index) => imagesOf(item, ['image'], [...below, index]));
    if (key === 'volumes' && isList(field))
      return field.flatMap((item, index) => imagesOf(item, ['image', 'reference'], [...below, index]));
    return imagesBelow(field, below);
  });
}

function found(object: unknown, field: readonly string[]): readonly Found[] {
  return field.length === 0 ? [] : imagesOf(object, field, []);
}

function imagesOf(object: unknown, field: readonly string[], at: FieldPath): readonly Found[] {
  const image = textAt(object, field);
  return image === undefined ? [] : [{ path: [...at, ...field], image }];
}
