import { commentedInstallConfig } from '../../config/commented-install-config.js';

/** The files of a new fleet. Placeholders in angle brackets fail validation until they are filled in. */
export function fleetSkeleton(): readonly { readonly path: string; readonly text: string }[] {
  return [
    { path: 'fleet.yaml', text: fleetFile },
    { path: 'sites.csv', text: table },
    { path: 'base/install-config.yaml', text: installConfig() },
    { path: 'base/sno-config.yaml', text: snoConfig },
    { path: 'README.md', text: readme },
  ];
}

const fleetFile = `apiVersion: sno-install/v1alpha1
kind: Fleet
sites: sites.csv
# Values for all sites, such as \${ntp} in base/. A column of the table takes precedence.
# variables:
#   ntp: ntp.example.com
`;

const table = `name,machineNetwork,ip,prefix,gateway,mac
site-1,<10.1.1.0/24>,<10.1.1.10>,<24>,<10.1.1.1>,<52:54:00:00:01:0a>
site-2,<10.1.2.0/24>,<10.1.2.10>,<24>,<10.1.2.1>,<52:54:00:00:01:0b>
`;

function installConfig(): string {
  return commentedInstallConfig({
    name: '${name}',
    machineNetwork: ['${machineNetwork}'],
    sshKey: '<SSH public key>',
  });
}

const snoConfig = `# Single-node settings of all sites. \`sno-install explain FIELD\` describes each field.
apiVersion: sno-install/v1alpha1
kind: SingleNodeConfig
hostname: \${name}
nodeIP: \${ip}

# The network of the live system and of the installed node, in the syntax of nmstate.
network:
  interfaces:
    - name: uplink
      type: ethernet
      state: up
      identifier: mac-address
      mac-address: \${mac}
      ipv4:
        enabled: true
        dhcp: false
        address:
          - ip: \${ip}
            prefix-length: \${prefix}
  dns-resolver:
    config:
      server: ["<address of the DNS server>"]
  routes:
    config:
      - destination: 0.0.0.0/0
        next-hop-address: \${gateway}
        next-hop-interface: uplink
`;

const readme = `# Fleet

- \`fleet.yaml\` names the table and sets variables for all sites.
- \`sites.csv\` has one row per site. Replace the two example rows; \`prefix\` is the prefix length of the node's address. Each column is a variable such as \`\${ip}\`.
- \`base/install-config.yaml\` is the cluster configuration of all sites. Fill in the values in angle brackets and the pull secret.
- \`base/sno-config.yaml\` is the node configuration of all sites, with the static network.

1. \`sno-install fleet validate\` reports every value to fill in.
2. \`sno-install fleet create\` writes a folder per site below \`out/\`.
3. \`sno-install fleet create --iso rhcos-live.iso\` adds a live ISO per site. Do not commit secrets to Git.
`;
