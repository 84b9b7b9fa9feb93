import { defineAsset } from '../../../graph/asset.js';
import { machineConfigManifest } from '../../../manifests/machine-config-files.js';
import { type LocalDns, localDnsFiles, localDnsTemplate, dnsmasqUnitPath } from '../../../node/local-dns.js';
import { installConfig } from '../../config/install-config.js';
import { snoConfig } from '../../config/sno-config.js';
import { defineManifests } from '../family.js';

/** The node's own DNS server, for the live system and the installed node. */
export const localDns = defineAsset({
  name: 'manifests/local-dns',
  needs: { install: installConfig, sno: snoConfig },
  make: ({ install, sno: { dns, nodeIP } }, { templates }): LocalDns =>
    dns.local && nodeIP !== undefined
      ? {
          files: localDnsFiles(
            { clusterName: install.metadata.name, baseDomain: install.baseDomain, nodeIP },
            templates,
          ),
          units: [
            {
              name: 'dnsmasq.service',
              enabled: true,
              contents: localDnsTemplate(templates, dnsmasqUnitPath),
            },
          ],
        }
      : { files: [], units: [] },
});

/** The MachineConfig of the DNS server on the installed node. */
export const localDnsConfig = defineManifests({
  name: 'manifests/local-dns-config',
  needs: { localDns },
  make: ({ localDns }) =>
    localDns.files.length === 0
      ? []
      : [machineConfigManifest('master', '50-master-dnsmasq-configuration', localDns)],
  alsoElsewhere: () => [{ path: ['spec', 'config'], input: 'dns.local and nodeIP in sno-config.yaml' }],
});
