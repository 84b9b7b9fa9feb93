import type { Templates } from '../graph/context.js';
import type { NodeFile, IgnitionUnit } from '../ignition/types.js';

/** What makes a node answer the names of its own cluster; nothing, unless sno-config.yaml asks with `dns.local`. */
export interface LocalDns {
  readonly files: readonly NodeFile[];
  readonly units: readonly IgnitionUnit[];
}

/** What the node's own name server answers with. */
export interface Names {
  readonly clusterName: string;
  readonly baseDomain: string;
  readonly nodeIP: string;
}

/** The unit of dnsmasq, relative to the root. */
export const unitPath = 'etc/systemd/system/dnsmasq.service';
const dispatcherPath = 'etc/NetworkManager/dispatcher.d/forcedns';
const configPath = 'usr/local/bin/dnsmasq_config.sh';
const networkManagerPath = 'etc/NetworkManager/conf.d/single-node.conf';

/**
 * Everything the node's own name server needs but its unit. The names of the script, the unit and the MachineConfig are
 * those that lifecycle-agent looks for; so are the files that the script reads.
 * Source: openshift-kni/lifecycle-agent internal/common/consts.go, controllers/seedgen_controller.go
 */
export function localDnsFiles(names: Names, templates: Templates): readonly NodeFile[] {
  return [
    { path: `/${networkManagerPath}`, mode: 0o644, contents: template(templates, networkManagerPath) },
    { path: `/${dispatcherPath}`, mode: 0o555, contents: template(templates, dispatcherPath) },
    { path: '/etc/default/local-dns', mode: 0o644, contents: dispatcherEnvironment(names) },
    { path: `/${configPath}`, mode: 0o555, contents: template(templates, configPath) },
  ];
}

/** A template of the node's own name server. */
export function template(templates: Templates, path: string): string {
  return templates.text(`local-dns/${path}`);
}

function dispatcherEnvironment({ clusterName, baseDomain, nodeIP }: Names): string {
  return `CLUSTER_NAME=${clusterName}\nBASE_DOMAIN=${baseDomain}\nNODE_IP=${nodeIP}\n`;
}
