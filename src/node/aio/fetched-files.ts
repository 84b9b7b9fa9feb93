import { aioDistributions } from '../../config/aio-distributions.js';
import { problem, type Place, type Problem } from '../../core/problem.js';
import type { FetchedFile } from '../../config/schema/aio-model.js';
import type { SnoConfig } from '../../config/schema/sno-config-schema.js';
import type { ProgramVersions } from '../../release/flags/check-flags.js';
import { newestKnownPatch } from '../../release/published-programs.js';
import { releases } from '../../release/releases.js';
import type { NeededProgram, ProgramFacts } from './needed-programs.js';

/** The program as a file to download; empty if its hash is unknown. */
export function fetchedFileOf({ file, published: { url, sha256 } }: NeededProgram): readonly FetchedFile[] {
  if (sha256 === undefined) return [];
  return [{ ...file, url, hash: { type: 'sha256', hex: sha256 }, stripComponents: 0 }];
}

/** Errors aio/missing-program for programs without a file in the config and without a known hash. */
export function missingPrograms(
  lacking: readonly NeededProgram[],
  facts: ProgramFacts,
  at: Place | undefined,
): readonly Problem[] {
  const known = newestKnownPatch(Number(facts.version.split('.')[1]));
  const way =
    known === undefined || known === facts.version || facts.architecture === 's390x'
      ? ''
      : `, or use kubernetesVersion ${known}, whose hashes are known`;
  return lacking
    .filter(({ published }) => published.sha256 === undefined)
    .map((program) =>
      problem(
        'aio/missing-program',
        `Fedora CoreOS has no ${program.name}, the hash of ${program.published.url} is not known, and aio.files has no entry for it`,
        { at, hint: `${entryHint(program)}${way}` },
      ),
    );
}

/** The first release with plain CoreOS boot images, and the last with OpenShift's programs in them. */
const plain = releases.firstWith(({ hasNodeProgramsInImages }) => !hasNodeProgramsInImages);
const whole = releases.lastWith(({ hasNodeProgramsInImages }) => hasNodeProgramsInImages);

interface Image {
  readonly config: SnoConfig;
  readonly versions: ProgramVersions;
  readonly at: Place | undefined;
}

/** Warnings aio/perhaps-missing-program for programs that the image of an OpenShift node may not contain. */
export function possiblyMissingPrograms(
  lacking: readonly NeededProgram[],
  { config, versions, at }: Image,
): readonly Problem[] {
  const { hasImagesOfReleases } = aioDistributions[config.controlPlane.distribution];
  if (!hasImagesOfReleases || versions.kubernetesMinor < plain.kubernetesMinor) return [];
  return lacking
    .filter(({ name }) => name === 'kubelet')
    .map((program) =>
      problem(
        'aio/perhaps-missing-program',
        `images of RHCOS for OpenShift ${plain.version.text} and later have no ${program.name}, and aio.files has no entry for it`,
        { at, hint: `boot an image of ${whole.version.text} or older, or ${entryHint(program)}` },
      ),
    );
}

/** The `aio.files` entry to add; complete if the hash is known. */
function entryHint({ file, published: { url, sha256 } }: NeededProgram): string {
  const folder = file.unpackInto === undefined ? '' : `, unpackInto: ${file.unpackInto}`;
  const entry = `- { path: ${file.path}, url: "${url}"${folder}, sha256: "${sha256 ?? '…'}" }`;
  return sha256 === undefined
    ? `add to aio.files, with "…" replaced by the hash in the .sha256 file: ${entry}`
    : `add to aio.files: ${entry}`;
}
