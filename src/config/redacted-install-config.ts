import type { InstallConfig, MachinePool } from './schema/install-config-schema.js';
import type { InstallReading } from './reading/install-config.js';

type MetadataInput = NonNullable<NonNullable<InstallReading['draft']>['input']['metadata']>;

interface Additions {
  readonly metadata: MetadataInput;
  /** Whether sno-config.yaml describes the disk. */
  readonly hasDiskHints: boolean;
}

/**
 * A config as plain data in the v1 format, with an empty pull secret and without empty optional fields. `bootstrapInPlace` is present
 * even if sno-config.yaml describes the disk: the render of etcd looks for the key, not for its value.
 * Source: openshift/cluster-etcd-operator pkg/cmd/render/render.go, getBootstrapScalingStrategy
 */
export function withoutPullSecret(
  config: InstallConfig,
  { metadata: { labels, annotations }, hasDiskHints }: Additions,
): object {
  const { platform, proxy, bootstrapInPlace, capabilities, osImageStream, pki } = config;
  return {
    apiVersion: 'v1',
    metadata: { name: config.metadata.name, ...(labels && { labels }), ...(annotations && { annotations }) },
    baseDomain: config.baseDomain,
    pullSecret: '',
    ...(config.sshKey !== '' && { sshKey: config.sshKey }),
    controlPlane: poolOf(config.controlPlane),
    compute: config.compute.map(poolOf),
    networking: config.networking,
    platform: platform.external === undefined ? { none: {} } : platform,
    ...(proxy && { proxy }),
    ...(config.additionalTrustBundle !== '' && { additionalTrustBundle: config.additionalTrustBundle }),
    additionalTrustBundlePolicy: config.additionalTrustBundlePolicy,
    ...unlessEmpty('imageDigestSources', config.imageDigestSources),
    ...unlessEmpty('imageContentSources', config.imageContentSources),
    publish: config.publish,
    ...(config.fips && { fips: true }),
    cpuPartitioningMode: config.cpuPartitioningMode,
    ...(hasDiskHints ? { bootstrapInPlace: {} } : bootstrapInPlace && { bootstrapInPlace }),
    ...(capabilities && { capabilities }),
    ...(config.featureSet !== '' && { featureSet: config.featureSet }),
    ...unlessEmpty('featureGates', config.featureGates),
    ...(osImageStream !== undefined && { osImageStream }),
    ...(pki !== undefined && { pki }),
  };
}

function poolOf(pool: MachinePool): object {
  return { ...pool, platform: {} };
}

function unlessEmpty(name: string, items: readonly unknown[]): object {
  return items.length === 0 ? {} : { [name]: items };
}
