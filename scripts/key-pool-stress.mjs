// Many processes take keys for the same sites from one pool, over and over, and are killed at random calls that change the file
// system; at first nobody erases what a site has, then everybody does. Prints how many keys were given, and how often a rule was broken.
// Sites, turns and the calls at which processes are killed are of a seed, which is printed: FC_SEED is another one. Which process is
// first is the system's to say.
// Usage: node scripts/key-pool-stress.mjs [KITS] [PROCESSES]
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { appendFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

import { randomRsaPem } from './random-rsa-pem.mjs';

const script = fileURLToPath(import.meta.url);
const killer = resolve(dirname(script), '../test/support/kill-at.mjs');
const atATime = 4;
const labels = ['a', 'b', 'c'].map((name) => `key/rsa-2048/${name}`);

/** As test/support/random-seed.ts has it. */
const seed = process.env.FC_SEED ?? '20260102';

const roles = { main, worker };
await roles[process.env.STRESS_ROLE ?? 'main'](...process.argv.slice(2));

async function main(kits = '400', processes = '100') {
  const folder = mkdtempSync(join(tmpdir(), 'sno-install-key-pool-stress-'));
  await bundlePool(join(folder, 'pool.mjs'));
  await fill(folder, Number(kits));
  const kept = await phase(folder, { kits, processes, name: 'kept' });
  const erased = await phase(folder, { kits, processes, name: 'erased' });
  const report = { seed, ...(await judged(folder)), killed: kept + erased };
  const ok =
    // Where nothing was given, nothing was tried.
    report.given > 0 &&
    report.twice === 0 &&
    report.changed === 0 &&
    report.plain === 0 &&
    report.kits === Number(kits) &&
    report.refused === 0;
  rmSync(folder, { recursive: true });
  console.log(JSON.stringify({ ok, ...report }, null, 2));
  process.exitCode = ok ? 0 : 1;
}

/** The pool as it is in the sources, as one module. */
async function bundlePool(file) {
  const { build } = await import('rolldown');
  const paths = [
    'disk/keypool/free-kits',
    'disk/keypool/key-kit',
    'disk/keypool/pool-contents',
    'disk/keypool/pool-folder',
    'effects/keys/pooled-chance',
    'formats/age',
  ].map((path) => resolve(dirname(script), `../src/${path}.ts`));
  const all = {
    name: 'all',
    resolveId: (id) => (id === '\0all' ? id : null),
    load: (id) => (id === '\0all' ? [...paths, 'age-encryption'].map(exported).join('\n') : null),
  };
  const output = { file, format: 'esm', codeSplitting: false };
  await build({ input: '\0all', platform: 'node', plugins: [all], output, logLevel: 'silent' });
}

function exported(path) {
  return path === 'age-encryption'
    ? `export { generateIdentity, identityToRecipient } from '${path}';`
    : `export * from ${JSON.stringify(path)};`;
}

async function poolOf(folder) {
  return import(pathToFileURL(join(folder, 'pool.mjs')).href);
}

async function fill(folder, kits) {
  const pool = await poolOf(folder);
  const identity = await pool.generateIdentity();
  await appendFile(join(folder, 'identity'), identity, { mode: 0o600 });
  const recipients = [await pool.identityToRecipient(identity)];
  const begun = pool.beginPool(join(folder, 'keys')).value;
  for (let index = 0; index < kits; index += 1) {
    const kit = { pool: begun.id, id: pool.newId(), isApproved: false, keys: keysOfKit() };
    const sealed = await pool.encryptAge(pool.kitText(kit), { recipients });
    pool.putKit(begun, { labels, isApproved: false }, { id: kit.id, sealed });
  }
}

/** Keys that no other kit has. */
function keysOfKit() {
  return Object.fromEntries(labels.map((label) => [label, randomRsaPem()]));
}

/** Keeps processes at it until there were so many; how many of them were killed. */
async function phase(folder, { kits, processes, name }) {
  let begun = 0;
  let killed = 0;
  const keep = async () => {
    while (begun < Number(processes)) {
      begun += 1;
      const signal = await ended(start(folder, kits, name, begun));
      if (signal === 'SIGKILL') killed += 1;
    }
  };
  await Promise.all(Array.from({ length: atATime }, keep));
  return killed;
}

async function worker(folder, kits, name, process) {
  const pool = await poolOf(folder);
  const identities = [readFileSync(join(folder, 'identity'), 'utf8')];
  const opened = pool.openPool(join(folder, 'keys'));
  const hand = await pool.keyPool(opened.value, { identities, passphrases: [] });
  for (let turns = 0; turns < 8; turns += 1) {
    // A quarter of the kits is for sites at which several processes are; the rest is taken when these were erased.
    const site = `site-${drawn(Math.ceil(Number(kits) / 4), 'site', name, process, turns)}`;
    const chance = { rsaKey: () => Promise.resolve('none') };
    const pooled = pool.pooledChance(hand, site, { chance, isApproved: false });
    const asked = drawn(2, 'order', name, process, turns) === 0 ? ['a', 'b', 'c'] : ['c', 'a', 'b'];
    await Promise.all(asked.map((label) => use(folder, { name, site, label, pooled })));
    if (name === 'erased') pooled.erase();
  }
}

async function use(folder, { name, site, label, pooled }) {
  const pem = await pooled.source.rsaKey(label, 2048);
  if (pem === 'none') return;
  const line = `${JSON.stringify([name, site, label, pem.slice(100, 160)])}\n`;
  // Not by a call at which processes are killed: what was given is told.
  await appendFile(join(folder, 'used'), line);
}

/** What the rules say of all that was given. */
async function judged(folder) {
  const pool = await poolOf(folder);
  const lines = existsSync(join(folder, 'used'))
    ? readFileSync(join(folder, 'used'), 'utf8').split('\n')
    : [];
  const uses = lines.filter((line) => line !== '').map((line) => JSON.parse(line));
  const holders = new Map();
  const keys = new Map();
  for (const [name, site, label, key] of uses) {
    add(holders, key, `${site} ${label}`);
    if (name === 'kept') add(keys, `${site} ${label}`, key);
  }
  const several = (sets) => [...sets.values()].filter((set) => set.size > 1).length;
  const { free, given, refused } = pool.contentsOf(pool.openPool(join(folder, 'keys')).value);
  const unknown = takenWithoutNote(join(folder, 'keys'));
  const freeKits = free.reduce((sum, { ids }) => sum + ids.length, 0);
  return {
    given: uses.length,
    sites: new Set(uses.map(([, site]) => site)).size,
    keys: holders.size,
    /** Keys that two sites or labels had. */
    twice: several(holders),
    /** Sites that had two keys under one label although nothing was erased. */
    changed: several(keys),
    /** All that were filled: nobody's, given, or taken by a process that was killed before it opened them. */
    kits: freeKits + given + unknown,
    free: freeKits,
    refused,
    plain: filesBelow(join(folder, 'keys')).filter((path) => readFileSync(path, 'utf8').includes('PRIVATE'))
      .length,
  };
}

function takenWithoutNote(path) {
  const kits = filesBelow(join(path, 'taken')).map((file) => file.replace(/^.*\/|\.age$/g, ''));
  return kits.filter((id) => !existsSync(join(path, 'given', id))).length;
}

function filesBelow(folder) {
  const entries = existsSync(folder) ? readdirSync(folder, { recursive: true, withFileTypes: true }) : [];
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

function add(sets, key, value) {
  sets.set(key, (sets.get(key) ?? new Set()).add(value));
}

/** A number below a limit, of the seed and of what it is for. */
function drawn(limit, ...purpose) {
  const hash = createHash('sha256')
    .update([seed, ...purpose].join(' '))
    .digest();
  return hash.readUInt32BE() % limit;
}

function start(folder, kits, name, index) {
  const KILL_AT = String(1 + drawn(99, 'kill', name, index));
  const env = { ...process.env, STRESS_ROLE: 'worker', KILL_AT };
  const args = ['--import', killer, script, folder, kits, name, String(index)];
  return spawn(process.execPath, args, { stdio: 'inherit', env });
}

/** The signal that ended a process; throws where it failed. */
function ended(child) {
  return new Promise((done, refuse) => {
    child.once('error', refuse);
    child.once('exit', (code, signal) =>
      signal === null && code !== 0 ? refuse(new Error(`a process ended with ${code}`)) : done(signal),
    );
  });
}
