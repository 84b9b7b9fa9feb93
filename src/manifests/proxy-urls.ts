import { textAt } from '../kube/fields.js';
import type { Manifest } from '../kube/manifest.js';
import type { ProxyUrls } from '../kube/openshift-objects.js';

/** The fields of a Proxy that say where requests go. */
export const proxyFields = ['httpProxy', 'httpsProxy', 'noProxy'] as const;

/** The proxy settings in force, as the Proxy manifest has them, edited or not; empty where there is no proxy. */
export function proxyOf(manifests: readonly Manifest[]): ProxyUrls {
  const object = manifests[0]?.object;
  const [httpProxy, httpsProxy, noProxy] = proxyFields.map((field) => textAt(object, ['status', field]));
  return {
    ...(httpProxy !== undefined && { httpProxy }),
    ...(httpsProxy !== undefined && { httpsProxy }),
    ...(noProxy !== undefined && { noProxy }),
  };
}
