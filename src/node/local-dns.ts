import type { Templates } from '../graph/context.js';
import type { NodeFile, IgnitionUnit } from '../ignition/types.js';

/** What makes a node answer the names of its own cluster; nothing, unless sno-config.yaml asks with `dns.local`. */
export interface LocalDns {
  readonly files: readonly NodeFile[];
  readonly units: readonly IgnitionUnit[];
}

/** What the node's own name server answers with. */
export interface Names {
  readonly domain: string;
  readonly nodeIP: string;
}

/** The unit of dnsmasq, relative to the root. */
export const unitPath = 'etc/systemd/system/dnsmasq.service';
const dispatcherPath = 'etc/NetworkManager/dispatcher.d/forcedns';
const networkManagerPath = 'etc/NetworkManager/conf.d/single-node.conf';

/** Everything the node's own name server needs but its unit. */
export function localDnsFiles(names: Names, templates: Templates): readonly NodeFile[] {
  return [
    { path: `/${networkManagerPath}`, mode: 0o644, contents: template(templates, networkManagerPath) },
    { path: `/${dispatcherPath}`, mode: 0o555, contents: template(templates, dispatcherPath) },
    { path: '/etc/default/local-dns', mode: 0o644, contents: dispatcherEnvironment(names) },
    { path: '/etc/dnsmasq.d/single-node.conf', mode: 0o644, contents: dnsmasqConfig(names) },
  ];
}

/** A template of the node's own name server. */
export function template(templates: Templates, path: string): string {
  return templates.text(`local-dns/${path}`);
}

function dispatcherEnvironment({ domain, nodeIP }: Names): string {
  return `CLUSTER_DOMAIN=${domain}\nNODE_IP=${nodeIP}\n`;
}

/**
 * Everything else is asked of the servers that NetworkManager learnt. `local` keeps them from being asked for these
 * names' addresses of the other family too, which they would deny together with the names. Source: dnsmasq(8).
 */
function dnsmasqConfig({ domain, nodeIP }: Names): string {
  const names = [`api.${domain}`, `api-int.${domain}`, `apps.${domain}`];
  const lines = [
    ...names.map((name) => `address=/${name}/${nodeIP}`),
    ...names.map((name) => `local=/${name}/`),
    'bind-dynamic',
    'listen-address=127.0.0.1',
    `listen-address=${nodeIP}`,
    'resolv-file=/run/NetworkManager/resolv.conf',
  ];
  return `${lines.join('\n')}\n`;
}
