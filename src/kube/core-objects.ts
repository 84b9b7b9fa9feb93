import type { KubeObject, ObjectMeta } from './object.js';

export interface ConfigMap extends KubeObject {
  readonly apiVersion: 'v1';
  readonly kind: 'ConfigMap';
  readonly data: Readonly<Record<string, string>>;
}

export interface Secret extends KubeObject {
  readonly apiVersion: 'v1';
  readonly kind: 'Secret';
  readonly type: SecretType;
  /** Base64. */
  readonly data: Readonly<Record<string, string>>;
}

/** Source: kubernetes.io/docs/concepts/configuration/secret, "Types of Secret". */
export type SecretType = 'Opaque' | 'kubernetes.io/tls' | 'kubernetes.io/dockerconfigjson';

export function configMap(metadata: ObjectMeta, data: Readonly<Record<string, string>>): ConfigMap {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata, data };
}

/** Encodes the plain-text values as base64. */
export function secret(
  metadata: ObjectMeta,
  type: SecretType,
  texts: Readonly<Record<string, string>>,
): Secret {
  const data = Object.fromEntries(
    Object.entries(texts).map(([key, text]) => [key, Buffer.from(text).toString('base64')]),
  );
  return { apiVersion: 'v1', kind: 'Secret', metadata, type, data };
}
