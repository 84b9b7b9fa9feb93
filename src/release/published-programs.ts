import { cniPluginHashes, kubernetesHashes, type PublishedProgram } from './published-hashes.js';

export type { PublishedProgram };

/** A file that a project publishes, and what it must be; `sha256` (hex) is undefined where it is not known here. */
export interface PublishedFile {
  readonly url: string;
  readonly sha256?: string;
}

/** A program of Kubernetes as its project publishes it; the version as `1.36.3`, architectures by Go's names. */
export function publishedProgram(
  name: PublishedProgram,
  version: string,
  architecture: string,
): PublishedFile {
  const url = `https://dl.k8s.io/v${version}/bin/linux/${architecture}/${name}`;
  return withHash(url, kubernetesHashes[version]?.[name][architecture]);
}

/** The archive of CNI plugins as its project publishes it. */
export function publishedCniPlugins(architecture: string): PublishedFile {
  const { version, hashes } = cniPluginHashes;
  const name = `cni-plugins-linux-${architecture}-v${version}.tgz`;
  return withHash(
    `https://github.com/containernetworking/plugins/releases/download/v${version}/${name}`,
    hashes[architecture],
  );
}

/** The newest patch of Kubernetes 1.`minor` whose programs' hashes are known. */
export function newestPublishedPatch(minor: number): string | undefined {
  return Object.keys(kubernetesHashes).find((version) => version.startsWith(`1.${minor}.`));
}

function withHash(url: string, sha256: string | undefined): PublishedFile {
  return { url, ...(sha256 !== undefined && { sha256 }) };
}
