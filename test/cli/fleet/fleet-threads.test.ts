import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeAll, describe, expect, it, test } from 'vitest';

import { sno } from '../../support/command.js';
import { snoInProcess } from '../../support/in-process.js';
import { laidFleet, sites, tableOf } from './laid-fleet.js';

/** An invalid MTU, which the table has for two sites. */
const wrong = 'eighteen';

describe(`a fleet of ${sites} sites`, () => {
  let fleet = '';
  beforeAll(() => {
    fleet = laidFleet();
  });

  it('has the same problems, each at its row, in processes', () => {
    writeFileSync(
      join(fleet, 'sites.csv'),
      tableOf((site) => (site === 4 || site === 15 ? wrong : '')),
    );
    const [one, three] = ['1', '3'].map((jobs) => sno(['fleet', 'validate', '--jobs', jobs], { cwd: fleet }));
    expect(three).toEqual(one);
    expect(one?.stderr).toMatch(/sites\.csv:6:57 [^]*sites\.csv:17:61 /);
  });

  test('rejects an invalid number of threads', async () => {
    for (const command of [
      ['validate'],
      ['golden', '--out', 'tree'],
      ['diff', '--against', 'main'],
      ['certs'],
      ['render', 'inputs', '--out', 'tree'],
    ]) {
      const { code, stderr } = await snoInProcess(['fleet', ...command, '--jobs', '0'], { cwd: fleet });
      expect([code, stderr]).toEqual([
        2,
        expect.stringContaining('--jobs is "0", expected a number of parallel sites'),
      ]);
    }
  });
});
