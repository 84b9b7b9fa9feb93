import { readPayloadConfig, type PayloadConfig } from '../../config/reading/payload-config.js';
import type { Release } from '../../config/reading/release.js';
import { defineAsset } from '../../graph/asset.js';
import { containerImages } from '../../manifests/container-images.js';
import { withSource } from '../../manifests/user-manifests.js';
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

/** Facts for `create payload`. */
export const payloadFacts = defineAsset({
  name: 'images/payload',
  needs: { network: singleNodeNetworkFacts, release, config: payloadConfig, images: manifestImages },
  make: ({ network, release, config, images }): PayloadFacts => ({ network, release, config, images }),
});
