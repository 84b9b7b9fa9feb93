import { certsMountPath, resourceFolder } from '../../kube/components.js';

/** A key of a ConfigMap of the revision, as the container sees it: read once, changed by a new revision only. */
export function revisionedConfigMap(name: string, key = 'ca-bundle.crt'): string {
  return `${revisionedConfigMapFolder(name)}/${key}`;
}

/** The folder with every key of a ConfigMap of the revision. */
export function revisionedConfigMapFolder(name: string): string {
  return `${resourceFolder}/configmaps/${name}`;
}

/** A key of a Secret of the revision, as the container sees it. */
export function revisionedSecret(name: string, key: string): string {
  return `${resourceFolder}/secrets/${name}/${key}`;
}

/** A key of a ConfigMap in the certs folder, as the container sees it: read again whenever it changes. */
export function renewableConfigMap(name: string, key = 'ca-bundle.crt'): string {
  return `${certsMountPath}/configmaps/${name}/${key}`;
}

/** A key of a Secret in the certs folder, as the container sees it. */
export function renewableSecret(name: string, key: string): string {
  return `${certsMountPath}/secrets/${name}/${key}`;
}

/** Files of a pair. */
export interface PairFiles {
  readonly certFile: string;
  readonly keyFile: string;
}

/** Where a pod sees a pair that may be renewed under it. */
export function renewablePair(name: string): PairFiles {
  return { certFile: renewableSecret(name, 'tls.crt'), keyFile: renewableSecret(name, 'tls.key') };
}

/** Where a pod sees a pair that belongs to its revision. */
export function revisionedPair(name: string): PairFiles {
  return { certFile: revisionedSecret(name, 'tls.crt'), keyFile: revisionedSecret(name, 'tls.key') };
}
