// Shows that what a release consists of hangs on the sources alone: makes its files twice, in two clones with other folders, clocks, zones, languages,
// umasks, homes, orders and times of files (reproduce/circumstances.mjs), and compares names and bytes.
//
//   npm run reproduce                             the package, and the executable file for Linux on x64
//   npm run reproduce -- --executables PLATFORMS  the package, and these (npm run release-files); '' for none
//
// Prints the first difference of each file; exit code 1 when there is one. The clock differs where faketime is installed.
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
// Both before the first build: who goes on writing in the meantime changes neither.
for (const each of circumstances) lay(each);
const outs = circumstances.map(built);
const differences = await differencesOf(...outs);
for (const line of differences) console.log(line);
const names = readdirSync(outs[0]).filter((name) => name !== 'SHA256SUMS');
console.log(`${names.length} files made twice, ${differences.length} differ`);
if (!hasFaketime) console.log('the clock was the same: faketime is missing (apt-get install faketime)');
console.log(readFileSync(join(outs[0], 'SHA256SUMS'), 'utf8').trimEnd());
process.exitCode = differences.length === 0 && names.length > 0 ? 0 : 1;

function lay(each) {
  const folder = join(scratch, each.folder);
  process.umask(each.umask);
  layFiles(folder, sources, each, (path) => statSync(path).mode);
  copyPackages(join(folder, 'node_modules'));
}

/** The folder with the files that were made in some circumstances. */
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

/** Where the binaries of Node.js lie that executable files are made of: they are checked by their hashes, and fetched once. */
function cache() {
  return process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache');
}

/** The same packages at another path: linked, where the file system does that between these folders. */
function copyPackages(to) {
  for (const how of ['--link', '--reflink=auto']) {
    const { status } = spawnSync('cp', ['--archive', how, resolve('node_modules'), to]);
    if (status === 0) return;
    rmSync(to, { recursive: true, force: true });
  }
  throw new Error('node_modules was not copied');
}
