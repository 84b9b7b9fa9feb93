/**
 * Paths and contents of the storage of a registry. Source: distribution/distribution registry/storage/paths.go, version 2 of the layout
 */
export const storageRoot = 'docker/registry/v2';

/** A small file of the storage. */
export interface Link {
  readonly path: string;
  readonly contents: string;
}

/** `sha256:<hex>` */
export type Digest = string;

export function hexOf(digest: Digest): string {
  return digest.slice('sha256:'.length);
}

export function blobPath(digest: Digest): string {
  const hex = hexOf(digest);
  return `${storageRoot}/blobs/sha256/${hex.slice(0, 2)}/${hex}/data`;
}

/** Makes a blob readable in a repository. Configurations are stored as layers. */
export function layerLink(repository: string, digest: Digest): Link {
  return { path: `${folder(repository)}/_layers/sha256/${hexOf(digest)}/link`, contents: digest };
}

/** Makes a manifest readable by its digest. */
export function manifestLink(repository: string, digest: Digest): Link {
  return {
    path: `${folder(repository)}/_manifests/revisions/sha256/${hexOf(digest)}/link`,
    contents: digest,
  };
}

/** Makes a manifest readable by a tag. */
export function tagLinks(repository: string, tag: string, digest: Digest): readonly Link[] {
  const tags = `${folder(repository)}/_manifests/tags/${tag}`;
  return [`${tags}/current/link`, `${tags}/index/sha256/${hexOf(digest)}/link`].map((path) => ({
    path,
    contents: digest,
  }));
}

function folder(repository: string): string {
  return `${storageRoot}/repositories/${repository}`;
}
