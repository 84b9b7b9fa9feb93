import { aligned } from '../core/aligned.js';
import type { FirstImage, FirstPulls } from './first-images.js';

/** The list for programs. */
export function pullsData({ images, files }: FirstPulls): Readonly<Record<string, unknown>> {
  return {
    images,
    files: files.map(({ path, url, hash }) => ({ path, url, [hash.type]: hash.hex })),
  };
}

/** The list as tables of images and files. */
export function pullsText({ images, files }: FirstPulls): string {
  const rows = [
    ['NAME', 'IMAGE', 'USED BY'],
    ...images.map((each) => [each.name, placeOf(each), each.usedBy.join(', ')]),
  ];
  const isOpen = images.some(({ image }) => image === undefined);
  return [
    ...aligned(rows),
    ...(files.length === 0
      ? []
      : [
          '',
          ...aligned([
            ['FILE', 'URL', 'HASH'],
            ...files.map(({ path, url, hash }) => [path, url, `${hash.type}:${hash.hex}`]),
          ]),
        ]),
    ...(isOpen
      ? [
          '',
          'Write the list of the payload into a file and name it in imageReferences of sno-config.yaml to see the rest:',
          '  oc adm release info RELEASE --output=json',
        ]
      : []),
    '',
  ].join('\n');
}

function placeOf({ image }: FirstImage): string {
  return image ?? 'in the payload';
}
