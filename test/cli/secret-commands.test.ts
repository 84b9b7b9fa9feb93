import { beforeAll, describe, expect, it, test } from 'vitest';

import { forms } from '../support/secret-corpus.js';
import { leaksOfCommands, secretCorpus, type SecretCorpus } from '../support/secret-run.js';
import { spread } from '../support/spread.js';

let corpus: SecretCorpus;
beforeAll(async () => {
  corpus = await secretCorpus();
});

/** Number of inputs per group; secret-commands.long.test.ts and secret-configs.long.test.ts run all. */
const counts: Readonly<Record<string, number>> = {
  'a config': 1,
  'a state file': 2,
  'a state file that is named': 3,
  'the plan of a run that died': 3,
  'a kubeconfig': 4,
  'the config of the master': 8,
  'a manifest of the live system': 2,
  'an edited manifest': 1,
  'a receipt': 12,
  'a file of tokens': 5,
  'a bundle': 8,
  'a fleet': 3,
  'a fleet that is made': 1,
  'the boot of a fleet': 6,
  'an import': 6,
  'the command line': 1,
};

describe('prints no secret in any command, at debug level, as text or JSON, from', () => {
  test.each(Object.entries(counts))('%s', async (group, count) => {
    const inputs = spread(corpus.groups[group] ?? [], count);
    expect(inputs).toHaveLength(count);

    expect(await leaksOfCommands(inputs, corpus.state)).toEqual([]);
  });

  it('counts every group', () => {
    expect(Object.keys(corpus.groups)).toEqual(Object.keys(counts));
  });
});

test('an input leaks where its canary is something that is printed', async () => {
  const input = {
    name: 'a version',
    files: {},
    canaries: ['"defaultRelease"', 'sno-install '],
    commands: [['version']],
  };
  expect(await leaksOfCommands([input], corpus.state)).toHaveLength(2);
});

test('a spread of a regular list meets every kind in it', () => {
  const kinds = Object.keys(forms);
  const list = Array.from({ length: 400 }, (_, index) => kinds[index % kinds.length]);
  expect(new Set(spread(list, 100)).size).toBe(kinds.length);
  expect(spread(list, 1000)).toEqual(list);
});
