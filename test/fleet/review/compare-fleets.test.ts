import { describe, expect, test } from 'vitest';

import { problem } from '../../../src/core/problem.js';
import { compareFleets } from '../../../src/fleet/review/compare-fleets.js';
import type { SiteRow } from '../../../src/fleet/table/site-row.js';
import type { Sheet } from '../../../src/review/sheet/sheet.js';

describe('added sites', () => {
  const row = (name: string): SiteRow => ({
    name,
    at: { file: 'sites.csv' },
    variables: { known: new Map(), empty: new Map() },
  });
  const names = Array.from({ length: 25 }, (_, index) => `s-${index}`);
  const sheet: Sheet = [{ name: 'disk', title: 'Disk', rows: [] }];

  test('are all rendered, though the report has the sheets of the first 20 only', async () => {
    const broken = problem('config/node-ip', 'nodeIP is in no machine network');
    const { found, problems } = await compareFleets(
      { both: [], added: names, addedRows: names.map(row), completed: (each) => each, removed: [] },
      {
        workers: {
          run: ({ after }) =>
            Promise.resolve(
              after.name === 's-24' ? { problems: [[], [broken]] } : { problems: [[], []], sheet },
            ),
          atOnce: 1,
          close: () => Promise.resolve(),
        },
      },
    );

    expect(problems).toEqual([[], [{ problem: broken, sites: ['s-24'] }]]);
    expect(found.addedSheets.map(({ site }) => site)).toEqual(names.slice(0, 20));
    expect(found.added).toEqual(names);
  });
});
