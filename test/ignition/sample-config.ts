import { buildConfig, type NodeContents } from '../../src/ignition/build-config.js';
import type { IgnitionConfig } from '../../src/ignition/types.js';

/** Small contents with one entry of each kind; cases change one of them. */
export const sampleContents: NodeContents = {
  files: [
    { path: '/usr/local/bin/start.sh', mode: 0o555, contents: '#!/bin/bash\necho "100%" done\n' },
    { path: '/etc/motd', mode: 0o644, contents: 'a bootstrap node\n', append: true },
    { path: '/etc/empty', mode: 0o600, contents: '' },
    { path: '/opt/blob', mode: 0o600, contents: Uint8Array.of(0xff, 0x00, 0x10) },
  ],
  units: [
    {
      name: 'start.service',
      enabled: true,
      contents:
        '[Unit]\nDescription=Start\n[Service]\nExecStart=/usr/local/bin/start.sh\n[Install]\nWantedBy=multi-user.target\n',
    },
    { name: 'other.service', enabled: false, contents: '[Service]\nExecStart=/bin/true\n' },
    { name: 'gatewayd.socket', enabled: true },
    {
      name: 'zincati.service',
      dropins: [{ name: 'off.conf', contents: '[Unit]\nConditionPathExists=/none\n' }],
    },
  ],
  users: [
    {
      name: 'core',
      sshAuthorizedKeys: ['ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGfirst first', 'ssh-rsa AAAAB3second'],
    },
  ],
};

/** The sample with some parts replaced. */
export function sampleConfig(changes: Partial<NodeContents> = {}): IgnitionConfig {
  return buildConfig({ ...sampleContents, ...changes });
}
