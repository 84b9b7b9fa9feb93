import { textAt } from '../kube/fields.js';
import type { Manifest } from '../kube/manifest.js';
import type { ProxyUrls } from '../kube/openshift-objects.js';

/** The URL fields of a Proxy. */
export const proxyFields = ['httpProxy', 'httpsProxy', 'noProxy'] as const;

/** Reads the proxy settings from the Proxy manifest, including the user's edits; empty without a proxy. */
export function proxyOf(manifests: readonly Manifest[]): ProxyUrls {
  const object = manifests[0]?.object;
  const [httpProxy, httpsProxy, noProxy] = proxyFields.map((field) => textAt(object, ['status', field]));
  return {
    ...(httpProxy !== undefined && { httpProxy }),
    ...(httpsProxy !== undefined && { httpsProxy }),
    ...(noProxy !== undefined && { noProxy }),
  };
}
