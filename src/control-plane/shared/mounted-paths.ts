import { certsMountPath, resourceFolder } from '../../kube/components.js';

/** Container path of a key of a revisioned ConfigMap; only a new revision changes it. */
export function revisionedConfigMap(name: string, key = 'ca-bundle.crt'): string {
  return `${revisionedConfigMapFolder(name)}/${key}`;
}

/** Container path of the folder with all keys of a revisioned ConfigMap. */
export function revisionedConfigMapFolder(name: string): string {
  return `${resourceFolder}/configmaps/${name}`;
}

/** Container path of a key of a revisioned Secret. */
export function revisionedSecret(name: string, key: string): string {
  return `${resourceFolder}/secrets/${name}/${key}`;
}

/** Container path of a key of a ConfigMap in the certs folder; may change while the pod runs. */
export function renewableConfigMap(name: string, key = 'ca-bundle.crt'): string {
  return `${certsMountPath}/configmaps/${name}/${key}`;
}

/** Container path of a key of a Secret in the certs folder. */
export function renewableSecret(name: string, key: string): string {
  return `${certsMountPath}/secrets/${name}/${key}`;
}

/** Paths of a certificate and its key. */
export interface PairFiles {
  readonly certFile: string;
  readonly keyFile: string;
}

/** Container paths of a pair that may be renewed while the pod runs. */
export function renewablePair(name: string): PairFiles {
  return { certFile: renewableSecret(name, 'tls.crt'), keyFile: renewableSecret(name, 'tls.key') };
}

/** Container paths of a pair that belongs to the revision. */
export function revisionedPair(name: string): PairFiles {
  return { certFile: revisionedSecret(name, 'tls.crt'), keyFile: revisionedSecret(name, 'tls.key') };
}
