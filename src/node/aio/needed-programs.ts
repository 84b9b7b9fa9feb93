import { aioDistributions } from '../../config/aio-distributions.js';
import type { FetchedFile } from '../../config/schema/aio-model.js';
import type { SnoConfig } from '../../config/schema/sno-config-schema.js';
import type { ProgramVersions } from '../../release/flags/check-flags.js';
import {
  newestKnownPatch,
  publishedCniPlugins,
  publishedProgram,
  type PublishedFile,
  type PublishedProgram,
} from '../../release/published-programs.js';
import { aioPaths } from './aio-paths.js';

/** A program that the node needs in addition to images, and its published file. */
export interface NeededProgram {
  /** Name in messages. */
  readonly name: string;
  /** The file on the node, without its source. */
  readonly file: Pick<FetchedFile, 'path' | 'mode' | 'unpackInto'>;
  readonly published: PublishedFile;
}

/** Kubernetes version and architecture of the programs. */
export interface ProgramFacts {
  /** `<major>.<minor>.<patch>` */
  readonly version: string;
  readonly architecture: string;
}

/** The version is the user's, else the distribution's default, else the newest known patch of the release's minor. */
export function programFacts(
  { controlPlane }: SnoConfig,
  { kubernetesMinor }: ProgramVersions,
  architecture: string,
): ProgramFacts {
  const usual =
    aioDistributions[controlPlane.distribution].kubernetesVersion ??
    newestKnownPatch(kubernetesMinor) ??
    `1.${kubernetesMinor}.0`;
  return { version: controlPlane.kubernetesVersion ?? usual, architecture };
}

/**
 * Those of kubelet, kubectl and CNI plugins that the user's files do not contain. Judges by paths and does not open archives:
 * an archive that is unpacked into a `bin` directory counts as containing kubelet and kubectl.
 */
export function programsNotInFiles(
  { aio: { files } }: SnoConfig,
  facts: ProgramFacts,
): readonly NeededProgram[] {
  return [
    ...(['kubelet', 'kubectl'] as const)
      .filter((name) => !files.some((file) => bringsProgram(file, name)))
      .map((name) => kubernetesProgram(name, facts)),
    ...(files.some(bringsCniPlugins) ? [] : [cniPlugins(facts)]),
  ];
}

function bringsProgram({ path, unpackInto }: FetchedFile, name: PublishedProgram): boolean {
  return (
    path.endsWith(`/${name}`) ||
    ((unpackInto?.endsWith('/bin') ?? false) && unpackInto !== aioPaths.cniPlugins)
  );
}

function bringsCniPlugins({ path, unpackInto }: FetchedFile): boolean {
  return unpackInto === aioPaths.cniPlugins || path.startsWith(`${aioPaths.cniPlugins}/`);
}

function kubernetesProgram(name: PublishedProgram, { version, architecture }: ProgramFacts): NeededProgram {
  const file = { path: `/usr/local/bin/${name}`, mode: 0o755 };
  return { name, file, published: publishedProgram(name, version, architecture) };
}

function cniPlugins({ architecture }: ProgramFacts): NeededProgram {
  const file = { path: '/opt/cni-plugins.tgz', mode: 0o600, unpackInto: aioPaths.cniPlugins };
  return { name: 'CNI plugins', file, published: publishedCniPlugins(architecture) };
}
