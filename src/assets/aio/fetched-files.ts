import { problem, type Place, type Problem } from '../../core/problem.js';
import { failure, resultOf } from '../../core/result.js';
import { defineAsset } from '../../graph/asset.js';
import { newestPublishedPatch } from '../../release/published-programs.js';
import { releases } from '../../release/releases.js';
import type { FetchedFile } from '../config/aio-model.js';
import { installReading } from '../config/install-reading.js';
import { mirroredUrl } from '../config/mirror-url.js';
import { releaseReading } from '../config/release.js';
import { snoReading } from '../config/sno-config.js';
import type { SnoConfig } from '../config/sno-config-model.js';
import {
  programFacts,
  programsNotBrought,
  type NeededProgram,
  type ProgramFacts,
} from './needed-programs.js';
import { folderProblems, sourceOf } from './offline-files.js';
import type { Versions } from '../control-plane/inputs.js';
import { aioVersions } from './release.js';

/**
 * Everything that the machine fetches at its first boot: the user's files, and what else the operating system lacks, as
 * its projects publish it or as a mirror has it. Problems: aio/missing-program, aio/perhaps-missing-program,
 * aio/offline-files.
 */
export const fetchedFiles = defineAsset({
  name: 'aio/fetched-files',
  needs: { install: installReading, reading: snoReading, release: releaseReading },
  tryMake: ({ install: { draft }, reading, release }, { environment, inputs }) => {
    const { config, placeOf } = reading;
    const versions = aioVersions(config.controlPlane, release.release);
    const areSound =
      draft?.isSound('controlPlane.architecture') === true &&
      reading.isSound('aio') &&
      reading.isSound('controlPlane');
    // Another check has said what is wrong with them.
    if (versions === undefined || !areSound) return failure();
    const facts = programFacts(config, versions, draft.config.controlPlane.architecture);
    const lacking = programsNotBrought(config, facts);
    const at = placeOf(['aio', 'files']);
    const isPlain = config.aio.operatingSystem === 'FedoraCoreOS';
    const named = isPlain ? lacking.flatMap(fileOf) : [];
    const source = sourceOf(config.aio.mirror, environment.offlineFiles, placeOf(['aio', 'mirror']));
    const value: readonly FetchedFile[] = [
      ...config.aio.files,
      ...named.map((file) => ({ ...file, url: mirroredUrl(file.url, source.base) })),
    ];
    return resultOf(value, [
      ...(isPlain ? missing(lacking, facts, at) : perhapsMissing(lacking, { config, versions, at })),
      ...source.problems,
      ...(source.folder === undefined ? [] : folderProblems(source.folder, named, inputs)),
    ]);
  },
});

function fileOf({ file, published: { url, sha256 } }: NeededProgram): readonly FetchedFile[] {
  if (sha256 === undefined) return [];
  return [{ ...file, url, hash: { type: 'sha256', hex: sha256 }, stripComponents: 0 }];
}

function missing(
  lacking: readonly NeededProgram[],
  facts: ProgramFacts,
  at: Place | undefined,
): readonly Problem[] {
  const known = newestPublishedPatch(Number(facts.version.split('.')[1]));
  const way =
    known === undefined || known === facts.version || facts.architecture === 's390x'
      ? ''
      : `, or take kubernetesVersion ${known}, whose hashes are known`;
  return lacking
    .filter(({ published }) => published.sha256 === undefined)
    .map((program) =>
      problem(
        'aio/missing-program',
        `Fedora CoreOS has no ${program.name}, the hash of ${program.published.url} is not known, and no entry of aio.files brings it`,
        { at, hint: `${entryHint(program)}${way}` },
      ),
    );
}

/** The first release whose boot images are plain, and the last whose are not. */
const plain = releases.firstWith(({ hasNodeProgramsInImages }) => !hasNodeProgramsInImages);
const whole = releases.lastWith(({ hasNodeProgramsInImages }) => hasNodeProgramsInImages);

interface Image {
  readonly config: SnoConfig;
  readonly versions: Versions;
  readonly at: Place | undefined;
}

function perhapsMissing(
  lacking: readonly NeededProgram[],
  { config, versions, at }: Image,
): readonly Problem[] {
  const isOpenShift = config.controlPlane.distribution === 'OpenShift';
  if (!isOpenShift || versions.kubernetesMinor < plain.kubernetesMinor) return [];
  return lacking
    .filter(({ name }) => name === 'kubelet')
    .map((program) =>
      problem(
        'aio/perhaps-missing-program',
        `images of RHCOS for OpenShift ${plain.version.text} and later have no ${program.name}, and no entry of aio.files brings it`,
        { at, hint: `boot an image of ${whole.version.text} or older, or ${entryHint(program)}` },
      ),
    );
}

/** The entry to add, whole where the hash is known. */
function entryHint({ file, published: { url, sha256 } }: NeededProgram): string {
  const folder = file.unpackInto === undefined ? '' : `, unpackInto: ${file.unpackInto}`;
  const entry = `- { path: ${file.path}, url: "${url}"${folder}, sha256: "${sha256 ?? '…'}" }`;
  return sha256 === undefined
    ? `add to aio.files, with the hash in place of "…" that stands beside the file (.sha256): ${entry}`
    : `add to aio.files: ${entry}`;
}
