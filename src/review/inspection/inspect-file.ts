import { problem, type Problem } from '../../core/problem.js';
import type { XzEncoder } from '../../formats/xz.js';
import { embedAreaBytes, embeddedSize, type EmbeddedSize } from '../../ignition/size.js';
import { listCertificates, type CertificateList } from '../certificates/certificate-list.js';
import type { KnownTemplates } from '../explode.js';
import { shownPath } from '../readable.js';
import { clusterOf, type InspectedCluster } from './cluster-of.js';
import { inspectConfig, type InspectedConfig } from './inspect-config.js';
import { isNetworkFile, readNetworkFile, type NetworkFile } from './network-file.js';
import {
  oddCertificates,
  oddFetches,
  oddNode,
  oddParts,
  oddSize,
  oddSpec,
  oddTemplates,
} from './oddities.js';

export interface Inspected {
  readonly path: string;
  /** The Ignition config, also when `path` is a medium. */
  readonly bytes: Uint8Array;
}

/** The current time, the templates of this version, and an XZ encoder. */
export interface Judging {
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
  { path, bytes }: Inspected,
  { now, templates, encode }: Judging,
): Promise<Inspection | undefined> {
  const inspected = inspectConfig(bytes);
  if (inspected === undefined) return undefined;
  const { config, parts, configs } = inspected;
  const certificates = listCertificates([{ path, bytes }]);
  const embedded = await embeddedSize(Buffer.from(bytes).toString('latin1'), encode);
  const isInstalled = parts.some((part) => part.path === '/etc/sno-install/sno-install.env');
  return {
    config,
    cluster: clusterOf({
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
      ...oddCertificates(certificates.certificates, now),
      ...certificates.warnings,
      ...configs.flatMap(oddSpec),
      ...oddNode(configs),
      ...oddParts(parts, config),
      ...configs.flatMap(oddFetches),
      ...oddTemplates(parts, templates),
      // A config of an installed system is not embedded in a live ISO.
      ...(isInstalled ? [] : oddSize(embedded.bytes)),
    ],
  };
}

/** Returns the network files of a medium. */
export function networkFilesOf(files: ReadonlyMap<string, Buffer>): readonly NetworkFile[] {
  return [...files]
    .filter(([path]) => isNetworkFile(path))
    .map(([path, bytes]) => readNetworkFile(shownPath(`/${path}`), bytes.toString('utf8')));
}

/** Checks an image against the architecture and release of a config. Warnings: inspect/other-machine. */
export function oddMachine(
  { architecture, releaseVersion }: InspectedCluster,
  image: { readonly machine?: string; readonly release?: string },
): readonly Problem[] {
  const told = (its: string | undefined, wanted: string | undefined, verb: string): readonly Problem[] =>
    its === undefined || wanted === undefined || its === wanted
      ? []
      : [problem('inspect/other-machine', `the image ${verb} ${its}, and the config is for ${wanted}`)];
  return [
    ...told(image.machine, architecture, 'boots on'),
    ...told(image.release, releaseVersion, 'is of OpenShift'),
  ];
}
