// Checks that release files depend only on the sources: builds them twice, in two clones with different folders, clocks, time zones,
// languages, umasks, homes, creation orders and file times (reproduce/circumstances.mjs), and compares names and contents.
//
//   npm run reproduce                             the package, and the executable file for Linux on x64
//   npm run reproduce -- --executables PLATFORMS  the package, and these (npm run release-files); '' for none
//
// Prints the first difference of each file; the exit code is 1 if there is one. The clock differs only if faketime is installed.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

import { circumstances, layFiles } from './reproduce/circumstances.mjs';
import { differencesOf } from './reproduce/first-difference.mjs';

const { values } = parseArgs({ options: { executables: { type: 'string', default: 'linux-x64' } } });
const hasFaketime = spawnSync('faketime', ['--version']).error === undefined;
const scratch = mkdtempSync(join(tmpdir(), 'sno-reproduce-'));
process.on('exit', () => rmSync(scratch, { recursive: true, force: true }));

const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], { encoding: 'utf8' });
const sources = listed.split('\0').filter((path) => path !== '' && existsSync(path));
// Both copies are made before the first build, so that later changes to the sources affect neither.
for (const each of circumstances) lay(each);
const outs = circumstances.map(built);
const differences = await differencesOf(...outs);
for (const line of differences) console.log(line);
const names = readdirSync(outs[0]).filter((name) => name !== 'SHA256SUMS');
console.log(`${names.length} files built twice, ${differences.length} differ`);
if (!hasFaketime)
  console.log('both builds used the same clock: faketime is not installed (apt-get install faketime)');
console.log(readFileSync(join(outs[0], 'SHA256SUMS'), 'utf8').trimEnd());
process.exitCode = differences.length === 0 && names.length > 0 ? 0 : 1;

function lay(each) {
  const folder = join(scratch, each.folder);
  process.umask(each.umask);
  layFiles(folder, sources, each, (path) => statSync(path).mode);
  copyPackages(join(folder, 'node_modules'));
}

/** Builds in one environment and returns the folder of release files. */
function built(each) {
  const folder = join(scratch, each.folder);
  process.umask(each.umask);
  const home = join(folder, '..', 'home');
  mkdirSync(home, { recursive: true });
  const out = join(scratch, `files of ${each.umask}`);
  const args = ['scripts/release-files.mjs', '--out', out, '--executables', values.executables];
  const begins = each.clock !== undefined && hasFaketime ? ['faketime', '-f', each.clock] : [];
  const [program, ...rest] = [...begins, process.execPath, ...args];
  const { status } = spawnSync(program, rest, {
    cwd: folder,
    env: { ...process.env, ...each.env, HOME: home, XDG_CACHE_HOME: cache() },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (status !== 0) throw new Error(`the build in ${folder} failed`);
  return out;
}

/** Folder of the Node.js binaries for executable files; downloaded once and verified by hash. */
function cache() {
  return process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache');
}

/** Copies the packages to another path, with hard links if the file system supports them. */
function copyPackages(to) {
  for (const how of ['--link', '--reflink=auto']) {
    const { status } = spawnSync('cp', ['--archive', how, resolve('node_modules'), to]);
    if (status === 0) return;
    rmSync(to, { recursive: true, force: true });
  }
  throw new Error('cannot copy node_modules');
}
