import { problem, type Problem } from '../core/problem.js';
import type { MachineName } from './machine-of.js';

/** What an image says that it is. */
export interface ImageFacts {
  readonly machine?: MachineName;
  /** Such as `4.18`. */
  readonly release?: string;
}

/** What an image is wanted for, as far as it is known. */
export interface WantedImage {
  /** As the install-config names it. */
  readonly architecture?: string;
  /** Such as `4.18`. */
  readonly release?: string;
}

/** Where an image is not the one that is wanted; `name` is what messages call it. Warnings: media/release. Problems: media/architecture. */
export function mismatches(
  { machine: itsMachine, release: itsRelease }: ImageFacts,
  { architecture, release }: WantedImage,
  name = 'the image',
): readonly Problem[] {
  return [
    ...(architecture !== undefined && itsMachine !== undefined && architecture !== itsMachine
      ? [
          problem(
            'media/architecture',
            `${name} boots on ${itsMachine}, and the install-config is for ${architecture}`,
          ),
        ]
      : []),
    ...(release !== undefined && itsRelease !== undefined && release !== itsRelease
      ? [problem('media/release', `${name} is of OpenShift ${itsRelease}, and ${release} is installed`)]
      : []),
  ];
}
