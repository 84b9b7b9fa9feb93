import { aioDistributions } from '../../config/aio-distributions.js';
import type { FetchedFile } from '../../config/schema/aio-model.js';
import type { SnoConfig } from '../../config/schema/sno-config-schema.js';
import type { ProgramVersions } from '../../release/flags/check-flags.js';
import {
  newestPublishedPatch,
  publishedCniPlugins,
  publishedProgram,
  type PublishedFile,
  type PublishedProgram,
} from '../../release/published-programs.js';
import { aioPaths } from './aio-paths.js';

/** What a node needs beside its images, and where its project publishes it. */
export interface NeededProgram {
  /** What it is called in a message. */
  readonly name: string;
  /** The file that brings it, but for where it comes from. */
  readonly file: Pick<FetchedFile, 'path' | 'mode' | 'unpackInto'>;
  readonly published: PublishedFile;
}

/** Of which Kubernetes, for which machine. */
export interface ProgramFacts {
  /** `<major>.<minor>.<patch>` */
  readonly version: string;
  readonly architecture: string;
}

/** Whose programs the node runs: those of the user's version, else of the release, of which only the minor is known. */
export function programFacts(
  { controlPlane }: SnoConfig,
  { kubernetesMinor }: ProgramVersions,
  architecture: string,
): ProgramFacts {
  const usual =
    aioDistributions[controlPlane.distribution].kubernetesVersion ??
    newestPublishedPatch(kubernetesMinor) ??
    `1.${kubernetesMinor}.0`;
  return { version: controlPlane.kubernetesVersion ?? usual, architecture };
}

/**
 * What the user's files do not bring of kubelet, kubectl and CNI plugins, as far as can be told without looking into
 * archives.
 */
export function programsNotBrought(
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
