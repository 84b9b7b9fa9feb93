// Has V8 make the code that is kept beside the files of the bundle.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** One has a fault in nearly every field, the other a single one: where a field is unsound, rules that read it wait. */
const faultyConfigs = [
  `apiVersion: v1
metadata: { name: Site }
baseDomain: example.com
compute: [{ name: worker, replicas: 0 }]
controlPlane: { name: master, replicas: 1 }
platform: { none: {} }
networking: { machineNetwork: [{ cidr: 192.168.126.0/24 }] }
sshKey: ssh-ed25519 AAAA
pullSecret: '{"auths":{}}'
`,
  `apiVersion: v1
metadata:
  name: site
baseDomain: example_com
networking:
  machineNetwork:
    - cidr: 192.168.126.0/24
compute:
  - name: worker
    replicas: 0
controlPlane:
  name: master
  replicas: 1
platform:
  none: {}
bootstrapInPlace:
  installationDisk: /dev/disk/by-id/wwn-0x1
sshKey: ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI${'A'.repeat(43)} someone@example.com
pullSecret: '{"auths":{"registry.example.com":{"auth":"dTpw"}}}'
`,
];

/**
 * Keeps the code of what runs over configs with faults call: such a run is mostly compiling. It differs from build to build of the same
 * source, so it is no part of what is built, and the program does without. What the runs say, and how they end, is of no interest.
 */
export function keepCode(dist) {
  const dir = mkdtempSync(join(tmpdir(), 'sno-install-build-'));
  const node = ['-r', './scripts/build/record-code.cjs', join(dist, 'cli.js')];
  try {
    for (const config of faultyConfigs) {
      writeFileSync(join(dir, 'install-config.yaml'), config);
      for (const command of [['validate'], ['create', 'single-node-ignition-config']])
        spawnSync(process.execPath, [...node, ...command, '--dir', dir]);
    }
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}
