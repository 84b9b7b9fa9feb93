// Checks that a refactoring changes no output: runs two builds over every fixture, the second with the generated values of the
// first, and compares exit codes, messages and all files.
//
//   node scripts/compare-builds.mjs BEFORE AFTER      (two checkouts, both built)
//
// Prints the number of compared runs and files; the exit code is 1 if anything differs.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const [before, after] = process.argv.slice(2).map((path) => resolve(path));
if (after === undefined) {
  console.error('usage: node scripts/compare-builds.mjs BEFORE AFTER');
  process.exit(2);
}
const stateName = '.sno-install-state.json';
const scratch = mkdtempSync(join(tmpdir(), 'sno-compare-'));
process.on('exit', () => rmSync(scratch, { recursive: true, force: true }));
const counts = { runs: 0, files: 0, differences: 0 };

for (const kind of ['configs', 'invalid'])
  for (const fixture of readdirSync(join(after, 'fixtures', kind))) compareFixture(kind, fixture);
console.log(`${counts.runs} runs and ${counts.files} files compared, ${counts.differences} differences`);
process.exitCode = counts.differences === 0 && counts.files > 0 ? 0 : 1;

function compareFixture(kind, fixture) {
  const sites = [before, after].map((checkout, index) => {
    const folder = join(scratch, String(index), kind, fixture);
    cpSync(join(after, 'fixtures', kind, fixture), folder, { recursive: true });
    return { program: join(checkout, 'dist/cli.js'), folder };
  });
  for (const command of commandsFor(fixture)) compareRun(`${kind}/${fixture}`, command, sites);
  compareFiles(`${kind}/${fixture}`, sites);
  for (const { folder } of sites) rmSync(folder, { recursive: true });
}

function commandsFor(fixture) {
  const targets = fixture.startsWith('aio-')
    ? ['create aio-ignition']
    : ['create manifests', 'create single-node-ignition-config', 'render control-plane'];
  return ['validate', ...targets].map((command) => command.split(' '));
}

function compareRun(fixture, command, [first, second]) {
  const one = runIn(first, command);
  giveDraws(first.folder, second.folder);
  const other = runIn(second, command);
  counts.runs += 1;
  if (one.status === other.status && one.stderr === other.stderr) return;
  counts.differences += 1;
  console.log(
    `${fixture}: ${command.join(' ')} exits with ${one.status} and ${other.status}\n${one.stderr}---\n${other.stderr}`,
  );
}

function runIn({ program, folder }, command) {
  const options = { cwd: folder, encoding: 'utf8', env: { ...process.env, NO_COLOR: '1' } };
  return spawnSync(process.execPath, [program, ...command], options);
}

/** Copies generated values and the clock from one state to another; the record of written files is not copied. */
function giveDraws(from, to) {
  const [source, target] = [from, to].map((folder) => join(folder, stateName));
  if (!existsSync(source)) return;
  const theirs = JSON.parse(readFileSync(source, 'utf8'));
  const own = existsSync(target) ? JSON.parse(readFileSync(target, 'utf8')) : { ...theirs, written: {} };
  // Without the record of the last run, the program generates all outputs again.
  const values = theirs[valuesKey(theirs)];
  const state = { ...own, [valuesKey(own)]: values, cluster: theirs.cluster, lastRuns: undefined };
  writeFileSync(target, JSON.stringify(state), { mode: 0o600 });
}

/** Key of the generated values, which 0.1.0 called `draws`. */
function valuesKey({ version }) {
  return version === 1 ? 'draws' : 'generatedValues';
}

function compareFiles(fixture, sites) {
  const [one, other] = sites.map(({ folder }) => filesBelow(folder));
  for (const name of new Set([...one, ...other])) {
    const [left, right] = sites.map(({ folder }) => contentsOf(join(folder, name)));
    counts.files += 1;
    if (left !== undefined && right !== undefined && left.equals(right)) continue;
    counts.differences += 1;
    console.log(`${fixture}: ${name} differs`);
  }
}

function filesBelow(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== stateName)
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
}

function contentsOf(path) {
  return existsSync(path) ? readFileSync(path) : undefined;
}
