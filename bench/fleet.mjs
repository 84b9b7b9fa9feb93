import { join } from 'node:path';

import { bytesBelow, create, emptied, firstSites, fleetOf, poolFilled } from './fleet-sites.mjs';
import { keptPrimes, primesMs, unavoidableMs, unavoidableMsOfTwo, workOfSite } from './fleet-work.mjs';
import { counted, median } from './measuring.mjs';

const ecdsa = { name: 'ECDSA-P256', keyAlgorithm: 'ECDSA-P256' };
const rsa = { name: 'RSA-2048', keyAlgorithm: 'RSA-2048' };
const encrypted = { isEncrypted: true };

/** CPU of a site, by kinds of keys. How long primes are looked for is chance: that is measured by itself, of many, and added to both. */
export async function cpuOfFleets() {
  const kept = keptPrimes();
  const primes = { kept, ms: primesMs(kept, 400) };
  return [
    ['CPU of the primes of an RSA-2048 key', primes.ms],
    ...(await cpuOfSites({ ...ecdsa, sites: 200 }, primes)),
    ...(await cpuOfSites({ ...ecdsa, ...encrypted, name: 'ECDSA-P256, encrypted', sites: 200 }, primes)),
    ...(await cpuOfSites({ ...rsa, sites: 120 }, primes)),
    ...(await cpuOfSites(
      { ...rsa, ...encrypted, hasPool: true, name: 'RSA-2048 from a pool, encrypted', sites: 100 },
      primes,
    )),
  ];
}

/** One worker, and two. */
export async function workersOfFleets() {
  return [
    ...(await workersFor({ ...ecdsa, sites: 300, floorSites: 150 })),
    ...(await workersFor({ ...rsa, sites: 72, floorSites: 16 })),
  ];
}

/** Memory by sites; with --large also that of 10,000, which take half an hour and 5 GB. */
export async function memoryOfFleets(words) {
  const sizes = words.includes('--large') ? [100, 1000, 10_000] : [100, 1000];
  const rows = [];
  for (const sites of sizes) rows.push(await memoryFor({ ...ecdsa, ...encrypted, sites }));
  return rows;
}

/**
 * CPU of all threads beside that of what cannot be avoided, in turns: load plays little part. What a round made stays until the bench
 * ends: for a minute ext4 gives nobody the place of a file that is gone, and looks at each of thousands for every new one.
 * Source: linux/fs/ext4/ialloc.c, recently_deleted
 */
async function cpuOfSites(kind, { kept, ms }) {
  const work = await workOfSite(kind, kept);
  const drawing = (work.drawn['rsa-2048'] ?? 0) * ms;
  const rounds = [];
  for (let round = 0; round < 3; round += 1) {
    const fleet = await fleetOf(kind.sites, kind);
    if (kind.hasPool) poolFilled(fleet, kept);
    rounds.push({ unavoidable: unavoidableMs(work, kind.sites, kept), made: cpuOfOneMore(fleet, kept) });
  }
  const unavoidable = drawing + median(rounds.map((round) => round.unavoidable));
  const made = drawing + median(rounds.map((round) => round.made));
  const figure = `${(made / unavoidable).toFixed(2)} × the unavoidable`;
  return [
    [`CPU of what a site cannot be made without, ${kind.name}`, unavoidable],
    [`CPU of one more site, ${kind.name}`, made, figure, '≤ 1.25 × the unavoidable'],
  ];
}

/** Of one worker, as one process does the unavoidable. */
function cpuOfOneMore(fleet, { args, env }) {
  const run = (...more) => counted([...args, ...create(fleet, '--jobs', '1', ...more)], env);
  const [first, others] = [run('--only', 'first-*'), run()];
  return (others.cpuMs - first.cpuMs) / sitesBeyondTheFirst(fleet);
}

/** Some sites are made first, then all others: the difference is free of what the program and its threads take to start. */
function sitesBeyondTheFirst({ sites }) {
  return sites - 2 * firstSites;
}

/** One worker and two in turns, the best of each: whatever else the machine does can only make them slower. */
async function workersFor(kind) {
  const rounds = [];
  for (let round = 0; round < 3; round += 1) {
    const fleets = [await fleetOf(kind.sites, kind), await fleetOf(kind.sites, kind)];
    rounds.push(fleets.map((fleet, index) => firstAndOthers(fleet, String(index + 1))));
  }
  const work = await workOfSite(kind);
  const floors = [];
  for (let round = 0; round < 3; round += 1) {
    floors.push([unavoidableMs(work, kind.floorSites), await unavoidableMsOfTwo(work, kind.floorSites)]);
  }
  const [alone, beside] = [0, 1].map((index) => Math.min(...floors.map((floor) => floor[index])));
  const [one, two] = [0, 1].map((index) =>
    oneMoreOf(
      rounds.map((round) => round[index]),
      kind,
    ),
  );
  const figure = `${(one.ms / two.ms).toFixed(2)} × the rate of one; ${rateOf(two)}`;
  return [
    [`CPU of what a site cannot be made without, ${kind.name}, in one process`, alone],
    [
      `the same, in two processes at once, ${kind.name}`,
      beside,
      `at most ${((2 * alone) / beside).toFixed(2)} × the rate of one`,
    ],
    [`time of one more site, one worker, ${kind.name}`, one.ms, rateOf(one)],
    [`time of one more site, two workers, ${kind.name}`, two.ms, figure, '≥ 1.9 × the rate of one'],
  ];
}

function firstAndOthers(fleet, jobs) {
  return [
    counted(create(fleet, '--jobs', jobs, '--only', 'first-*')),
    counted(create(fleet, '--jobs', jobs)),
  ];
}

function oneMoreOf(rounds, kind) {
  const [first, others] = [0, 1].map((index) => best(rounds.map((round) => round[index])));
  const of = (what) => (others[what] - first[what]) / sitesBeyondTheFirst(kind);
  return { ms: of('ms'), cpuMs: of('cpuMs') };
}

function best(runs) {
  return runs.toSorted((one, other) => one.ms - other.ms)[0];
}

/** Of what one site takes. */
function rateOf({ ms, cpuMs }) {
  return `${(1000 / ms).toFixed(1)} a second on ${(cpuMs / ms).toFixed(2)} cores`;
}

/** Peak resident memory of two workers. */
async function memoryFor(kind) {
  const fleet = await fleetOf(kind.sites, kind);
  const run = counted(create(fleet, '--jobs', '2'));
  const gigabytes = bytesBelow(join(fleet.dir, 'out')) / 1e9;
  emptied(fleet);
  const rate = rateOf({ ms: run.ms / kind.sites, cpuMs: run.cpuMs / kind.sites });
  const told = `${(run.ms / 60_000).toFixed(1)} min, ${rate}, ${gigabytes.toFixed(2)} GB`;
  return [
    `peak memory, two workers, ${kind.sites} sites (${told})`,
    undefined,
    `${run.peakMegabytes.toFixed(0)} MB`,
    '≤ 350 MB',
  ];
}
