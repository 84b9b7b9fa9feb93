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

/** What is looked at. */
export interface Inspected {
  readonly path: string;
  /** The Ignition config, alone or in a medium. */
  readonly bytes: Uint8Array;
}

/** What judges by: the present, the texts of this version, and the packer of live images. */
export interface Judging {
  readonly now: Date;
  readonly templates: KnownTemplates;
  readonly encode: XzEncoder;
}

/** What is in a file with an Ignition config. */
export interface Inspection {
  readonly config: InspectedConfig;
  readonly cluster: InspectedCluster;
  /** Bytes of the config, and what embedding takes of a live ISO. */
  readonly bytes: number;
  readonly embedded: EmbeddedSize & { readonly limitBytes: number };
  readonly network: readonly NetworkFile[];
  readonly certificates: CertificateList;
  /** Warnings: inspect/* and certs/unreadable. */
  readonly odd: readonly Problem[];
}

/** What is in an Ignition config and odd about it; undefined for bytes that are none. Draws nothing and holds no secret. */
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
      // A config that is written to disk needs no room in a live image.
      ...(isInstalled ? [] : oddSize(embedded.bytes)),
    ],
  };
}

/** The network files among those of a medium. */
export function networkFilesOf(files: ReadonlyMap<string, Buffer>): readonly NetworkFile[] {
  return [...files]
    .filter(([path]) => isNetworkFile(path))
    .map(([path, bytes]) => readNetworkFile(shownPath(`/${path}`), bytes.toString('utf8')));
}

/** Whether an image boots on the machine that a config is for. Warnings: inspect/other-machine. */
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
