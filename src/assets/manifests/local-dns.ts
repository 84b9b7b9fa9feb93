import { defineAsset } from '../../graph/asset.js';
import type { Templates } from '../../graph/context.js';
import type { IgnitionUnit, NodeFile } from '../../ignition/types.js';
import { clusterDomain } from '../config/cluster-domain.js';
import { installConfig } from '../config/install-config.js';
import { snoConfig } from '../config/sno-config.js';
import { templateText } from '../template-text.js';
import { defineManifests } from './family.js';
import { machineConfigManifest } from './machine-config-files.js';

/** What makes a node answer the names of its own cluster; nothing, unless sno-config.yaml asks with `dns.local`. */
export interface LocalDns {
  readonly files: readonly NodeFile[];
  readonly units: readonly IgnitionUnit[];
}

/** The node's own DNS server, for the live system and the installed node alike. */
export const localDns = defineAsset({
  name: 'manifests/local-dns',
  needs: { install: installConfig, sno: snoConfig },
  make: ({ install, sno: { dns, nodeIP } }, { templates }): LocalDns =>
    dns.local && nodeIP !== undefined
      ? {
          files: localDnsFiles({ domain: clusterDomain(install), nodeIP }, templates),
          units: [{ name: 'dnsmasq.service', enabled: true, contents: template(templates, unitPath) }],
        }
      : { files: [], units: [] },
});

/** The MachineConfig that brings the DNS server to the installed node. */
export const localDnsConfig = defineManifests({
  name: 'manifests/local-dns-config',
  needs: { localDns },
  make: ({ localDns }) =>
    localDns.files.length === 0 ? [] : [machineConfigManifest('master', '50-master-local-dns', localDns)],
  alsoElsewhere: () => [{ path: ['spec', 'config'], input: 'dns.local and nodeIP in sno-config.yaml' }],
});

interface Names {
  readonly domain: string;
  readonly nodeIP: string;
}

const unitPath = 'etc/systemd/system/dnsmasq.service';
const dispatcherPath = 'etc/NetworkManager/dispatcher.d/forcedns';
const networkManagerPath = 'etc/NetworkManager/conf.d/single-node.conf';

function localDnsFiles(names: Names, templates: Templates): readonly NodeFile[] {
  return [
    { path: `/${networkManagerPath}`, mode: 0o644, contents: template(templates, networkManagerPath) },
    { path: `/${dispatcherPath}`, mode: 0o555, contents: template(templates, dispatcherPath) },
    { path: '/etc/default/local-dns', mode: 0o644, contents: dispatcherEnvironment(names) },
    { path: '/etc/dnsmasq.d/single-node.conf', mode: 0o644, contents: dnsmasqConfig(names) },
  ];
}

function template(templates: Templates, path: string): string {
  return templateText(templates, `local-dns/${path}`);
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
