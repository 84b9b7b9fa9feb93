import { commentedInstallConfig } from '../../config/commented-install-config.js';

export const ignoreFileName = '.gitignore';

/** The files of a new fleet. Placeholders in angle brackets fail validation until they are filled in. */
export function fleetSkeleton(
  existingIgnored = '',
): readonly { readonly path: string; readonly text: string }[] {
  return [
    { path: ignoreFileName, text: withIgnored(existingIgnored) },
    { path: 'fleet.yaml', text: fleetFile },
    { path: 'sites.csv', text: table },
    { path: 'base/install-config.yaml', text: installConfig() },
    { path: 'base/sno-config.yaml', text: snoConfig },
    { path: 'README.md', text: readme },
  ];
}

const pullSecretFile = 'pull-secret.json';

/** Without encryption, `out/` contains every private key as plain text. */
const ignored = `# Private keys, unless fleet.yaml has recipients and encryptOutputs: true.
/out/
# Secrets, and files that change with every run. Names of encrypted files end in .age.
${pullSecretFile}
bmc.yaml
urls.json
*identity*.txt
*passphrase*
.sno-install-record.json
*.ign
*.iso
auth/*
!auth/*.age
pxe/
`;

/** The existing lines, then those of a fleet with the same line ends: in Git, a later line overrides an earlier one, such as `!/out/`. */
function withIgnored(existing: string): string {
  const lineEnd = /\r\n/.test(existing) ? '\r\n' : '\n';
  const own = ignored.replaceAll('\n', lineEnd);
  if (existing.endsWith(own)) return existing;
  return `${existing}${existing === '' || existing.endsWith('\n') ? '' : lineEnd}${own}`;
}

const fleetFile = `apiVersion: sno-install/v1alpha1
kind: Fleet
sites: sites.csv
# Values for all sites, in place of a column such as \${ntp}. A column of the table takes precedence.
# variables:
#   ntp: ntp.example.com
# Encrypts private keys in out/, so that it can be committed without its line in .gitignore.
# recipients: [<output of age-keygen -y FILE>]
# encryptOutputs: true
`;

const table = `name,machineNetwork,ip,prefix,gateway,mac,dns,ntp,diskSerial
site-1,<10.1.1.0/24>,<10.1.1.10>,<24>,<10.1.1.1>,<52:54:00:00:01:0a>,<10.1.1.1>,<ntp.example.com>,<S6CUNA0R100001>
site-2,<10.1.2.0/24>,<10.1.2.10>,<24>,<10.1.2.1>,<52:54:00:00:01:0b>,<10.1.2.1>,<ntp.example.com>,<S6CUNA0R100002>
`;

function installConfig(): string {
  return commentedInstallConfig({
    name: '${name}',
    machineNetwork: ['${machineNetwork}'],
    namedPullSecret: `base/${pullSecretFile}`,
    sshKey: '<SSH public key>',
  });
}

const snoConfig = `# Single-node settings of all sites. \`sno-install explain FIELD\` describes each field.
apiVersion: sno-install/v1alpha1
kind: SingleNodeConfig
hostname: \${name}
nodeIP: \${ip}
ntpSources: ["\${ntp}"]

# Registry credentials, in a file that Git ignores.
pullSecretFile: ${pullSecretFile}

# The disk to install to. ITS CONTENTS ARE DESTROYED. \`lsblk --output NAME,SERIAL\` in the live system prints the serial numbers.
rootDeviceHints:
  serialNumber: \${diskSerial}

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
      server: ["\${dns}"]
  routes:
    config:
      - destination: 0.0.0.0/0
        next-hop-address: \${gateway}
        next-hop-interface: uplink
`;

const readme = `# Fleet

- \`fleet.yaml\` names the table and sets variables for all sites.
- \`sites.csv\` has one row per site. Replace the two example rows; \`prefix\` is the prefix length of the node's address. \`diskSerial\` is the serial number of the disk to install to: **its contents are destroyed**. Each column is a variable such as \`\${ip}\`.
- \`base/install-config.yaml\` is the cluster configuration of all sites. Fill in the values in angle brackets.
- \`base/sno-config.yaml\` is the node configuration of all sites, with the static network.
- \`base/${pullSecretFile}\` is the pull secret. Write it yourself; \`.gitignore\` keeps it out of Git.

1. \`sno-install fleet validate\` reports every value to fill in.
2. \`sno-install fleet create\` writes a folder per site below \`out/\`, with private keys. \`.gitignore\` excludes it. To commit it, set \`recipients\` and \`encryptOutputs\` in \`fleet.yaml\` first, create it again, then remove the line \`/out/\`.
3. \`sno-install fleet create --iso rhcos-live.iso\` adds a live ISO per site, which contains private keys.
`;
