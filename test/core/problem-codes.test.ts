import { describe, expect, it } from 'vitest';

import { problemCatalog } from '../../src/core/problem-codes/catalog.js';
import type { CodeEntry } from '../../src/core/problem-codes/entry.js';
import { snoInProcess } from '../support/in-process.js';

describe('the problem catalog', () => {
  const entries = Object.entries<CodeEntry>(problemCatalog);

  it.each(entries)('%s: the fault is a clause, reason and remedy are sentences', (_, entry) => {
    expect(entry.fault).toMatch(/^(?!(?:A|An|The|No) ).*[^.]$/);
    for (const text of [entry.why, entry.fix]) expect(text).toMatch(/\.$/);
    expect(entry.example?.split('\n') ?? []).not.toContain('');
  });
});

describe('explain of a code', () => {
  it('prints the fault, the reason, the remedy and the example', async () => {
    const { code, stdout } = await snoInProcess(['explain', 'config/platform']);
    const { fault, why, fix } = problemCatalog['config/platform'];
    expect([code, stdout]).toEqual([
      0,
      `config/platform (error)\n\nFault: ${fault}.\nWhy:   ${why}\nFix:   ${fix}\n\nExample:\n` +
        '  platform: none          # wrong: a string\n  platform: { none: {} }  # right\n',
    ]);
  });
});
