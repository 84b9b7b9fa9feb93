import { beforeAll, describe, expect, it, test } from 'vitest';

import { leaksOfCommands, secretCorpus, secretGroups, type SecretCorpus } from '../support/secret-run.js';
import { scaledMs } from '../support/time-scale.js';

let corpus: SecretCorpus;
beforeAll(async () => {
  corpus = await secretCorpus();
});

/** All groups except configs, which secret-configs.long.test.ts covers. */
const groups = secretGroups.filter((group) => group !== 'a config');

describe('prints no secret in any command, at debug level, as text or JSON, from', () => {
  test.each(groups)(
    '%s',
    async (group) => {
      const inputs = corpus.groups[group] ?? [];
      expect(inputs.length).toBeGreaterThan(0);

      expect(await leaksOfCommands(inputs, corpus.state)).toEqual([]);
    },
    scaledMs(1_800_000),
  );

  it('covers every group', () => {
    expect(Object.keys(corpus.groups).toSorted()).toEqual(secretGroups.toSorted());
  });
});
