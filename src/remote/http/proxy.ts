import { problem } from '../../core/problem.js';
import { failure, success, type Result } from '../../core/result.js';
import type { Variables } from '../../disk/environment.js';
import { contains, parseAddress, parseCidr } from '../../formats/cidr.js';
import type { ProxyUrls } from '../../kube/openshift-objects.js';

/** Proxy of this machine for https, from HTTPS_PROXY and NO_PROXY in either case. Does not quote the values. Problems: usage/proxy. */
export function environmentProxy(variables: Variables): Result<ProxyUrls> {
  const of = (name: string): string => [variables[name], variables[name.toLowerCase()]].find(Boolean) ?? '';
  const httpsProxy = of('HTTPS_PROXY');
  const isUrl = URL.canParse(httpsProxy) && /^https?:$/.test(new URL(httpsProxy).protocol);
  if (httpsProxy === '' || isUrl) return success({ httpsProxy, noProxy: of('NO_PROXY') });
  const hint = 'for example HTTPS_PROXY=http://proxy.example.com:3128';
  return failure(problem('usage/proxy', 'HTTPS_PROXY is not an http or https URL', { hint }));
}

/** Proxy for an https URL; undefined for a direct connection. */
export function proxyFor(url: URL, { httpsProxy = '', noProxy = '' }: ProxyUrls): URL | undefined {
  const isDirect = httpsProxy === '' || bypassesProxy(url.hostname, portOf(url), noProxy);
  return isDirect ? undefined : new URL(httpsProxy);
}

/** Port of an https URL. */
export function portOf({ port }: URL): number {
  return port === '' ? 443 : Number(port);
}

/** Host and port, without the user information of the URL. */
export function shownProxy(proxy: URL | undefined): string | undefined {
  return proxy?.host;
}

/**
 * Whether a host bypasses the proxy, by the rules of NO_PROXY in Go. An entry is `*`, a domain with its subdomains, a domain with a
 * leading dot for subdomains only, an address or a network. A port after a name or an address restricts it to that port.
 * Source: golang.org/x/net/http/httpproxy, Config.NoProxy
 */
export function bypassesProxy(host: string, port: number, noProxy: string): boolean {
  const name = host
    .toLowerCase()
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '');
  const address = parseAddress(name);
  // Loopback never uses the proxy, whatever the list contains.
  if (name === 'localhost' || (address !== undefined && isLoopback(name))) return true;
  return noProxy
    .split(',')
    .map((entry) => entry.trim().toLowerCase())
    .some((entry) => {
      if (entry === '*') return true;
      const network = entry.includes('/') ? parseCidr(entry) : undefined;
      if (network !== undefined) return address !== undefined && contains(network, address);
      const [, withoutPort = entry, wanted] = /^(.*?|\[.*\]):(\d+)$/.exec(entry) ?? [];
      const isPlain = parseAddress(entry) !== undefined;
      if (!isPlain && wanted !== undefined && Number(wanted) !== port) return false;
      const pattern = (isPlain ? entry : withoutPort).replace(/^\[|\]$/g, '').replace(/^\*\./, '.');
      if (pattern === '') return false;
      return pattern.startsWith('.')
        ? name.endsWith(pattern)
        : name === pattern || name.endsWith(`.${pattern}`);
    });
}

function isLoopback(address: string): boolean {
  return address === '::1' || address.startsWith('127.');
}
