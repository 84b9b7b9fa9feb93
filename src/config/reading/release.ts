import { problem, type Place, type Problem } from '../../core/problem.js';
import { quoted } from '../../core/quoted.js';
import type { MachinePool } from '../schema/install-config-schema.js';
import type { PayloadManifest } from '../schema/payload-schema.js';
import { parseImageReference } from '../../formats/image-reference.js';
import { versionIn, type ReleaseVersion } from '../../release/release-version.js';
import { defaultReleaseVersion, releases } from '../../release/releases.js';
import { otherVersionIn, pullSpecFault } from '../rules/sno/pull-spec.js';
import type { InstallDraft } from './install-config.js';
import type { SnoReading } from './sno-config.js';

export interface Release {
  /** Pull spec, by tag or by digest. */
  readonly image: string;
  /** Absent if neither the tag nor `releaseVersion` of sno-config.yaml contains it. */
  readonly version?: ReleaseVersion;
  /** Whether the payload is a build of OKD, whose nodes run CentOS Stream CoreOS. */
  readonly isOkd: boolean;
}

export interface ReleaseReading {
  /** Must not be used for outputs if the problems contain an error. */
  readonly release: Release;
  readonly problems: readonly Problem[];
}

/** Selects the release: from the environment, else from sno-config.yaml, else from the payload, else the default. */
export function readRelease(
  install: InstallDraft | undefined,
  sno: SnoReading,
  {
    override,
    payload,
  }: {
    /** OPENSHIFT_INSTALL_RELEASE_IMAGE_OVERRIDE */
    readonly override: string | undefined;
    readonly payload?: PayloadManifest['release'] | undefined;
  },
): ReleaseReading {
  const { releaseImage, releaseVersion } = sno.config;
  const architecture = install?.config.controlPlane.architecture ?? 'amd64';
  const image = override ?? releaseImage ?? payload?.image ?? defaultImage(architecture);
  const { tag = '', repository = '' } = parseImageReference(image) ?? {};
  const ofPayload = image === payload?.image ? payload.version : undefined;
  const version = versionIn(tag) ?? versionIn(ofPayload ?? releaseVersion ?? '');
  const isOkd =
    okdRepositories.includes(repository) ||
    isVersionOfOkd(tag) ||
    isVersionOfOkd(ofPayload ?? releaseVersion ?? '');
  const isFromFile = override === undefined && releaseImage !== undefined;
  const imageAt = isFromFile ? sno.placeOf(['releaseImage']) : undefined;
  const versionAt = versionIn(tag) ? imageAt : sno.placeOf(['releaseVersion']);
  const isArchitectureKnown = install?.isSound('controlPlane.architecture') === true;
  return {
    release: { image, ...(version && { version }), isOkd },
    problems: [
      ...overrideProblems(override),
      ...(override === undefined ? [] : contradictionProblems(tag, sno)),
      ...(override === undefined && releaseImage === undefined && payload === undefined
        ? unselectedProblems(releaseVersion, { image, at: sno.placeOf(['releaseVersion']) })
        : []),
      ...(isArchitectureKnown ? architectureProblems(tag, architecture, imageAt) : []),
      ...versionProblems(version, versionAt),
      ...(isOkd ? oldOkdProblems(version, versionAt) : []),
    ],
  };
}

/** Source: quay.io/okd contains OKD's published releases, registry.ci.openshift.org/origin those of its CI. */
const okdRepositories: readonly string[] = [
  'quay.io/okd/scos-release',
  'registry.ci.openshift.org/origin/release-scos',
];

/** Matches OKD versions such as `4.22.0-okd-scos.3`, `4.22.0-0.okd-scos-2026-05-11-000000` and `4.15.0-0.okd-2024-03-10-010116`. */
function isVersionOfOkd(text: string): boolean {
  return /[-.]okd-/.test(text);
}

type Architecture = MachinePool['architecture'];

/** Names of architectures in the tags of quay.io/openshift-release-dev/ocp-release, in release bundles and in stream metadata. */
export const tagArchitectures = {
  amd64: 'x86_64',
  arm64: 'aarch64',
  ppc64le: 'ppc64le',
  s390x: 's390x',
} as const satisfies Readonly<Record<Architecture, string>>;

