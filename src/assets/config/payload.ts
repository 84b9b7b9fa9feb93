import { payloadProblems, type SitePayload } from '../../config/reading/payload.js';
import { resultOf } from '../../core/result.js';
import { defineAsset } from '../../graph/asset.js';
import { payloadObjectProblems } from '../../manifests/checks/check-payload.js';
import { withSource } from '../../manifests/user-manifests.js';
import { manifestFiles, postInstallReading } from '../manifests/manifest-files.js';
import { givenReferences } from './image-references.js';
import { installReading } from './install-reading.js';
import { payloadReading } from './payload-reading.js';
import { snoReading } from './sno-config.js';

/**
 * The payload of a single-node cluster; undefined without one. Checked even if the configs have other errors.
 * Problems: payload/manifest, those of `payloadProblems` and `payloadObjectProblems`.
 */
export const sitePayload = defineAsset({
  name: 'config/payload',
  needs: {
    reading: payloadReading,
    sno: snoReading,
    install: installReading,
    references: givenReferences,
    files: manifestFiles,
    later: postInstallReading,
  },
  tryMake: ({ reading: { payload, problems }, sno, install, references, files, later }, { environment }) => {
    if (payload === undefined) return resultOf<SitePayload | undefined>(undefined, problems);
    const objects = [
      ...files.users.flatMap(({ manifests }) => manifests.flatMap(withSource)),
      ...later.objects,
    ];
    const settings = { sno, install: install.draft, environment, references };
    return resultOf<SitePayload | undefined>(payload, [
      ...problems,
      ...payloadProblems(payload, settings),
      ...payloadObjectProblems(objects, payload.manifest, settings),
    ]);
  },
});
