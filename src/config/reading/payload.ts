import { problem, type Problem } from '../../core/problem.js';
import { quoted } from '../../core/quoted.js';
import { success, type Result } from '../../core/result.js';
import { parseImageReference } from '../../formats/image-reference.js';
import type { Environment, Inputs } from '../../graph/context.js';
import { versionIn } from '../../release/release-version.js';
import { needsSignature } from '../../release/image-policy.js';
import { releases } from '../../release/releases.js';
import type { InstallConfig } from '../schema/install-config-schema.js';
import type { PayloadManifest, WholePayloadManifest } from '../schema/payload-schema.js';
import { registriesOf } from '../rules/install/pull-secret.js';
import { otherVersionIn } from '../rules/sno/pull-spec.js';
import type { ImageReferences } from './image-references.js';
import type { InstallDraft } from './install-config.js';
import { manifestProblem, manifestSuffix, readPayloadManifest } from './payload-manifest.js';
import { tagArchitectures } from './release.js';
import type { SnoReading } from './sno-config.js';

/** The payload of a site. */
export interface SitePayload {
  /** Path of the payload, as in sno-config.yaml. */
  readonly file: string;
  readonly manifest: WholePayloadManifest;
  readonly verify: 'Manifest' | 'Full';
}

export interface PayloadReading {
  /** Absent without a payload, or if its manifest cannot be read. */
  readonly payload?: SitePayload;
  /** The manifest for a command that does not compare the site with its payload, in the place of `payload`. */
  readonly uncompared?: PayloadManifest;
  readonly problems: readonly Problem[];
}

/** Reads the manifest beside the payload. Problems: payload/manifest. */
export function readPayload(sno: SnoReading, inputs: Inputs): PayloadReading {
  const { payload } = sno.config;
  if (payload === undefined || !sno.isSound('payload')) return { problems: [] };
  const { file, verify } = payload;
  const at = sno.placeOf(['payload', 'file']);
  const path = `${file}${manifestSuffix}`;
  const refused = (fault: string, hint: string): PayloadReading => ({
    problems: [
      problem('payload/manifest', `the manifest of the payload, ${quoted(path)}, ${fault}`, { at, hint }),
    ],
  });
  if (file.trim() === '')
    return {
      problems: [
        problem('payload/manifest', 'payload.file is empty', { at, hint: 'write the path of the payload' }),
      ],
    };
  if (file.endsWith(`.payload${manifestSuffix}`))
    return {
      problems: [
        problem('payload/manifest', `payload.file ${quoted(file)} is the manifest of a payload`, {
          at,
          hint: `write "${file.slice(0, -manifestSuffix.length)}"`,
        }),
      ],
    };
  const read = inputs.read(path);
  if (read.kind === 'absent')
    return refused(
      'is not there',
      'copy it from the folder of the payload, or create the payload with `sno-install create payload`',
    );
  if (read.kind === 'unreadable')
    return refused(`cannot be read: ${read.reason}`, 'copy it again from the payload');
  const manifest = manifestIn(read.bytes, path);
  if (!manifest.ok) return { problems: manifest.problems };
  const { fileSystem } = manifest.value;
  if (fileSystem === undefined)
    return {
      problems: [manifestProblem(path, 'has no fileSystem: it is the copy from inside of a payload')],
    };
  return { payload: { file, verify, manifest: { ...manifest.value, fileSystem } }, problems: [] };
}

/** Manifests of valid files by their bytes, which all sites of a fleet share: parsing takes 50 ms for a release. */
const knownManifests = new WeakMap<Uint8Array, PayloadManifest>();

/** Reads a manifest; the same bytes once. Problems: payload/manifest. */
export function manifestIn(bytes: Uint8Array, path: string): Result<PayloadManifest> {
  const known = knownManifests.get(bytes);
  if (known !== undefined) return success(known);
  const manifest = readPayloadManifest(Buffer.from(bytes).toString('utf8'), path);
  if (manifest.ok) knownManifests.set(bytes, manifest.value);
  return manifest;
}

/** The images of the release in a payload, by name; undefined if it names none. */
export function referencesOf({ images }: PayloadManifest): ImageReferences | undefined {
  const named = images.flatMap(({ name, image }) => (name === undefined ? [] : [[name, image] as const]));
  return named.length === 0 ? undefined : Object.fromEntries(named);
}

export interface PayloadSettings {
  readonly sno: SnoReading;
  readonly install: InstallDraft | undefined;
  readonly environment: Pick<Environment, 'releaseImageOverride'>;
  /** Contents of the user's imageReferences file, if any. */
  readonly references?: ImageReferences | undefined;
}