function defaultImage(architecture: Architecture): string {
  return `quay.io/openshift-release-dev/ocp-release:${defaultReleaseVersion}-${tagArchitectures[architecture]}`;
}

const overrideVariable = 'OPENSHIFT_INSTALL_RELEASE_IMAGE_OVERRIDE';

function overrideProblems(override: string | undefined): readonly Problem[] {
  const fault = override === undefined ? undefined : pullSpecFault(override);
  if (fault === undefined) return [];
  return [
    problem('usage/environment', `${overrideVariable} ${quoted(override ?? '')} ${fault}`, {
      hint: 'unset it, or write registry/repository:tag',
    }),
  ];
}

/** The environment selects another release than sno-config.yaml describes. */
function contradictionProblems(tag: string, { config, placeOf }: SnoReading): readonly Problem[] {
  const { releaseVersion, releaseImage } = config;
  const [inTag, hint] = [`the tag of ${overrideVariable}`, `unset ${overrideVariable}`];
  const ofVersion = releaseVersion === undefined ? undefined : otherVersionIn(tag, releaseVersion);
  if (releaseVersion !== undefined && ofVersion !== undefined)
    return [
      problem(
        'config/release-version',
        `releaseVersion ${releaseVersion} differs from ${inTag}, ${ofVersion}`,
        {
          at: placeOf(['releaseVersion']),
          hint: `${hint}, or leave releaseVersion out`,
        },
      ),
    ];
  const own = parseImageReference(releaseImage ?? '')?.tag ?? '';
  const ofImage = otherVersionIn(tag, own);
  if (ofImage === undefined) return [];
  return [
    problem('config/release-overridden', `releaseImage is not installed: ${inTag} has version ${ofImage}`, {
      at: placeOf(['releaseImage']),
      hint: `${hint}, or correct releaseImage`,
    }),
  ];
}

/** releaseVersion does not select a release: without releaseImage, the default is installed. */
function unselectedProblems(
  given: string | undefined,
  { image, at }: { readonly image: string; readonly at: Place | undefined },
): readonly Problem[] {
  if (given === undefined || versionIn(given) === undefined) return [];
  if (`${defaultReleaseVersion}.`.startsWith(`${given}.`)) return [];
  const message = `releaseVersion ${quoted(given)} selects no release: without releaseImage, ${image} is installed`;
  const hint = 'set releaseImage to the pull spec of the release';
  return [problem('config/release-version', message, { at, hint })];
}

/** Checks a tag that ends with an architecture. `multi` and tags without an architecture are accepted. */
function architectureProblems(tag: string, wanted: Architecture, at: Place | undefined): readonly Problem[] {
  const suffix = /-(x86_64|amd64|aarch64|arm64|ppc64le|s390x)$/.exec(tag)?.[1];
  if (suffix === undefined || suffix === wanted || suffix === tagArchitectures[wanted]) return [];
  const message = `the release is for ${suffix}, while controlPlane.architecture is ${wanted}`;
  return [
    problem('config/release-architecture', message, {
      at,
      hint: `use the release for ${tagArchitectures[wanted]}, or change controlPlane.architecture`,
    }),
  ];
}

function versionProblems(version: ReleaseVersion | undefined, at: Place | undefined): readonly Problem[] {
  if (version === undefined || releases.knownAs(version)?.isOffered === true) return [];
  const message = `release ${version.text} is not one of the supported releases ${releases.offeredText}`;
  return [
    problem('config/release-untested', message, {
      at,
      hint: 'some steps on the node may need manual fixes',
    }),
  ];
}

/**
 * Older OKD releases boot from Fedora CoreOS and rebase the running system, which is not possible in a live system.
 * Source: okd-project/okd-scos issue 27, openshift/installer data/data/coreos/scos.json
 */
function oldOkdProblems(version: ReleaseVersion | undefined, at: Place | undefined): readonly Problem[] {
  if (version === undefined || !releases.like(version).hasNodeProgramsInImages) return [];
  const first = releases.firstWith(({ hasNodeProgramsInImages }) => !hasNodeProgramsInImages).version.text;
  const message = `OKD ${version.text} has no live system with oc and the kubelet, so its bootstrap cannot start`;
  return [problem('config/release-okd', message, { at, hint: `install OKD ${first} or later` })];
}
