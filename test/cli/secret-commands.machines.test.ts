import { beforeAll, describe, expect, it, test } from 'vitest';

import { leaksOfCommands, secretCorpus, type SecretCorpus } from '../support/secret-run.js';

let corpus: SecretCorpus;
beforeAll(async () => {
  corpus = await secretCorpus();
});

/** All but configs, which are for secret-configs.machines.test.ts. */
const groups = [
  'a state file',
  'a state file that is named',
  'the plan of a run that died',
  'a kubeconfig',
  'the config of the master',
  'a manifest of the live system',
  'an edited manifest',
  'a bundle',
  'a fleet',
  'the command line',
];

describe('no command prints a secret, at debug level, as text or JSON, that stands in', () => {
  test.each(groups)(
    '%s',
    async (group) => {
      const inputs = corpus.groups[group] ?? [];
      expect(inputs.length).toBeGreaterThan(0);

      expect(await leaksOfCommands(inputs, corpus.state)).toEqual([]);
    },
    1_800_000,
  );

  it('anything else: every group is run', () => {
    expect(Object.keys(corpus.groups)).toEqual(['a config', ...groups]);
  });
});
