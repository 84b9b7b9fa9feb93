import fc from 'fast-check';

/**
 * One seed for all property tests, so that a run can be repeated and failures are not random. To test more cases: FC_SEED sets
 * another seed, FC_RUNS the number of runs per property. A property that fails prints the seed.
 */
const runs = process.env['FC_RUNS'];
fc.configureGlobal({
  seed: Number(process.env['FC_SEED'] ?? '20260102'),
  ...(runs !== undefined && { numRuns: Number(runs) }),
});
