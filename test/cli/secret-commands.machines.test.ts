import { beforeAll, describe, expect, test } from 'vitest';

import { leaksOfCommands, secretCorpus, spread, type SecretCorpus } from '../support/secret-run.js';

let corpus: SecretCorpus;
beforeAll(async () => {
  corpus = await secretCorpus();
});

/** Inputs of each group, and how many runs of commands they make at least. */
const groups = [
  { group: 'a config', inputs: 320, runs: 16_000 },
  { group: 'a state file', inputs: 40, runs: 880 },
  { group: 'a state file that is named', inputs: 120, runs: 480 },
  { group: 'the plan of a run that died', inputs: 70, runs: 700 },
  { group: 'a kubeconfig', inputs: 280, runs: 1600 },
  { group: 'the config of the master', inputs: 112, runs: 112 },
  { group: 'a manifest of the live system', inputs: 70, runs: 490 },
  { group: 'an edited manifest', inputs: 30, runs: 420 },
  { group: 'a bundle', inputs: 116, runs: 460 },
  { group: 'the command line', inputs: 14, runs: 500 },
];

describe('no command prints a secret, at debug level, as text or JSON, that stands in', () => {
  test.each(groups)(
    '$group',
    async ({ group, inputs: count, runs: least }) => {
      const inputs = spread(corpus.groups[group] ?? [], count);
      const { runs, leaks } = await leaksOfCommands(inputs, corpus.state);
      console.log(`${group}: ${inputs.length} inputs, ${runs} runs of commands, ${leaks.length} leaks`);

      expect(leaks).toEqual([]);
      expect(runs).toBeGreaterThanOrEqual(least);
    },
    1_800_000,
  );
});
