/** Manifest folders, both in the user's directory and in /opt/openshift. */
export const manifestFolders = ['manifests', 'openshift'] as const;

/** Folder of objects that are applied after the installation. */
export const postInstallFolder = 'post-install';

/** Folder of CustomResourceDefinitions that are not installed; `validate` compares objects with them. */
export const definitionsFolder = 'crds';

/** The folder of a path, without trailing slash; empty for a bare name. */
export function folderOf(path: string): string {
  const slash = path.lastIndexOf('/');
  return slash === -1 ? '' : path.slice(0, slash);
}

export function baseNameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** The path for the n-th document of a file: `manifests/extra-2.yaml` for `manifests/extra.yaml`. */
export function numberedPath(path: string, number: number): string {
  const dot = path.lastIndexOf('.');
  return `${path.slice(0, dot)}-${number}${path.slice(dot)}`;
}

/** Extensions of manifest files, in lower case only. Source: openshift/installer pkg/asset/manifests. */
export function isManifestName(name: string): boolean {
  return /^[^/]+\.(?:yaml|yml|json)$/.test(name);
}
