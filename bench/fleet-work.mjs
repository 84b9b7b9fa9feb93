import { execFile } from 'node:child_process';
import { generatePrimeSync } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { create, fleetOf, poolFilled, stateOf } from './fleet-sites.mjs';
import { printedBy, scratch } from './measuring.mjs';

/** A pairwise test of a new RSA key signs so many bytes; it is part of drawing the key. */
const bytesOfPairTest = 32;

/**
 * What one site of a fleet cannot be made without, as it was asked for while one was made: what fleet-unavoidable.mjs does. What is
 * asked twice counts once.
 */
export async function workOfSite(kind, primes) {
  const fleet = await fleetOf(1, kind);
  if (kind.hasPool) poolFilled(fleet, primes);
  const asked = askedIn(fleet);
  const text = stateOf(fleet, 'first-0');
  const { draws } = JSON.parse(text);
  const keys = Object.entries(draws).filter(([label]) => label.startsWith('key/'));
  const isPooled = ([label]) => kind.hasPool && label.startsWith('key/rsa-');
  const read = keys.filter(isPooled).map(([, pem]) => pem);
  const { recipient, identity } = fleet;
  return {
    drawn: countedBy(keys.filter((key) => !isPooled(key)).map(([label]) => label.split('/')[1])),
    read,
    signatures: asked.filter(({ does, bytes }) => does === 'sign' && bytes !== bytesOfPairTest),
    packed: asked.filter(({ does }) => does !== 'sign'),
    hashes: Object.keys(draws).filter((label) => label.startsWith('bcrypt/')).length,
    ...(recipient && { sealed: { bytes: text.length, recipient } }),
    ...(kind.hasPool && { kit: { bytes: read.join('').length, recipient, identity } }),
  };
}

/** CPU (ms) a site of such work, done so many times. With primes that are kept (`keptPrimes`), without drawing them. */
export function unavoidableMs(work, sites, primes) {
  const args = ['bench/fleet-unavoidable.mjs', orderOf(work, sites)];
  return Number(printedBy([...(primes?.args ?? []), ...args], { env: primes?.env }));
}

/** The same of two processes that do it at once (the mean of both). */
export async function unavoidableMsOfTwo(work, sites) {
  const file = orderOf(work, sites);
  const run = promisify(execFile);
  const both = await Promise.all(
    [1, 2].map(() => run(process.execPath, ['bench/fleet-unavoidable.mjs', file])),
  );
  return both.reduce((sum, { stdout }) => sum + Number(stdout), 0) / both.length;
}

/** Arguments and variables for a Node that is given primes of 1024 bits where it would draw them. */
export function keptPrimes() {
  const file = join(scratch, 'primes');
  const primes = Array.from({ length: 64 }, () => generatePrimeSync(1024, { bigint: true }).toString(16));
  writeFileSync(file, primes.join('\n'), { mode: 0o600 });
  return { args: ['--import', './bench/fixed-primes.mjs'], env: { FIXED_PRIMES: file } };
}

/** CPU (ms) that the primes of an RSA-2048 key take: a key as it is drawn, without what is left of it when they are given. */
export function primesMs(primes, keys) {
  const one = { drawn: { 'rsa-2048': 1 }, read: [], signatures: [], packed: [], hashes: 0 };
  return unavoidableMs(one, keys) - unavoidableMs(one, keys, primes);
}

function orderOf(work, sites) {
  const file = join(scratch, 'work.json');
  writeFileSync(file, JSON.stringify({ ...work, sites }), { mode: 0o600 });
  return file;
}

function askedIn(fleet) {
  const file = join(scratch, 'recorded-work');
  if (existsSync(file)) writeFileSync(file, '');
  const args = ['--import', './bench/fleet-recorder.mjs', ...create(fleet, '--jobs', '1')];
  printedBy(args, { env: { RECORDED_WORK: file } });
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  const asked = lines.map((line) => JSON.parse(line));
  return [...new Map(asked.map((each) => [each.of, each])).values()];
}

function countedBy(names) {
  return Object.fromEntries(
    [...new Set(names)].map((name) => [name, names.filter((each) => each === name).length]),
  );
}
