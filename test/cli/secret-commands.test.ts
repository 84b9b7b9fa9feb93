import { beforeAll, describe, expect, it, test } from 'vitest';

import { forms } from '../support/secret-corpus.js';
import { leaksOfCommands, secretCorpus, spread, type SecretCorpus } from '../support/secret-run.js';

let corpus: SecretCorpus;
beforeAll(async () => {
  corpus = await secretCorpus();
});

/** How many of each group; the whole is for secret-commands.machines.test.ts. */
const counts: Readonly<Record<string, number>> = {
  'a config': 9,
  'a state file': 6,
  'a state file that is named': 8,
  'the plan of a run that died': 4,
  'a kubeconfig': 12,
  'the config of the master': 24,
  'a manifest of the live system': 3,
  'an edited manifest': 2,
  'a bundle': 24,
  'the command line': 3,
};

describe('no command prints a secret, at debug level, as text or JSON, that stands in', () => {
  test.each(Object.entries(counts))('%s', async (group, count) => {
    const inputs = spread(corpus.groups[group] ?? [], count);
    expect(inputs).toHaveLength(count);

    expect((await leaksOfCommands(inputs, corpus.state)).leaks).toEqual([]);
  });

  it('anything else: every group is counted', () => {
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
  expect((await leaksOfCommands([input], corpus.state)).leaks).toHaveLength(2);
});

test('a spread of a regular list meets every kind in it', () => {
  const kinds = Object.keys(forms);
  const list = Array.from({ length: 400 }, (_, index) => kinds[index % kinds.length]);
  expect(new Set(spread(list, 100)).size).toBe(kinds.length);
  expect(spread(list, 1000)).toEqual(list);
});
