import { problem } from '../core/problem.js';
import { failure, success, type Result } from '../core/result.js';
import type { Variables } from '../disk/environment.js';
import type { ProxyUrls } from '../kube/openshift-objects.js';

/** Proxy of this machine for https, from HTTPS_PROXY and NO_PROXY in either case. Does not quote the values. Problems: usage/proxy. */
export function environmentProxy(variables: Variables): Result<ProxyUrls> {
  const of = (name: string): string => [variables[name], variables[name.toLowerCase()]].find(Boolean) ?? '';
  const httpsProxy = of('HTTPS_PROXY');
  const isUrl = URL.canParse(httpsProxy) && /^https?:$/.test(new URL(httpsProxy).protocol);
  if (httpsProxy === '' || isUrl) return success({ httpsProxy, noProxy: of('NO_PROXY') });
  const hint = 'for example HTTPS_PROXY=http://proxy.example.com:3128';
  return failure(problem('usage/proxy', 'HTTPS_PROXY is not an http or https URL', { hint }));
}
