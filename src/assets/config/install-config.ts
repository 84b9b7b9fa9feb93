import { withoutPullSecret } from '../../config/redacted-install-config.js';
import { failure, resultOf } from '../../core/result.js';
import { defineAsset } from '../../graph/asset.js';
import { installReading } from './install-reading.js';
import { snoReading } from './sno-config.js';

/**
 * The validated install-config.yaml, with deprecated fields converted and defaults applied.
 * Problems: config/…, all of the file.
 */
export const installConfig = defineAsset({
  name: 'config/install-config',
  needs: { reading: installReading },
  tryMake: ({ reading: { draft, problems } }) =>
    draft ? resultOf(draft.config, problems) : failure(...problems),
});

/**
 * install-config.yaml for operators in the cluster (ConfigMap kube-system/cluster-config-v1): deprecated fields
 * converted, defaults applied, the pull secret empty.
 * Source: openshift/installer pkg/asset/manifests/operators.go redactedInstallConfig.
 */
export const redactedInstallConfig = defineAsset({
  name: 'config/redacted-install-config',
  needs: { config: installConfig, reading: installReading, sno: snoReading },
  make: ({ config, reading, sno }): object =>
    withoutPullSecret(config, {
      metadata: reading.draft?.input.metadata ?? {},
      hasDiskHints: sno.config.rootDeviceHints !== undefined,
    }),
});
