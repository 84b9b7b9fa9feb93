import { problem, type Problem } from '../../core/problem.js';
import { resultOf } from '../../core/result.js';
import { defineAsset } from '../../graph/asset.js';
import type { Manifest } from '../../kube/manifest.js';
import { effectOnNode } from '../../manifests/post-install/reboot-problems.js';
import { appliedManifests, keyOf } from '../../manifests/running-site/applied-manifests.js';
import type { RunningSite } from '../../manifests/running-site/running-site.js';
import { sitePayload } from '../config/payload.js';
import { snoConfig } from '../config/sno-config.js';
import { manifestFiles, postInstallReading } from './manifest-files.js';
import { manifests } from './manifests.js';
import { postInstall } from './post-install.js';

/** The configuration of the running cluster. Problems: apply/left-out, apply/placeholder, those of the manifests. */
export const runningSite = defineAsset({
  name: 'manifests/running-site',
  needs: {
    manifests,
    postInstall,
    reading: postInstallReading,
    files: manifestFiles,
    sno: snoConfig,
    payload: sitePayload,
  },
  tryMake: ({ manifests, postInstall, reading, files, sno, payload }, { drawnFor }) => {
    const { applied, problems } = appliedManifests(manifests, (object) => effectOnNode(object) !== undefined);
    // With a payload the pull secret contains a generated password.
    const isIncomplete = ({ object }: Manifest): boolean =>
      payload !== undefined && drawnFor === undefined && keyOf(object) === pullSecret;
    return resultOf<RunningSite>(
      {
        manifests: applied.filter((each) => !isIncomplete(each)),
        postInstall,
        removals: reading.removals,
        added: files.users.flatMap((each) => each.manifests),
        waveTimeoutMs: sno.postInstallTimeoutSeconds * 1000,
      },
      [...problems, ...(applied.some(isIncomplete) ? [passwordUnknown()] : [])],
    );
  },
});

const pullSecret = 'Secret openshift-config/pull-secret';

function passwordUnknown(): Problem {
  const message =
    'the pull secret is not applied: with a payload it contains a password of the state file, which cannot be read';
  const hint = 'run the command in the directory with the state file, with --identity if it is encrypted';
  return problem('apply/placeholder', message, { hint });
}
