import { environmentNameOf, type NodeIdentity } from '../../config/cluster-names.js';
import { parseAddress, formatAddress } from '../../formats/cidr.js';

/** The forms of a node's name and address in rendered files. */
export function nodeIdentityOf(name: string, address: string): NodeIdentity {
  const parsed = parseAddress(address);
  if (parsed === undefined) throw new Error('internal error: nodeIP passed the checks and is no address');
  const ip = formatAddress(parsed);
  return {
    name,
    environmentName: environmentNameOf(name),
    ip,
    urlHost: parsed.family === 'IPv6' ? `[${ip}]` : ip,
    endpointKey: Buffer.from(ip).toString('base64').replace(/=+$/, ''),
  };
}