/**
 * Settings of the configs that contradict the payload. Problems: config/payload-release, config/payload-registry,
 * config/payload-mirror, config/payload-internet, payload/missing-signature.
 */
export function payloadProblems(payload: SitePayload, settings: PayloadSettings): readonly Problem[] {
  return [
    ...releaseProblems(payload, settings),
    ...referenceProblems(payload, settings),
    ...architectureProblems(payload, settings),
    ...registryProblems(payload, settings),
    ...mirrorProblems(payload, settings),
    ...credentialProblems(settings),
    ...signatureProblems(payload, settings),
  ];
}

const leaveOut = (field: string): string => `leave ${field} out, or use a payload of that release`;

function releaseProblems(
  { manifest: { release } }: SitePayload,
  { sno, environment: { releaseImageOverride: override } }: PayloadSettings,
): readonly Problem[] {
  const { releaseImage, releaseVersion } = sno.config;
  const given = override ?? (sno.isSound('releaseImage') ? releaseImage : undefined);
  const field = override === undefined ? 'releaseImage' : 'OPENSHIFT_INSTALL_RELEASE_IMAGE_OVERRIDE';
  const at = override === undefined ? sno.placeOf(['releaseImage']) : sno.placeOf(['payload', 'file']);
  const version =
    releaseVersion === undefined || !sno.isSound('releaseVersion')
      ? undefined
      : otherVersionIn(release.version, releaseVersion);
  return [
    ...(given === undefined || given === release.image
      ? []
      : [
          problem(
            'config/payload-release',
            `${field} is ${given}, and the payload contains ${release.image}`,
            {
              at,
              hint: leaveOut(field),
            },
          ),
        ]),
    ...(version === undefined
      ? []
      : [
          problem(
            'config/payload-release',
            `releaseVersion is ${releaseVersion ?? ''}, and the payload contains ${release.version}`,
            { at: sno.placeOf(['releaseVersion']), hint: leaveOut('releaseVersion') },
          ),
        ]),
  ];
}

function referenceProblems(
  { manifest }: SitePayload,
  { sno, references }: PayloadSettings,
): readonly Problem[] {
  const own = referencesOf(manifest) ?? {};
  if (references === undefined) return [];
  const names = [...new Set([...Object.keys(references), ...Object.keys(own)])];
  const [first] = names.filter((name) => references[name] !== own[name]).toSorted();
  if (first === undefined) return [];
  const message = `imageReferences are of another release than the payload: ${first} is ${references[first] ?? 'missing'}, and ${own[first] ?? 'missing'} in the payload`;
  return [
    problem('config/payload-release', message, {
      at: sno.placeOf(['imageReferences']),
      hint: leaveOut('imageReferences'),
    }),
  ];
}

function architectureProblems(
  { manifest: { release } }: SitePayload,
  { sno, install }: PayloadSettings,
): readonly Problem[] {
  if (install?.isSound('controlPlane.architecture') !== true) return [];
  const { architecture } = install.config.controlPlane;
  if (architecture === release.architecture) return [];
  const message = `the payload is for ${release.architecture}, and controlPlane.architecture is ${architecture}`;
  const hint = 'use a payload for this architecture, or change controlPlane.architecture';
  return [problem('config/payload-release', message, { at: sno.placeOf(['payload', 'file']), hint })];
}

/** Source: openshift/appliance pkg/registry/registry.go: before 4.21 the image of the release has no /usr/bin/distribution */
function registryProblems(
  { manifest: { release, registry } }: SitePayload,
  { sno, install }: PayloadSettings,
): readonly Problem[] {
  const at = sno.placeOf(['payload', 'file']);
  const version = versionIn(release.version);
  const isOld = version !== undefined && !releases.like(version).hasDistributionInRegistry;
  if (registry.isOfRelease && isOld)
    return [
      problem(
        'config/payload-registry',
        `the registry image of release ${release.version} cannot serve a payload`,
        { at, hint: 'make the payload again with registryImage in payload.yaml' },
      ),
    ];
  if (registry.isOfRelease || install?.isSound('fips') !== true || !install.config.fips) return [];
  const message = `fips is true, and the payload is served by ${registry.image}, which is not of the release`;
  const hint = 'use a release from 4.21 on and a payload without registryImage, or a mirror registry';
  return [problem('config/payload-registry', message, { at, hint })];
}

/** A repository of the payload and the places from which its images are pulled otherwise. */
export interface PayloadSource {
  /** Repository in pull specs, with its registry. */
  readonly source: string;
  /** Repositories in the registry of the payload. */
  readonly repositories: readonly string[];
  readonly pulledBy: 'digest' | 'tag';
}

