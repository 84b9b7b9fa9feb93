// Compiles src/ into dist/. The new tree is made beside the old one and swapped in, so that no deleted module lives on
// and a command that is running keeps its files until the swap.
import { spawnSync } from 'node:child_process';
import { chmodSync, renameSync, rmSync } from 'node:fs';

const staging = `.cache/build-${process.pid}`;
const tsc = ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json', '--outDir', `${staging}/dist`];
const { status } = spawnSync(process.execPath, tsc, { stdio: 'inherit' });
if (status !== 0) {
  rmSync(staging, { recursive: true, force: true });
  process.exit(status ?? 1);
}
chmodSync(`${staging}/dist/cli.js`, 0o755);
rmSync('dist', { recursive: true, force: true });
renameSync(`${staging}/dist`, 'dist');
rmSync(staging, { recursive: true, force: true });
