import { cniPluginHashes, kubernetesHashes, type PublishedProgram } from './published-hashes.js';

export type { PublishedProgram };

/** A published file with its expected SHA-256 (hex); `sha256` is undefined if unknown. */
export interface PublishedFile {
  readonly url: string;
  readonly sha256?: string;
}

/** A Kubernetes program on dl.k8s.io. `version` is like `1.36.3`; architectures have Go's names. */
export function publishedProgram(
  name: PublishedProgram,
  version: string,
  architecture: string,
): PublishedFile {
  const url = `https://dl.k8s.io/v${version}/bin/linux/${architecture}/${name}`;
  return withHash(url, kubernetesHashes[version]?.[name][architecture]);
}

export function publishedCniPlugins(architecture: string): PublishedFile {
  const { version, hashes } = cniPluginHashes;
  const name = `cni-plugins-linux-${architecture}-v${version}.tgz`;
  return withHash(
    `https://github.com/containernetworking/plugins/releases/download/v${version}/${name}`,
    hashes[architecture],
  );
}

/** The newest patch of Kubernetes 1.`minor` with known hashes. */
export function newestKnownPatch(minor: number): string | undefined {
  return Object.keys(kubernetesHashes).find((version) => version.startsWith(`1.${minor}.`));
}

function withHash(url: string, sha256: string | undefined): PublishedFile {
  return { url, ...(sha256 !== undefined && { sha256 }) };
}
