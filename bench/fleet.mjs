import { join } from 'node:path';

import { bytesBelow, create, emptied, firstSites, fleetOf, poolFilled } from './fleet-sites.mjs';
import { unavoidableMs, unavoidableMsOfTwo, workOfSite } from './fleet-work.mjs';
import { counted, median } from './measuring.mjs';

const ecdsa = { name: 'ECDSA-P256', keyAlgorithm: 'ECDSA-P256' };
const rsa = { name: 'RSA-2048', keyAlgorithm: 'RSA-2048' };
const encrypted = { isEncrypted: true };

/** CPU of a site, by kinds of keys. */
export async function cpuOfFleets() {
  return [
    ...(await cpuOfSites({ ...ecdsa, sites: 200 })),
    ...(await cpuOfSites({ ...ecdsa, ...encrypted, name: 'ECDSA-P256, encrypted', sites: 200 })),
    ...(await cpuOfSites({ ...rsa, sites: 56 })),
    ...(await cpuOfSites({
      ...rsa,
      ...encrypted,
      hasPool: true,
      name: 'RSA-2048 from a pool, encrypted',
      sites: 100,
    })),
  ];
}

/** One worker, and two. */
export async function workersOfFleets() {
  return [...(await workersFor({ ...ecdsa, sites: 240 })), ...(await workersFor({ ...rsa, sites: 24 }))];
}

/** Memory by sites; with --large also that of 10,000, which take half an hour and 5 GB. */
export async function memoryOfFleets(words) {
  const sizes = words.includes('--large') ? [100, 1000, 10_000] : [100, 1000];
  const rows = [];
  for (const sites of sizes) rows.push(await memoryFor({ ...ecdsa, ...encrypted, sites }));
  return rows;
}

/** CPU of all threads beside that of what cannot be avoided, in turns: load plays little part. */
async function cpuOfSites(kind) {
  const work = await workOfSite(kind);
  const rounds = [];
  for (let round = 0; round < 3; round += 1) {
    const fleet = await fleetOf(kind.sites, kind);
    if (kind.hasPool) poolFilled(fleet);
    rounds.push({ unavoidable: unavoidableMs(work, kind.sites), made: cpuOfOneMore(fleet) });
    emptied(fleet);
  }
  const unavoidable = median(rounds.map((round) => round.unavoidable));
  const made = median(rounds.map((round) => round.made));
  const figure = `${(made / unavoidable).toFixed(2)} × the unavoidable`;
  return [
    [`CPU of what a site cannot be made without, ${kind.name}`, unavoidable],
    [`CPU of one more site, ${kind.name}`, made, figure, '≤ 1.25 × the unavoidable'],
  ];
}

/** Some sites first, then all others: what the start of the program takes is in both. */
function cpuOfOneMore(fleet) {
  const first = counted(create(fleet, '--only', 'first-*'));
  const others = counted(create(fleet));
  return (others.cpuMs - first.cpuMs) / (fleet.sites - 2 * firstSites);
}

/** One worker and two in turns, the best of each: whatever else the machine does can only make them slower. */
async function workersFor(kind) {
  const fleet = await fleetOf(kind.sites, kind);
  const rounds = Array.from({ length: 3 }, () =>
    ['1', '2'].map((jobs) => counted(create(emptied(fleet), '--jobs', jobs))),
  );
  emptied(fleet);
  const work = await workOfSite(kind);
  const floors = [];
  for (let round = 0; round < 3; round += 1)
    floors.push([unavoidableMs(work, kind.sites), await unavoidableMsOfTwo(work, kind.sites)]);
  const [alone, beside] = [0, 1].map((index) => Math.min(...floors.map((floor) => floor[index])));
  const [one, two] = [0, 1].map((index) => best(rounds.map((round) => round[index])));
  const figure = `${(one.ms / two.ms).toFixed(2)} × the rate of one; ${rateOf(kind, two)}`;
  return [
    [`CPU of what a site cannot be made without, ${kind.name}, in one process`, alone],
    [
      `the same, in two processes at once, ${kind.name}`,
      beside,
      `at most ${((2 * alone) / beside).toFixed(2)} × the rate of one`,
    ],
    [`time a site, one worker, ${kind.name}`, one.ms / kind.sites, rateOf(kind, one)],
    [`time a site, two workers, ${kind.name}`, two.ms / kind.sites, figure, '≥ 1.9 × the rate of one'],
  ];
}

function best(runs) {
  return runs.toSorted((one, other) => one.ms - other.ms)[0];
}

function rateOf({ sites }, { ms, cpuMs }) {
  return `${((sites / ms) * 1000).toFixed(1)} a second on ${(cpuMs / ms).toFixed(2)} cores`;
}

/** Peak resident memory of two workers. */
async function memoryFor(kind) {
  const fleet = await fleetOf(kind.sites, kind);
  const run = counted(create(fleet, '--jobs', '2'));
  const gigabytes = bytesBelow(join(fleet.dir, 'out')) / 1e9;
  emptied(fleet);
  const told = `${(run.ms / 60_000).toFixed(1)} min, ${rateOf(kind, run)}, ${gigabytes.toFixed(2)} GB`;
  return [
    `peak memory, two workers, ${kind.sites} sites (${told})`,
    undefined,
    `${run.peakMegabytes.toFixed(0)} MB`,
    '≤ 350 MB',
  ];
}
