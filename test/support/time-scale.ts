import { createHash } from 'node:crypto';

/** Time of `measuredMs` on two quiet cores of an AMD EPYC server, where the limits of the tests were chosen. */
const referenceMs = 120;

/** A longer limit would only delay the report of a test that hangs. */
const maxScale = 10;

/** Hashing 96 MiB with SHA-512, for which processors have no instruction of their own. */
function measuredMs(): number {
  const block = Buffer.alloc(1024 * 1024, 7);
  const hash = createHash('sha512');
  const start = performance.now();
  for (let mebibyte = 0; mebibyte < 96; mebibyte += 1) hash.update(block);
  hash.digest();
  return performance.now() - start;
}

/** The processes of the tests inherit it from the one that reads the config of vitest: it is measured once per run. */
const variable = 'SNO_TEST_TIME_SCALE';
process.env[variable] ??= Math.min(Math.max(measuredMs() / referenceMs, 1), maxScale).toFixed(2);

/** How many times slower this machine is than the reference, measured when the run starts: 1 to 10. */
export const timeScale = Number(process.env[variable]);

/** A time limit of a test, such as a timeout, longer on a slower machine. Never use it for a time that the product measures. */
export function scaledMs(ms: number): number {
  return Math.round(ms * timeScale);
}
