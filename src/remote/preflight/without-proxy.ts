import { contains, parseAddress, parseCidr } from '../../formats/cidr.js';

/**
 * Whether a host is reached without the proxy, as programs in Go read NO_PROXY: `*`, a domain with all below it, one that begins with a
 * dot for what is below it alone, an address, a network; a port after a name or an address holds for that port alone.
 * Source: golang.org/x/net/http/httpproxy, Config.NoProxy
 */
export function isWithoutProxy(host: string, port: number, noProxy: string): boolean {
  const name = host
    .toLowerCase()
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '');
  const address = parseAddress(name);
  // Whatever the list says, this machine is not asked for by the proxy.
  if (name === 'localhost' || (address !== undefined && isLoopback(name))) return true;
  return noProxy
    .split(',')
    .map((entry) => entry.trim().toLowerCase())
    .some((entry) => {
      if (entry === '*') return true;
      const network = entry.includes('/') ? parseCidr(entry) : undefined;
      if (network !== undefined) return address !== undefined && contains(network, address);
      const [, bare = entry, wanted] = /^(.*?|\[.*\]):(\d+)$/.exec(entry) ?? [];
      const isPlain = parseAddress(entry) !== undefined;
      if (!isPlain && wanted !== undefined && Number(wanted) !== port) return false;
      const pattern = (isPlain ? entry : bare).replace(/^\[|\]$/g, '').replace(/^\*\./, '.');
      if (pattern === '') return false;
      return pattern.startsWith('.')
        ? name.endsWith(pattern)
        : name === pattern || name.endsWith(`.${pattern}`);
    });
}

function isLoopback(address: string): boolean {
  return address === '::1' || address.startsWith('127.');
}
