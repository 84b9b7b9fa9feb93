// Stress test of the directory lock: many processes in two PID namespaces take one lock repeatedly, next to stale claims of killed
// runs; some are killed while they hold it. Prints how often it was taken, and how often two processes held it at once.
// Usage: node scripts/lock-stress.mjs [ACQUISITIONS]
import { spawn } from 'node:child_process';
import { createHash, randomBytes, randomInt } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync } from 'node:fs';
import { readdirSync, readlinkSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';

const script = fileURLToPath(import.meta.url);
const workersOfEach = 4;

const roles = { main, group, worker };
await roles[process.env.STRESS_ROLE ?? 'main'](...process.argv.slice(2));

async function main(wanted = '24000') {
  const folder = mkdtempSync(join(tmpdir(), 'sno-install-lock-stress-'));
  mkdirSync(join(folder, 'site'));
  for (const name of ['taken', 'refused', 'killed', 'sown', 'double']) writeFileSync(join(folder, name), '');
  await bundleLock(join(folder, 'lock.mjs'));
  const began = performance.now();
  const apart = ['unshare', '--user', '--map-root-user', '--pid', '--fork', '--mount-proc', '--kill-child'];
  const ends = await Promise.all([
    ended(start([process.execPath, script, folder, wanted], 'group')),
    ended(start([...apart, process.execPath, script, folder, wanted], 'group')),
  ]);
  await takeOnce(folder);
  const counted = (name) => statSync(join(folder, name)).size;
  const report = {
    ok: ends.every((code) => code === 0) && counted('double') === 0,
    taken: counted('taken'),
    refused: counted('refused'),
    killedHolders: counted('killed'),
    staleClaims: counted('sown'),
    heldTwice: counted('double'),
    left: readdirSync(join(folder, 'site')),
    namespaces: readFileSync(join(folder, 'namespaces'), 'utf8').trim().split('\n').length,
    seconds: Math.round((performance.now() - began) / 1000),
  };
  rmSync(folder, { recursive: true });
  console.log(JSON.stringify(report, null, 2));
  process.exitCode = report.ok ? 0 : 1;
}

/** Bundles the lock's sources into one module. */
async function bundleLock(file) {
  const { build } = await import('rolldown');
  const input = join(dirname(script), '../src/disk/lock/lock.ts');
  await build({ input, platform: 'node', output: { file, format: 'esm' }, logLevel: 'silent' });
}

/** Restarts workers until the lock has been taken often enough. */
async function group(folder, wanted) {
  appendFileSync(join(folder, 'namespaces'), `${readlinkSync('/proc/self/ns/pid')}\n`);
  const keep = async () => {
    while (statSync(join(folder, 'taken')).size < Number(wanted)) {
      const code = await ended(start([process.execPath, script, folder, wanted], 'worker'));
      if (code !== 0 && code !== null) process.exitCode = 1;
      if (code !== 0 && code !== null) return;
    }
  };
  await Promise.all(Array.from({ length: workersOfEach }, keep));
}

/** Removes the claim of a last worker that was killed while holding the lock. */
async function takeOnce(folder) {
  const lock = await lockOf(folder, 'afterwards');
  if (!lock.ok) throw new Error(lock.problems[0].message);
  lock.value.release();
}

async function lockOf(folder, command) {
  const { takeLock } = await import(pathToFileURL(join(folder, 'lock.mjs')).href);
  return takeLock(join(folder, 'site'), command);
}

async function worker(folder, wanted) {
  const site = join(folder, 'site');
  const id = randomBytes(6).toString('hex');
  while (statSync(join(folder, 'taken')).size < Number(wanted)) {
    if (randomInt(5) === 0) await sowStale(folder, site);
    const lock = await lockOf(folder, `worker ${id}`);
    if (!lock.ok) {
      if (lock.problems[0].code !== 'dir/locked') throw new Error(lock.problems[0].message);
      appendFileSync(join(folder, 'refused'), '.');
      continue;
    }
    enter(folder, id);
    for (let turns = 0; turns < 3; turns += 1) await turn();
    if (randomInt(300) === 0) {
      writeFileSync(join(folder, `dead-${id}`), '');
      appendFileSync(join(folder, 'killed'), '.');
      process.kill(process.pid, 'SIGKILL');
    }
    appendFileSync(join(folder, 'taken'), '.');
    rmSync(join(folder, 'inside'));
    lock.value.release();
  }
}

/** Marks this worker as the holder; replaces the mark of a killed holder. */
function enter(folder, id) {
  const inside = join(folder, 'inside');
  try {
    writeFileSync(inside, id, { flag: 'wx' });
  } catch {
    let other = '';
    try {
      other = readFileSync(inside, 'utf8');
    } catch {
      // The other worker has just released the lock, so both held it.
    }
    if (!existsSync(join(folder, `dead-${other}`))) appendFileSync(join(folder, 'double'), '.');
    writeFileSync(inside, id);
  }
}

/** Creates the claim of a killed run: a socket without a listener. */
async function sowStale(folder, site) {
  const bootId = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8');
  const kernel = createHash('sha256').update(bootId).digest('hex').slice(0, 12);
  const name = join(site, `.sno-install.lock.${kernel}.${randomBytes(8).toString('hex')}`);
  const server = createServer();
  await new Promise((listening) => server.listen(`${folder}/${randomBytes(4).toString('hex')}`, listening));
  const bound = server.address();
  renameSync(bound, name);
  await new Promise((closed) => server.close(closed));
  writeFileSync(`${name}.holder`, JSON.stringify({ pid: 1, host: 'x', command: 'killed' }));
  appendFileSync(join(folder, 'sown'), '.');
}

function start([program, ...args], role) {
  return spawn(program, args, { stdio: 'inherit', env: { ...process.env, STRESS_ROLE: role } });
}

/** The exit code; null if the process was killed. */
function ended(child) {
  return new Promise((done) => {
    child.once('error', () => done(127));
    child.once('exit', (code) => done(code));
  });
}
