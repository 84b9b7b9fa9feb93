// Has V8 make the code that is kept beside the files of the bundle.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const soundConfig = readFileSync('fixtures/configs/minimal/install-config.yaml', 'utf8');

/** One has a single fault, the other one in nearly every field: where a field is unsound, rules that read it wait. */
const faultyConfigs = [
  soundConfig.replace('example.com', 'example_com'),
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
];

/**
 * Keeps the code of what runs over configs with faults call: such a run is mostly compiling. Of the files that they do not load, the code
 * is kept that a run over a sound config calls. What comes of it differs from build to build of the same source, so it is no part of what
 * is built, and the program does without. What the runs say, and how they end, is of no interest. None of them draws a key.
 */
export function keepCode(dist) {
  const dir = mkdtempSync(join(tmpdir(), 'sno-install-build-'));
  const node = ['-r', './scripts/build/record-code.cjs', join(dist, 'cli.js')];
  const record = (config, command, ofFiles) => {
    writeFileSync(join(dir, 'install-config.yaml'), config);
    spawnSync(process.execPath, [...node, ...command, '--dir', dir], { env: { RECORD_CODE_OF: ofFiles } });
  };
  try {
    for (const config of faultyConfigs) {
      record(config, ['validate'], 'every file');
      record(config, ['create', 'single-node-ignition-config'], 'every file');
    }
    record(soundConfig, ['validate'], 'files without');
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}
