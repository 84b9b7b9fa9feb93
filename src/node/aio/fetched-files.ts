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
  missing: readonly NeededProgram[],
  facts: ProgramFacts,
  at: Place | undefined,
): readonly Problem[] {
  const known = newestKnownPatch(Number(facts.version.split('.')[1]));
  const way =
    known === undefined || known === facts.version || facts.architecture === 's390x'
      ? ''
      : `, or use kubernetesVersion ${known}, whose hashes are known`;
  return missing
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

/** Error aio/image-without-programs for an OpenShift node whose boot image has neither container runtime nor kubelet. */
export function imageWithoutPrograms(
  { controlPlane }: SnoConfig,
  versions: ProgramVersions,
  at: Place | undefined,
): readonly Problem[] {
  const { hasImagesOfReleases } = aioDistributions[controlPlane.distribution];
  if (!hasImagesOfReleases || versions.kubernetesMinor < plain.kubernetesMinor) return [];
  const message = `images of RHCOS and SCOS for OpenShift ${plain.version.text} and later have no CRI-O, kubelet and oc`;
  const hint = `use a releaseImage of ${whole.version.text} or older, or "distribution: Kubernetes" on Fedora CoreOS`;
  return [problem('aio/image-without-programs', message, { at, hint })];
}

/** The `aio.files` entry to add; complete if the hash is known. */
function entryHint({ file, published: { url, sha256 } }: NeededProgram): string {
  const folder = file.unpackInto === undefined ? '' : `, unpackInto: ${file.unpackInto}`;
  const entry = `- { path: ${file.path}, url: "${url}"${folder}, sha256: "${sha256 ?? '…'}" }`;
  return sha256 === undefined
    ? `add to aio.files, with "…" replaced by the hash in the .sha256 file: ${entry}`
    : `add to aio.files: ${entry}`;
}
