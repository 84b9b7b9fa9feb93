import { beforeAll, expect, test } from 'vitest';

import { leaksOfCommands, secretCorpus, type SecretCorpus } from '../support/secret-run.js';

let corpus: SecretCorpus;
beforeAll(async () => {
  corpus = await secretCorpus();
});

// A separate file, so that it runs in parallel with secret-commands.long.test.ts.
test('no command prints a secret, at debug level, as text or JSON, that stands in a config', async () => {
  const inputs = corpus.groups['a config'] ?? [];
  expect(inputs.length).toBeGreaterThanOrEqual(300);

  expect(await leaksOfCommands(inputs, corpus.state)).toEqual([]);
}, 1_800_000);
