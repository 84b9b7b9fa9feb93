// Loaded before what is measured, in each of its threads: gives primes of the file FIXED_PRIMES (hexadecimal, a line each, of 1024 bits) in
// turn where one is to be drawn. How long it takes to find a prime is chance, and more of it than all that is to be compared.
import crypto from 'node:crypto';
import { readFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const primes = readFileSync(process.env.FIXED_PRIMES, 'utf8').trim().split('\n');
let given = 0;

function next(bits) {
  if (bits !== 1024) throw new Error(`no prime of ${bits} bits is kept`);
  given += 1;
  return BigInt(`0x${primes[given % primes.length]}`);
}

crypto.generatePrimeSync = (bits) => next(bits);
crypto.generatePrime = (bits, options, done) => process.nextTick(() => done(undefined, next(bits)));
syncBuiltinESMExports();
