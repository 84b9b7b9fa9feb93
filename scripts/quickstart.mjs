// Generates the Ignition configs of the minimal fixture into out/quickstart, as a first example.
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync } from 'node:fs';

const dir = 'out/quickstart';
mkdirSync(dir, { recursive: true });
copyFileSync('fixtures/configs/minimal/install-config.yaml', `${dir}/install-config.yaml`);
const command = ['dist/cli.js', 'create', 'single-node-ignition-config', '--dir', dir];
process.exit(spawnSync(process.execPath, command, { stdio: 'inherit' }).status ?? 1);
