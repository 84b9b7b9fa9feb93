import type { Networking } from './schema/install-config-schema.js';
import { replaceableSigners } from './schema/replaceable-signers.js';
import type { SnoConfig, SnoConfigInput } from './schema/sno-config-schema.js';
import { parseDuration } from '../formats/duration.js';
import type { Draft } from '../formats/field-schema.js';
import { nodeAddressOf } from './network/node-address.js';
import { aioControlPlane, aioMachine } from './aio-defaults.js';

type Input = Draft<SnoConfigInput>;

const hour = 60 * 60;

/**
 * Applies the schema's defaults; an invalid duration is replaced by its default. If the cluster's networks
 * are known, derives the node's address from `network`.
 */
export function applySnoDefaults(input: Input, networking?: Networking): SnoConfig {
  const { releaseImage, releaseVersion, imageReferences, certificates = {}, network } = input;
  const hostname = given(input.hostname) ?? network?.hostname?.config;
  const nodeIP = given(input.nodeIP) ?? (network && networking && nodeAddressOf(network, networking));
  const shutdown = input.kubelet?.gracefulShutdown;
  return {
    ...(hostname && { hostname }),
    ...(nodeIP && { nodeIP }),
    nodeLabels: Object.fromEntries(
      Object.entries(input.nodeLabels ?? {}).map(([key, value = '']) => [key, value]),
    ),
    ...(releaseImage && { releaseImage }),
    ...(releaseVersion && { releaseVersion }),
    ...(imageReferences && { imageReferences }),
    ...(input.payload && {
      payload: {
        file: input.payload.file ?? '',
        verify: input.payload.verify ?? 'Manifest',
        keep: input.payload.keep ?? true,
      },
    }),
    controlPlane: {
      render: input.controlPlane?.render ?? 'Release',
      ...aioControlPlane(input),
    },
    aio: aioMachine(input),
    certificates: {
      validitySeconds: parseDuration(certificates.validity ?? '') ?? 30 * 24 * hour,
      backdateSeconds: parseDuration(certificates.backdate ?? '') ?? hour,
      keyAlgorithm: certificates.keyAlgorithm ?? 'RSA-2048',
      ...(certificates.authority && { authority: authorityOf(certificates.authority) }),
    },
    kubelet: shutdown ? { gracefulShutdown: shutdownOf(shutdown) } : {},
    ...(network && { network }),
    dns: { local: input.dns?.local ?? false, apiCheck: input.dns?.apiCheck ?? 'Address' },
    ntpSources: input.ntpSources ?? [],
    kernelArguments: input.kernelArguments ?? [],
    ...(input.rootDeviceHints && { rootDeviceHints: input.rootDeviceHints }),
    coreosInstaller: {
      savePartitionLabels: input.coreosInstaller?.savePartitionLabels ?? [],
      savePartitionIndexes: input.coreosInstaller?.savePartitionIndexes ?? [],
      appendKernelArguments: input.coreosInstaller?.appendKernelArguments ?? [],
      deleteKernelArguments: input.coreosInstaller?.deleteKernelArguments ?? [],
    },
    ...(input.diskEncryption && { diskEncryption: diskEncryptionOf(input.diskEncryption) }),
    reinstall: input.reinstall ?? 'Refuse',
    ...(input.report && { report: { url: '', ...input.report } }),
    extraManifests: input.extraManifests ?? [],
    manifestChecks: input.manifestChecks ?? 'error',
    postInstallTimeoutSeconds: postInstallTimeoutSeconds(input.postInstallTimeout),
    state: {
      recipients: input.state?.recipients ?? [],
      ...(input.state?.encryptOutputs !== undefined && { encryptOutputs: input.state.encryptOutputs }),
    },
  };
}

/** The limit of a wave of post-install manifests. */
export function postInstallTimeoutSeconds(text: string | undefined): number {
  return parseDuration(text ?? '') ?? hour;
}

function authorityOf({
  certificate = '',
  key = '',
  signs,
}: NonNullable<NonNullable<Input['certificates']>['authority']>): NonNullable<
  SnoConfig['certificates']['authority']
> {
  return { certificate, key, signs: signs ?? replaceableSigners };
}

function diskEncryptionOf({
  tpm2 = false,
  tang = [],
  threshold = 1,
}: NonNullable<Input['diskEncryption']>): NonNullable<SnoConfig['diskEncryption']> {
  const servers = tang.map(({ url = '', thumbprint = '' }) => ({ url, thumbprint }));
  return { tpm2, tang: servers, threshold };
}

function shutdownOf({
  total = '',
  criticalPods = '',
}: Readonly<Record<string, string>>): NonNullable<SnoConfig['kubelet']['gracefulShutdown']> {
  return { totalSeconds: parseDuration(total) ?? 0, criticalPodsSeconds: parseDuration(criticalPods) ?? 0 };
}

function given(text: string | undefined): string | undefined {
  return text === '' ? undefined : text;
}
