import { createHash } from 'node:crypto';

/** Result of `measuredMs` on two idle cores of an AMD EPYC server. The test timeouts were chosen there. */
const referenceMs = 120;

/** A longer timeout would only delay the report of a hanging test. */
const maxScale = 10;

/** Hashes 96 MiB with SHA-512, which has no instruction on most processors. */
function measuredMs(): number {
  const block = Buffer.alloc(1024 * 1024, 7);
  const hash = createHash('sha512');
  const start = performance.now();
  for (let mebibyte = 0; mebibyte < 96; mebibyte += 1) hash.update(block);
  hash.digest();
  return performance.now() - start;
}

/** Set by the process that reads the vitest config and inherited by the test processes: the scale is measured once per run. */
const variable = 'SNO_TEST_TIME_SCALE';
process.env[variable] ??= Math.min(Math.max(measuredMs() / referenceMs, 1), maxScale).toFixed(2);

/** Slowdown of this machine relative to the reference, measured at the start of the run: 1 to 10. */
export const timeScale = Number(process.env[variable]);

/** A test timeout, scaled for slower machines. Never use it for a time that the product measures. */
export function scaledMs(ms: number): number {
  return Math.round(ms * timeScale);
}
