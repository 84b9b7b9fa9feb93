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
  return [...(await workersFor({ ...ecdsa, sites: 240 })), ...(await workersFor({ ...rsa, sites: 64 }))];
}

/** Sites of which what cannot be avoided is done, where nothing else is. */
const sitesOfFloor = 24;

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
    rounds.push({ unavoidable: unavoidableMs(work, kind.sites), made: ofOneMore(fleet).cpuMs });
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

/** Time and CPU of one more site. Some sites first, then all others: what the start of the program and its threads takes is in both. */
function ofOneMore(fleet, ...options) {
  const first = counted(create(fleet, '--only', 'first-*', ...options));
  const others = counted(create(fleet, ...options));
  const sites = fleet.sites - 2 * firstSites;
  return { ms: (others.ms - first.ms) / sites, cpuMs: (others.cpuMs - first.cpuMs) / sites };
}

/** One worker and two in turns, the best of each: whatever else the machine does can only make them slower. */
async function workersFor(kind) {
  const fleet = await fleetOf(kind.sites, kind);
  const rounds = Array.from({ length: 3 }, () =>
    ['1', '2'].map((jobs) => ofOneMore(emptied(fleet), '--jobs', jobs)),
  );
  emptied(fleet);
  const work = await workOfSite(kind);
  const floors = [];
  for (let round = 0; round < 3; round += 1)
    floors.push([unavoidableMs(work, sitesOfFloor), await unavoidableMsOfTwo(work, sitesOfFloor)]);
  const [alone, beside] = [0, 1].map((index) => Math.min(...floors.map((floor) => floor[index])));
  const [one, two] = [0, 1].map((index) => best(rounds.map((round) => round[index])));
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

function best(runs) {
  return runs.toSorted((one, other) => one.ms - other.ms)[0];
}

/** What a site takes, as a rate. */
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
