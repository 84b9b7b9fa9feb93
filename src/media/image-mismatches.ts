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

/** The expected system. */
export interface ExpectedImage {
  /** Name in the install-config. */
  readonly architecture?: string;
  /** Such as `4.18`. */
  readonly release?: string;
  /** Whether the release is a build of OKD, which installs CentOS Stream CoreOS. Absent if any system is accepted. */
  readonly isOkd?: boolean;
}

/** Drops the expected release and system if the user accepts an image of another one. */
export function expectedImage(
  { architecture, ...wanted }: ExpectedImage,
  acceptsAny: boolean,
): ExpectedImage {
  return { ...(architecture !== undefined && { architecture }), ...(!acceptsAny && wanted) };
}

/** Compares an image with the expected one; `name` is the image's name in messages. Problems: media/release, media/architecture. */
export function imageMismatches(
  { machine: itsMachine, release: itsRelease, volume }: ImageFacts,
  expected: ExpectedImage,
  name = 'the image',
): readonly Problem[] {
  const { architecture, release, isOkd } = expected;
  const isOtherMachine =
    architecture !== undefined && itsMachine !== undefined && architecture !== itsMachine;
  const otherMachine = `${name} boots on ${itsMachine}, but install-config.yaml is for ${architecture}`;
  const other =
    (volume === undefined ? undefined : otherSystem(volume, expected)) ??
    (release === undefined ? undefined : otherRelease({ volume, itsRelease }, release));
  const of = release ?? 'the release';
  const ofOkd =
    isOkd === false && volume?.startsWith('scos-') === true
      ? '; for OKD, set releaseVersion of sno-config.yaml to its version'
      : '';
  return [
    ...(isOtherMachine ? [problem('media/architecture', otherMachine)] : []),
    ...(other === undefined
      ? []
      : [
          problem('media/release', `${name} is ${other}`, {
            hint: `use the live image that \`sno-install media download\` gets for ${of}, or accept this one with --force${ofOkd}`,
          }),
        ]),
  ];
}

/** How the system of an image differs; follows "is". Source of the names: coreos-assembler, coreos.liveiso of the live images */
function otherSystem(volume: string, { release, isOkd }: ExpectedImage): string | undefined {
  if (isOkd === undefined && release === undefined) return undefined;
  const [, system] = /^(rhcos|scos)-/.exec(volume) ?? [];
  if (system === undefined)
    return `${quoted(volume)}, neither RHEL CoreOS (rhcos) nor CentOS Stream CoreOS (scos)`;
  if (isOkd === undefined || isOkd === (system === 'scos')) return undefined;
  return isOkd
    ? `${quoted(volume)}, RHEL CoreOS, but the release is a build of OKD, which installs CentOS Stream CoreOS (scos)`
    : `${quoted(volume)}, CentOS Stream CoreOS of OKD, but the release is not a build of OKD: it installs RHEL CoreOS (rhcos)`;
}

function otherRelease(
  {
    volume = '',
    itsRelease,
  }: { readonly volume?: string | undefined; readonly itsRelease?: string | undefined },
  release: string,
): string | undefined {
  const installs = `but the config installs ${release}`;
  if (itsRelease !== undefined)
    return itsRelease === release ? undefined : `for OpenShift ${itsRelease}, ${installs}`;
  const isPlain = /^(?:rhcos|scos)-\d{1,2}\.\d/.test(volume) && !/^(?:rhcos|scos)-4\./.test(volume);
  return isPlain && !hasPlainImages(release)
    ? `${quoted(volume)}, of OpenShift 4.${firstPlainMinor} or later, ${installs}`
    : undefined;
}

/** Live images are plain CoreOS, named after the release of RHEL, since 4.19. Before, their names contain the release. */
export const firstPlainMinor = 19;

/** Whether the live images of a release are plain CoreOS; true if unknown. */
export function hasPlainImages(release: string | undefined): boolean {
  const [, minor] = /^4\.(\d+)$/.exec(release ?? '') ?? [];
  return minor === undefined || Number(minor) >= firstPlainMinor;
}
