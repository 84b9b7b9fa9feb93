import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { expect, it, vi } from 'vitest';

import { fleetFolder } from '../fleet/files.js';
import { sno } from '../support/command.js';
import { scaledMs } from '../support/time-scale.js';

vi.setConfig({ testTimeout: scaledMs(300_000) });

it('--renew issues certificates again from the same keys; expiring ones are listed together', () => {
  const dir = fleetFolder();
  const at = (present: string, ...args: readonly string[]): ReturnType<typeof sno> =>
    sno(['fleet', 'create', '--dir', dir, ...args], {
      variables: { PRESENT: present },
      nodeArguments: ['--import', resolve('test/support/at-present.mjs')],
    });
  const config = (site: string): string => readFileSync(join(dir, 'out', site, 'worker.ign'), 'utf8');
  const key = (site: string): string | undefined =>
    /client-key-data: (.*)/.exec(readFileSync(join(dir, 'out', site, 'auth/kubeconfig'), 'utf8'))?.[1];
  expect(at('2026-11-02T00:00:00Z')).toMatchObject({ code: 0, stderr: '' });
  const before = ['north-1', 'north-2'].map((site) => [config(site), key(site)]);

  const one = at('2026-11-03T00:00:00Z', '--only', 'north-1', '--renew');
  expect([one.code, one.stdout]).toEqual([0, expect.stringMatching(/^ +1 {2}updated \(same keys\)$/m)]);
  expect([config('north-1'), config('north-2')].map((each, index) => each === before[index]?.[0])).toEqual([
    false,
    true,
  ]);
  expect(key('north-1')).toBe(before[0]?.[1]);

  const late = at('2026-11-30T00:00:00Z', '--output', 'json');
  expect(JSON.parse(late.stdout)).toMatchObject({
    ok: true,
    problems: [
      {
        code: 'dir/certificates-ending',
        sites: ['north-1', 'north-2'],
        message: expect.stringMatching(
          /^certificates expire soon; boot the machines before 2026-12-02T00:\d\d:\d\dZ$/,
        ) as string,
      },
    ],
    sites: [{ result: 'unchanged' }, { result: 'unchanged' }],
  });

  const due = at('2026-11-30T00:00:00Z', '--renew-before', '60h');
  expect([due.code, due.stdout]).toEqual([
    0,
    expect.stringMatching(/^ +1 {2}updated \(same keys\)\n +1 {2}unchanged/m),
  ]);
  const again = at('2026-11-30T00:00:00Z', '--renew-before', '60h');
  expect(again.stdout).toMatch(/^ +2 {2}unchanged/m);
});
