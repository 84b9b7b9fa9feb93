import { problem, type Problem } from '../core/problem.js';
import { quoted } from '../core/quoted.js';
import type { MachineName } from './machine-of.js';

/** Architecture and release of an image. */
export interface ImageFacts {
  readonly machine?: MachineName;
  /** Such as `4.18`. */
  readonly release?: string;
  /** Volume ID of an ISO, such as `rhcos-9.6.20250523-0`. */
  readonly volume?: string;
}

/** Volume IDs of RHEL CoreOS and CentOS Stream CoreOS. Source: coreos-assembler, coreos.liveiso of the live images */
const ofOpenShift = /^(?:rhcos|scos)-/;

/** The expected architecture and release, if known. */
export interface ExpectedImage {
  /** Name in the install-config. */
  readonly architecture?: string;
  /** Such as `4.18`. */
  readonly release?: string;
}

/** Drops the expected release if the user accepts an image of another one. */
export function expectedImage(wanted: ExpectedImage, acceptsAnyRelease: boolean): ExpectedImage {
  const { architecture } = wanted;
  return acceptsAnyRelease ? { ...(architecture !== undefined && { architecture }) } : wanted;
}

/** Compares an image with the expected one; `name` is the image's name in messages. Problems: media/release, media/architecture. */
export function imageMismatches(
  { machine: itsMachine, release: itsRelease, volume }: ImageFacts,
  { architecture, release }: ExpectedImage,
  name = 'the image',
): readonly Problem[] {
  return [
    ...(architecture !== undefined && itsMachine !== undefined && architecture !== itsMachine
      ? [
          problem(
            'media/architecture',
            `${name} boots on ${itsMachine}, but install-config.yaml is for ${architecture}`,
          ),
        ]
      : []),
    ...(release !== undefined && volume !== undefined && !ofOpenShift.test(volume)
      ? [
          problem(
            'media/release',
            `${name} is ${quoted(volume)}, neither RHEL CoreOS (rhcos) nor CentOS Stream CoreOS (scos)`,
            {
              hint: `use the live image that \`openshift-install coreos print-stream-json\` of ${release} names, or accept this one with --force`,
            },
          ),
        ]
      : []),
    ...(release !== undefined && itsRelease !== undefined && release !== itsRelease
      ? [
          problem(
            'media/release',
            `${name} is for OpenShift ${itsRelease}, but the config installs ${release}`,
            {
              hint: `use the image of ${release}, or accept this one with --force`,
            },
          ),
        ]
      : []),
  ];
}
