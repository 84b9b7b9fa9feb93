import fc from 'fast-check';

/**
 * One seed for all property tests, so that a run can be repeated and a change is not blamed for chance. To look further:
 * FC_SEED for another seed, FC_RUNS for more runs a property. A property that fails prints the seed.
 */
const runs = process.env['FC_RUNS'];
fc.configureGlobal({
  seed: Number(process.env['FC_SEED'] ?? '20260102'),
  ...(runs !== undefined && { numRuns: Number(runs) }),
});
