import { contains, parseAddress, parseCidr } from '../../formats/cidr.js';

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
