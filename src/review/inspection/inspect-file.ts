import { problem, type Problem } from '../../core/problem.js';
import type { XzEncoder } from '../../formats/xz.js';
import { embedAreaBytes, embeddedSize, type EmbeddedSize } from '../../ignition/embedded-size.js';
import { listCertificates, type CertificateList } from '../certificates/certificate-list.js';
import type { KnownTemplates } from '../output-tree.js';
import { renderPath } from '../render-text.js';
import { detectCluster, type InspectedCluster } from './detect-cluster.js';
import { inspectConfig, type InspectedConfig } from './inspect-config.js';
import { isNetworkFile, readNetworkFile, type NetworkFile } from './network-file.js';
import {
  certificateWarnings,
  fetchWarnings,
  nodeWarnings,
  partWarnings,
  sizeWarnings,
  specWarnings,
  versionWarnings,
} from './config-warnings.js';

export interface InspectInput {
  readonly path: string;
  /** The Ignition config, also when `path` is a medium. */
  readonly bytes: Uint8Array;
}

/** The current time, the templates of this version, and an XZ encoder. */
export interface InspectContext {
  readonly now: Date;
  readonly templates: KnownTemplates;
  readonly encode: XzEncoder;
}

export interface Inspection {
  readonly config: InspectedConfig;
  readonly cluster: InspectedCluster;
  /** Size of the config, and its size when embedded in a live ISO. */
  readonly bytes: number;
  readonly embedded: EmbeddedSize & { readonly limitBytes: number };
  readonly network: readonly NetworkFile[];
  readonly certificates: CertificateList;
  /** Warnings: inspect/* and certs/unreadable. */
  readonly odd: readonly Problem[];
}

/**
 * Inspects an Ignition config and reports problems in it. Returns undefined for other bytes. Generates no values; the result
 * contains no secret.
 */
export async function inspectFile(
  { path, bytes }: InspectInput,
  { now, templates, encode }: InspectContext,
): Promise<Inspection | undefined> {
  const inspected = inspectConfig(bytes);
  if (inspected === undefined) return undefined;
  const { config, parts, configs } = inspected;
  const certificates = listCertificates([{ path, bytes }]);
  const embedded = await embeddedSize(Buffer.from(bytes).toString('latin1'), encode);
  const isInstalled = parts.some((part) => part.path === '/etc/sno-install/sno-install.env');
  return {
    config,
    cluster: detectCluster({
      parts,
      fetchedConfigs: config.fetchedConfigs,
      names: certificates.certificates.flatMap(({ facts }) => facts.names),
    }),
    bytes: bytes.length,
    embedded: { ...embedded, limitBytes: embedAreaBytes },
    network: parts
      .filter((part) => isNetworkFile(part.path))
      .map((part) => readNetworkFile(part.shown, part.bytes.toString('utf8'))),
    certificates,
    odd: [
      ...certificateWarnings(certificates.certificates, now),
      ...certificates.warnings,
      ...configs.flatMap(specWarnings),
      ...nodeWarnings(configs),
      ...partWarnings(parts, config),
      ...configs.flatMap(fetchWarnings),
      ...versionWarnings(parts, templates),
      // A config of an installed system is not embedded in a live ISO.
      ...(isInstalled ? [] : sizeWarnings(embedded.bytes)),
    ],
  };
}

/** Returns the network files of a medium. */
export function networkFilesOf(files: ReadonlyMap<string, Buffer>): readonly NetworkFile[] {
  return [...files]
    .filter(([path]) => isNetworkFile(path))
    .map(([path, bytes]) => readNetworkFile(renderPath(`/${path}`), bytes.toString('utf8')));
}

/** Checks an image against the architecture and release of a config. Warnings: inspect/other-machine. */
export function machineWarnings(
  { architecture, releaseVersion }: InspectedCluster,
  image: { readonly machine?: string; readonly release?: string },
): readonly Problem[] {
  const mismatch = (its: string | undefined, wanted: string | undefined, verb: string): readonly Problem[] =>
    its === undefined || wanted === undefined || its === wanted
      ? []
      : [problem('inspect/other-machine', `the image ${verb} ${its}, but the config is for ${wanted}`)];
  return [
    ...mismatch(image.machine, architecture, 'is for'),
    ...mismatch(image.release, releaseVersion, 'is for OpenShift'),
  ];
}
