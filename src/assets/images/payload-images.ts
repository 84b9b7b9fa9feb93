import { readPayloadConfig, type PayloadConfig } from '../../config/reading/payload-config.js';
import type { Release } from '../../config/reading/release.js';
import type { SnoConfig } from '../../config/schema/sno-config-schema.js';
import { problem, type Problem } from '../../core/problem.js';
import { success } from '../../core/result.js';
import { defineAsset } from '../../graph/asset.js';
import { containerImages } from '../../manifests/container-images.js';
import { withSource } from '../../manifests/user-manifests.js';
import { payloadReading } from '../config/payload-reading.js';
import { release } from '../config/release.js';
import { postInstallObjects } from '../manifests/post-install.js';
import { userManifests } from '../manifests/user-manifests.js';
import { singleNodeNetworkFacts, type NetworkFacts } from '../preflight/network-facts.js';

/** Contents of a payload for a site, and the sources of its images. */
export interface PayloadFacts {
  readonly network: NetworkFacts;
  readonly release: Release;
  readonly config: PayloadConfig;
  /** Images of the user's manifests. */
  readonly images: readonly string[];
}

/** payload.yaml. Problems: those of `readPayloadConfig`. */
const payloadConfig = defineAsset({
  name: 'images/payload-config',
  needs: {},
  tryMake: (_parents, { inputs }) => readPayloadConfig(inputs),
});

/** Images of the user's manifests, as pull specs. */
export const manifestImages = defineAsset({
  name: 'images/manifests',
  needs: { users: userManifests, later: postInstallObjects },
  make: ({ users, later }): readonly string[] =>
    containerImages([...users.flatMap(({ manifests }) => manifests.flatMap(withSource)), ...later]).map(
      ({ image }) => image,
    ),
});

/** Facts for `create payload`. Warnings: payload/default-release. */
export const payloadFacts = defineAsset({
  name: 'images/payload',
  needs: {
    network: singleNodeNetworkFacts,
    release,
    config: payloadConfig,
    images: manifestImages,
    reading: payloadReading,
  },
  tryMake: ({ network, release, config, images, reading: { uncompared } }, { environment }) => {
    const given = environment.releaseImageOverride ?? network.sno.releaseImage ?? uncompared?.release.image;
    const facts: PayloadFacts = { network, release, config, images };
    return success(facts, given === undefined ? [defaultRelease(release.image, network.sno)] : []);
  },
});

/** The release is not downloaded for nothing: it has about 20 GB. */
function defaultRelease(image: string, { payload }: SnoConfig): Problem {
  const message = `the payload gets the default release, ${image}: sno-config.yaml has no releaseImage${payload === undefined ? '' : `, and the manifest of ${payload.file} cannot be read`}`;
  const hint = 'set releaseImage and releaseVersion in sno-config.yaml for another release';
  return problem('payload/default-release', message, { hint });
}
