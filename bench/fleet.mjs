import { join } from 'node:path';

import { bytesBelow, create, emptied, firstSites, fleetOf } from './fleet-sites.mjs';
import { counted } from './measuring.mjs';

const ecdsa = { name: 'ECDSA-P256', keyAlgorithm: 'ECDSA-P256' };
const rsa = { name: 'RSA-2048', keyAlgorithm: 'RSA-2048' };
const encrypted = { isEncrypted: true };

/** Rates of one and of two workers. */
export async function workersOfFleets() {
  return [...(await workersFor({ ...ecdsa, sites: 300 })), ...(await workersFor({ ...rsa, sites: 72 }))];
}

/** Memory by number of sites; --large adds 10,000 sites, which take half an hour and 5 GB. */
export async function memoryOfFleets(words) {
  const sizes = words.includes('--large') ? [100, 1000, 10_000] : [100, 1000];
  const rows = [];
  for (const sites of sizes) rows.push(await memoryFor({ ...ecdsa, ...encrypted, sites }));
  return rows;
}

/** The first sites are generated in a separate run; the difference between both runs excludes startup time. */
function sitesBeyondTheFirst({ sites }) {
  return sites - 2 * firstSites;
}

/** Alternates one and two workers and uses the best run of each, since other load can only slow them down. */
async function workersFor(kind) {
  const rounds = [];
  for (let round = 0; round < 3; round += 1) {
    const fleets = [await fleetOf(kind.sites, kind), await fleetOf(kind.sites, kind)];
    rounds.push(fleets.map((fleet, index) => firstAndOthers(fleet, String(index + 1))));
  }
  const [one, two] = [0, 1].map((index) =>
    oneMoreOf(
      rounds.map((round) => round[index]),
      kind,
    ),
  );
  const figure = `${(one.ms / two.ms).toFixed(2)} × the rate of one; ${rateOf(two)}`;
  return [
    [`time per additional site, one worker, ${kind.name}`, one.ms, rateOf(one)],
    [`time per additional site, two workers, ${kind.name}`, two.ms, figure, '≥ 1.9 × the rate of one'],
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

/** Sites per second and cores used, from the time of one site. */
function rateOf({ ms, cpuMs }) {
  return `${(1000 / ms).toFixed(1)} per second on ${(cpuMs / ms).toFixed(2)} cores`;
}

/** Peak resident memory with two workers. */
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