/** The sources of the payload's images, ordered by source; those that are pulled by tag separately. */
export function payloadSources({ images }: PayloadManifest): readonly PayloadSource[] {
  const found = new Map<string, PayloadSource>();
  for (const { image, repository } of images) {
    const reference = parseImageReference(image);
    if (reference === undefined) throw new Error('internal error: the manifest has an invalid pull spec');
    const pulledBy = reference.digest === undefined ? 'tag' : 'digest';
    const key = `${reference.repository} ${pulledBy}`;
    const earlier = found.get(key)?.repositories ?? [];
    found.set(key, {
      source: reference.repository,
      repositories: [...new Set([...earlier, repository])].toSorted(),
      pulledBy,
    });
  }
  return [...found].toSorted(([left], [right]) => (left < right ? -1 : 1)).map(([, source]) => source);
}

const maxBundleLength = 64;

/** Name of the release in an InternalReleaseImage. Source: openshift/api machineconfiguration/v1/types_internalreleaseimage.go */
export function bundleName({ version, architecture }: PayloadManifest['release']): string {
  return `ocp-release-bundle-${version}-${tagArchitectures[architecture]}`.slice(0, maxBundleLength);
}

/** Whether one of two repositories is the other, or contains it. */
export function overlaps(left: string, right: string): boolean {
  return left === right || left.startsWith(`${right}/`) || right.startsWith(`${left}/`);
}

function mirrorProblems({ manifest }: SitePayload, { install }: PayloadSettings): readonly Problem[] {
  if (install === undefined) return [];
  const own = payloadSources(manifest).map(({ source }) => source);
  return (['imageDigestSources', 'imageContentSources'] as const).flatMap((list) => {
    if (!install.isSound(list)) return [];
    const entries: InstallConfig['imageContentSources'] = install.config[list];
    const [first] = list === 'imageContentSources' ? entries : [];
    if (first !== undefined)
      return install.judge([
        {
          code: 'config/payload-mirror',
          path: [list],
          target: 'key',
          message: 'imageContentSources cannot be combined with the mirrors of the payload',
          hint: 'move its entries to imageDigestSources',
        },
      ]);
    return install.judge(
      entries.flatMap(({ source }, index) => {
        const covered = own.find((each) => overlaps(each, source));
        if (covered === undefined) return [];
        return [
          {
            code: 'config/payload-mirror' as const,
            path: [list, index, 'source'],
            message: `the payload contains the images of ${covered}, and this is another mirror for them`,
            hint: 'remove the entry',
          },
        ];
      }),
    );
  });
}

/** A payload that was made for another feature set can lack signatures. Problem: payload/missing-signature. */
function signatureProblems(
  { manifest: { images, release } }: SitePayload,
  { sno, install }: PayloadSettings,
): readonly Problem[] {
  if (install?.isSound('featureSet') !== true) return [];
  const { featureSet } = install.config;
  const needed = images.filter(({ image }) =>
    needsSignature(image, { version: release.version, featureSet }),
  );
  const unsigned = needed.filter(({ signature }) => signature === undefined);
  if (unsigned.length === 0) return [];
  const names = unsigned.map(({ name, image }) => name ?? image);
  return [
    problem('payload/missing-signature', unsignedText(names, needed.length, release.version), {
      at: sno.placeOf(['payload', 'file']),
      hint: 'create the payload again from a source with the signatures',
    }),
  ];
}

/** The message for images of a release without the signature that CRI-O requires. */
export function unsignedText(names: readonly string[], total: number, version: string): string {
  const [some, more] = [names.slice(0, 3).join(', '), names.length > 3 ? ', …' : ''];
  return `${names.length} of ${total} images have no signature, and OpenShift ${version} does not run them: ${some}${more}`;
}

/** Port of the registry of the payload. Source: machine-config-operator pkg/controller/common, IRIRegistryPort */
export const payloadPort = 22625;

function credentialProblems({ install }: PayloadSettings): readonly Problem[] {
  if (install?.isSound('pullSecret') !== true) return [];
  const registries = registriesOf(install.config.pullSecret.reveal()) ?? [];
  const registry = registries.find((each) => /^(?:localhost|api-int\.[^:/]+):22625$/.test(each));
  const path = ['pullSecret'];
  return install.judge([
    ...(registry === undefined
      ? []
      : [
          {
            code: 'config/payload-registry' as const,
            path,
            message: `pullSecret has credentials for ${registry}, the registry of the payload, which gets its own`,
            hint: 'remove the entry',
          },
        ]),
    ...(registries.includes('cloud.openshift.com')
      ? [
          {
            code: 'config/payload-internet' as const,
            path,
            message:
              'with the entry cloud.openshift.com in pullSecret, Insights and Telemetry send data to the internet',
            hint: 'remove the entry if the site has no route to the internet',
          },
        ]
      : []),
  ]);
}
