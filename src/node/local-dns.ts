import type { Templates } from '../graph/context.js';
import type { NodeFile, IgnitionUnit } from '../ignition/types.js';

/** Files of a name server on the node for the cluster's own names; empty unless sno-config.yaml sets `dns.local`. */
export interface LocalDns {
  readonly files: readonly NodeFile[];
  readonly units: readonly IgnitionUnit[];
}

/** The names that the node's name server resolves. */
export interface LocalDnsNames {
  readonly clusterName: string;
  readonly baseDomain: string;
  readonly nodeIP: string;
}

/** The unit of dnsmasq, relative to the root. */
export const dnsmasqUnitPath = 'etc/systemd/system/dnsmasq.service';
const dispatcherPath = 'etc/NetworkManager/dispatcher.d/forcedns';
const configPath = 'usr/local/bin/dnsmasq_config.sh';
const networkManagerPath = 'etc/NetworkManager/conf.d/single-node.conf';

/**
 * All files of the node's name server except its unit. lifecycle-agent expects these names of the script, the unit, the MachineConfig
 * and the files that the script reads.
 * Source: openshift-kni/lifecycle-agent internal/common/consts.go, controllers/seedgen_controller.go
 */
export function localDnsFiles(names: LocalDnsNames, templates: Templates): readonly NodeFile[] {
  return [
    {
      path: `/${networkManagerPath}`,
      mode: 0o644,
      contents: localDnsTemplate(templates, networkManagerPath),
    },
    { path: `/${dispatcherPath}`, mode: 0o555, contents: localDnsTemplate(templates, dispatcherPath) },
    { path: '/etc/default/local-dns', mode: 0o644, contents: dispatcherEnvironment(names) },
    { path: `/${configPath}`, mode: 0o555, contents: localDnsTemplate(templates, configPath) },
  ];
}

export function localDnsTemplate(templates: Templates, path: string): string {
  return templates.text(`local-dns/${path}`);
}

function dispatcherEnvironment({ clusterName, baseDomain, nodeIP }: LocalDnsNames): string {
  return `CLUSTER_NAME=${clusterName}\nBASE_DOMAIN=${baseDomain}\nNODE_IP=${nodeIP}\n`;
}
