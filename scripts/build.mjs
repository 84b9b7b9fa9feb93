// Compiles src/ into dist/. The new tree is made beside the old one and swapped in, so that no deleted module lives on
// and a command that is running keeps its files until the swap.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, readFileSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const staging = `.cache/build-${process.pid}`;
const tsc = ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json', '--outDir', `${staging}/dist`];
const { status } = spawnSync(process.execPath, tsc, { stdio: 'inherit' });
if (status !== 0) {
  rmSync(staging, { recursive: true, force: true });
  process.exit(status ?? 1);
}
chmodSync(`${staging}/dist/cli.js`, 0o755);
writeFileSync(`${staging}/dist/build-id`, buildId([`${staging}/dist`, 'templates', 'package-lock.json']));
rmSync('dist', { recursive: true, force: true });
renameSync(`${staging}/dist`, 'dist');
rmSync(staging, { recursive: true, force: true });

/** A hash of everything outputs are made by: another build never takes the word of this one that nothing has changed. */
function buildId(roots) {
  const hash = createHash('sha256');
  for (const path of roots.flatMap(filesBelow))
    hash.update(path.replace(staging, '')).update(readFileSync(path));
  return hash.digest('hex');
}

function filesBelow(path) {
  if (statSync(path).isFile()) return [path];
  return readdirSync(path)
    .sort()
    .flatMap((name) => filesBelow(join(path, name)));
}
