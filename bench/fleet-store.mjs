import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync } from 'node:fs';
import { basename, join } from 'node:path';

import { bytesBelow, create, emptied, fleetOf } from './fleet-sites.mjs';
import { cli, counted, median, sample, scratch } from './measuring.mjs';
import { failureOf, freePort, stopped, untilOpen } from './programs.mjs';

const kind = { keyAlgorithm: 'ECDSA-P256', isEncrypted: true, encryptsOutputs: true };
const sites = 200;
const rounds = 3;

/** Writing sites to a store and collecting them from it; the store is versitygw, an S3 server, on this machine. */
export async function storeOfFleets() {
  const store = await startedStore();
  const rows = [
    ...foldersFor(await fleetOf(sites, kind)),
    ...storeFor(await fleetOf(sites, kind), store, 'a store'),
    ...shardOf(await fleetOf(100, kind), store),
    ...shardOf(await fleetOf(10_000, kind), store),
  ];
  await store.stop();
  return rows;
}

function foldersFor(fleet) {
  const turns = sample(rounds, () => counted(create(emptied(fleet), '--jobs', '2')));
  return [ofSites('into folders', turns)];
}

/** Time to write sites to a store, to run again with all of them present, to collect them, and to collect them again. */
function storeFor(fleet, { bucket, env }, name) {
  const turns = sample(rounds, () => {
    const { prefix, inStore } = placeIn(bucket);
    const run = (args) => counted([...args, ...inStore], env);
    const collect = [cli, 'fleet', 'collect', '--dir', emptied(fleet).dir];
    const [made, again] = [run(create(fleet, '--jobs', '2')), run(create(fleet, '--jobs', '2'))];
    const turn = { made, again, collected: run(collect), collectedAgain: run(collect) };
    return { ...turn, megabytes: bytesBelow(prefix) / 1e6 };
  });
  const { megabytes } = turns[0];
  const row = (what, step, bytes) =>
    ofSites(
      what,
      turns.map((turn) => turn[step]),
      bytes,
    );
  return [
    row(`into ${name}`, 'made', megabytes),
    row(`into ${name}, all of them already there`, 'again'),
    row(`collected from ${name}`, 'collected', megabytes),
    row(`collected again from ${name}`, 'collectedAgain'),
  ];
}

function ofSites(what, turns, megabytes) {
  const ms = median(turns.map((turn) => turn.ms));
  const bytes = megabytes === undefined ? '' : `, ${((megabytes / ms) * 1000).toFixed(1)} MB/s`;
  return [
    `${sites} sites ${what}: time per site`,
    ms / sites,
    `${((sites / ms) * 1000).toFixed(0)} per second${bytes}`,
  ];
}

/** A shard of one site: the overhead of a pod apart from generating sites. */
function shardOf(fleet, { bucket, env }) {
  const args = [...placeIn(bucket).inStore, '--shard', `0/${fleet.sites}`];
  // The first run generates the site.
  const [, ...turns] = sample(rounds + 1, () => counted(create(fleet, '--jobs', '1', ...args), env));
  const told = `${Math.max(...turns.map((turn) => turn.peakMegabytes)).toFixed(0)} MB`;
  return [
    [`a shard of a table of ${fleet.sites} sites, none to generate`, median(turns.map(({ ms }) => ms)), told],
  ];
}

/** An unused prefix: its folder, and the command-line arguments for it. */
function placeIn(bucket) {
  const prefix = mkdtempSync(join(bucket, 'sites-'));
  return { prefix, inStore: ['--store', `s3://${basename(bucket)}/${basename(prefix)}`] };
}

async function startedStore() {
  const root = mkdtempSync(join(scratch, 'store-'));
  const bucket = join(root, 'sites');
  mkdirSync(bucket);
  const port = await freePort();
  const keys = { access: 'bench-access', secret: 'bench-secret-of-the-store' };
  const at = ['--access', keys.access, '--secret', keys.secret, '--port', `127.0.0.1:${port}`];
  const child = spawn('versitygw', [...at, '--quiet', 'posix', root], { stdio: 'ignore' });
  await Promise.race([untilOpen(port), failureOf(child, 'versitygw')]);
  return {
    bucket,
    env: {
      AWS_ACCESS_KEY_ID: keys.access,
      AWS_SECRET_ACCESS_KEY: keys.secret,
      AWS_ENDPOINT_URL: `http://127.0.0.1:${port}`,
    },
    stop: () => stopped(child),
  };
}
