import { withoutPullSecret } from '../../config/redacted-install-config.js';
import type { InstallConfig } from '../../config/schema/install-config-schema.js';
import { failure, resultOf } from '../../core/result.js';
import { defineAsset } from '../../graph/asset.js';
import { installReading, installerDisk } from './install-reading.js';
import { snoReading } from './sno-config.js';

/**
 * The validated install-config.yaml, with deprecated fields converted and defaults applied. Without a disk there, it has the disk of the
 * environment variable; `bootstrapInPlace` checks that only one place names it.
 * Problems: config/…, all of the file.
 */
export const installConfig = defineAsset({
  name: 'config/install-config',
  needs: { reading: installReading, disk: installerDisk },
  tryMake: ({ reading: { draft, problems }, disk }) =>
    draft ? resultOf(withDisk(draft.config, disk), problems) : failure(...problems),
});

function withDisk(config: InstallConfig, installationDisk: string | undefined): InstallConfig {
  if (installationDisk === undefined) return config;
  return { ...config, bootstrapInPlace: config.bootstrapInPlace ?? { installationDisk } };
}

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
