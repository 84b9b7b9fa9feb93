import { Redacted } from '../core/redacted.js';
import type {
  Capabilities,
  ExternalPlatform,
  ImageDigestSource,
  InstallConfig,
  InstallConfigInput,
  MachinePool,
  Networking,
} from './schema/install-config-schema.js';
import type { Draft } from '../formats/field-schema.js';
import { readCertificateBundle } from '../formats/keys/certificate-bundle.js';
import { sshKeyLines } from '../formats/keys/ssh-key.js';

type Input = Draft<InstallConfigInput>;

/**
 * Applies the schema's defaults to a config whose deprecated fields have been converted.
 * A missing required field becomes an empty string, so that the rules can check the other fields.
 */
export function applyDefaults(input: Input): InstallConfig {
  const controlPlane = poolOf(input.controlPlane ?? {}, {
    name: 'master',
    replicas: 1,
    architecture: 'amd64',
  });
  const { platform, proxy, bootstrapInPlace, capabilities, osImageStream, pki } = input;
  return {
    metadata: { name: input.metadata?.name ?? '' },
    baseDomain: (input.baseDomain ?? '').replace(/\.$/, ''),
    pullSecret: new Redacted((input.pullSecret ?? '').trim()),
    sshKey: sshKeyLines(input.sshKey ?? '')
      .map(({ text }) => text)
      .join('\n'),
    controlPlane: { ...controlPlane, name: 'master' },
    compute: poolsOf(input, controlPlane.architecture),
    networking: networkingOf(input.networking ?? {}),
    platform: platform?.external ? { external: externalOf(platform.external) } : {},
    ...(proxy && { proxy: withoutEmpty(proxy) }),
    additionalTrustBundle: readCertificateBundle(input.additionalTrustBundle ?? '').pem,
    additionalTrustBundlePolicy: input.additionalTrustBundlePolicy ?? 'Proxyonly',
    imageDigestSources: (input.imageDigestSources ?? []).map(digestSourceOf),
    imageContentSources: (input.imageContentSources ?? []).map(({ source = '', mirrors = [] }) => ({
      source,
      mirrors,
    })),
    publish: 'External',
    fips: input.fips ?? false,
    cpuPartitioningMode: input.cpuPartitioningMode ?? 'None',
    ...(bootstrapInPlace && {
      bootstrapInPlace: { installationDisk: bootstrapInPlace.installationDisk ?? '' },
    }),
    ...(capabilities && { capabilities: capabilitiesOf(capabilities) }),
    featureSet: input.featureSet ?? '',
    featureGates: (input.featureGates ?? []).map(gateOf),
    ...(osImageStream && { osImageStream }),
    ...(pki && { pki }),
  };
}

/** Source: openshift/installer pkg/types/external, the defaults of both fields. */
function externalOf({
  platformName = '',
  cloudControllerManager = '',
}: NonNullable<NonNullable<Input['platform']>['external']>): ExternalPlatform {
  return { platformName: platformName === '' ? 'Unknown' : platformName, cloudControllerManager };
}

function poolOf(
  given: NonNullable<Input['controlPlane']>,
  defaults: Pick<MachinePool, 'name' | 'replicas' | 'architecture'>,
): MachinePool {
  return {
    name: given.name ?? defaults.name,
    replicas: given.replicas ?? defaults.replicas,
    architecture: given.architecture ?? defaults.architecture,
    hyperthreading: given.hyperthreading ?? 'Enabled',
  };
}

function poolsOf({ compute = [] }: Input, architecture: MachinePool['architecture']): readonly MachinePool[] {
  const defaults = { name: 'worker', replicas: 0, architecture };
  return (compute.length === 0 ? [{}] : compute).map((pool) => poolOf(pool, defaults));
}

function networkingOf(given: NonNullable<Input['networking']>): Networking {
  const join = given.ovnKubernetesConfig?.ipv4?.internalJoinSubnet;
  return {
    networkType: given.networkType || 'OVNKubernetes',
    machineNetwork: orDefault(
      given.machineNetwork?.map(({ cidr = '' }) => ({ cidr })),
      { cidr: '10.0.0.0/16' },
    ),
    clusterNetwork: orDefault(
      given.clusterNetwork?.map(({ cidr = '', hostPrefix = 0 }) => ({ cidr, hostPrefix })),
      { cidr: '10.128.0.0/14', hostPrefix: 23 },
    ),
    serviceNetwork: orDefault(given.serviceNetwork, '172.30.0.0/16'),
    ...(given.ovnKubernetesConfig && {
      ovnKubernetesConfig: join === undefined ? {} : { ipv4: { internalJoinSubnet: join } },
    }),
  };
}

/** openshift-install treats an empty list like a missing one (pkg/types/defaults). */
function orDefault<T>(given: readonly T[] | undefined, item: T): readonly T[] {
  return given === undefined || given.length === 0 ? [item] : given;
}

/** Normalizes the value of a feature gate to `true` or `false`. Accepts all forms of Go's strconv.ParseBool. */
function gateOf(gate: string): string {
  const [name = '', value = '', ...rest] = gate.split('=');
  if (rest.length > 0) return gate;
  if (['1', 't', 'T', 'TRUE', 'true', 'True'].includes(value)) return `${name}=true`;
  return ['0', 'f', 'F', 'FALSE', 'false', 'False'].includes(value) ? `${name}=false` : gate;
}

function digestSourceOf(given: NonNullable<Input['imageDigestSources']>[number]): ImageDigestSource {
  const { source = '', mirrors = [], sourcePolicy } = given;
  return { source, mirrors, ...(sourcePolicy && { sourcePolicy }) };
}

function capabilitiesOf(given: NonNullable<Input['capabilities']>): Capabilities {
  const { baselineCapabilitySet, additionalEnabledCapabilities = [] } = given;
  return { baselineCapabilitySet: baselineCapabilitySet ?? '', additionalEnabledCapabilities };
}

/** Removes empty strings, which openshift-install treats like missing fields. */
function withoutEmpty({
  httpProxy,
  httpsProxy,
  noProxy,
}: NonNullable<Input['proxy']>): NonNullable<InstallConfig['proxy']> {
  return { ...(httpProxy && { httpProxy }), ...(httpsProxy && { httpsProxy }), ...(noProxy && { noProxy }) };
}
