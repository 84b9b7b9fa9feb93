import { mirroredUrl } from '../../config/mirror-url.js';
import { failure, resultOf } from '../../core/result.js';
import type { FetchedFile } from '../../config/schema/aio-model.js';
import { defineAsset } from '../../graph/asset.js';
import { aioVersions } from '../../node/aio/aio-release.js';
import { fetchedFileOf, imageWithoutPrograms, missingPrograms } from '../../node/aio/fetched-files.js';
import { programFacts, programsNotInFiles } from '../../node/aio/needed-programs.js';
import { offlineSourceOf, folderProblems } from '../../node/aio/offline-files.js';
import { installReading } from '../config/install-reading.js';
import { releaseReading } from '../config/release.js';
import { snoReading } from '../config/sno-config.js';

/**
 * Files that the node downloads at first boot: the user's files, and programs missing from the operating system, from their
 * projects or from a mirror. Problems: aio/missing-program, aio/image-without-programs, aio/offline-files.
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
    // Other checks report the reason.
    if (versions === undefined || !areSound) return failure();
    const facts = programFacts(config, versions, draft.config.controlPlane.architecture);
    const missing = programsNotInFiles(config, facts);
    const at = placeOf(['aio', 'files']);
    const isPlain = config.aio.operatingSystem === 'FedoraCoreOS';
    const named = isPlain ? missing.flatMap(fetchedFileOf) : [];
    const source = offlineSourceOf(config.aio.mirror, environment.offlineFiles, placeOf(['aio', 'mirror']));
    const value: readonly FetchedFile[] = [
      ...config.aio.files,
      ...named.map((file) => ({ ...file, url: mirroredUrl(file.url, source.base) })),
    ];
    return resultOf(value, [
      ...(isPlain
        ? missingPrograms(missing, facts, at)
        : imageWithoutPrograms(config, versions, placeOf(['controlPlane', 'distribution']))),
      ...source.problems,
      ...(source.folder === undefined ? [] : folderProblems(source.folder, named, inputs)),
    ]);
  },
});
