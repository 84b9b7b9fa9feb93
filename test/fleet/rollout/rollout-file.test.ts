import { expect, it, test } from 'vitest';

import { cachedInputs } from '../../../src/disk/read-inputs.js';
import type { Result } from '../../../src/core/result.js';
import { openFleet } from '../../../src/fleet/table/read-fleet.js';
import { readRolloutPlan, type RolloutPlan } from '../../../src/fleet/rollout/rollout-file.js';
import { selectableSite } from '../../../src/fleet/table/site-selection.js';
import { fleetFolder, fleetText, problemLine } from '../files.js';

const files = {
  'fleet.yaml': fleetText('variables: {region: eu}\n'),
  'sites.csv':
    'name,ip,role,region\nlab-1,192.168.126.10,canary,\nnorth-1,192.168.126.11,,us\nnorth-2,192.168.126.12,canary,us\n',
};

function planOf(text: string): {
  readonly plan: Result<RolloutPlan>;
  readonly selected: (field: 'isCanary' | 'isHeld') => string;
} {
  const dir = fleetFolder({ ...files, 'rollout.yaml': text });
  const opened = openFleet(dir);
  if (!opened.ok) throw new Error('the fleet is not valid');
  const { fleet, table } = opened.value;
  const plan = readRolloutPlan(cachedInputs(dir, {}), 'rollout.yaml', opened.value);
  const selected = (field: 'isCanary' | 'isHeld'): string =>
    table.rows
      .filter((row) => plan.ok && plan.value[field](selectableSite(row, fleet)))
      .map(({ name }) => name)
      .join(' ');
  return { plan, selected };
}

it('has defaults', () => {
  const { plan, selected } = planOf('until: install-complete\n');
  if (!plan.ok) throw new Error(plan.problems.map(problemLine).join('\n'));
  const { waveSize, failureLimit, digest, until, siteTimeoutMs, pauseMs, windows } = plan.value;
  expect({ until, siteTimeoutMs, pauseMs, windows }).toEqual({
    until: 'install-complete',
    siteTimeoutMs: 10_800_000,
    pauseMs: 0,
    windows: [],
  });
  expect([waveSize(0), waveSize(70), failureLimit(70)]).toEqual([1, 70, 1]);
  expect(selected('isCanary') + selected('isHeld')).toBe('');
  expect(digest).toMatch(/^[0-9a-f]{64}$/);
});

it('reads sizes, limits and windows', () => {
  const { plan } = planOf(
    'wave: 10%\nfailureLimit: 5%\nsiteTimeout: 90m\npause: 30m\nuntil: bootstrap-complete\n' +
      "windows:\n  - {days: [fri], from: '22:00', to: '05:00', zone: Europe/Berlin}\n  - {from: 0:30, to: '24:00', zone: UTC}\n",
  );
  if (!plan.ok) throw new Error(plan.problems.map(problemLine).join('\n'));
  const { waveSize, failureLimit, windows, pauseMs, siteTimeoutMs, until } = plan.value;
  expect([9, 10, 11, 300].map(waveSize)).toEqual([1, 1, 2, 30]);
  expect([1, 20, 21, 100].map(failureLimit)).toEqual([1, 1, 2, 5]);
  expect({ pauseMs, siteTimeoutMs, until }).toEqual({
    pauseMs: 1_800_000,
    siteTimeoutMs: 5_400_000,
    until: 'bootstrap-complete',
  });
  const everyDay = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
  expect(windows).toEqual([
    { days: ['fri'], fromMinute: 1320, toMinute: 300, zone: 'Europe/Berlin' },
    { days: everyDay, fromMinute: 30, toMinute: 1440, zone: 'UTC' },
  ]);
});

test.each([
  { text: 'canary: {where: {role: canary}}', canary: 'lab-1 north-2' },
  { text: "canary: {where: {role: canary}, only: ['lab-*']}", canary: 'lab-1' },
  { text: 'canary: {where: {role: canary, region: us}}', canary: 'north-2' },
  { text: 'canary: {where: {region: [us, eu]}}', canary: 'lab-1 north-1 north-2' },
  {
    text: "canary: {only: [lab-1]}\nhold: {where: {region: 'u*'}}",
    canary: 'lab-1',
    held: 'north-1 north-2',
  },
  { text: "hold: {where: {role: ''}}", held: 'north-1' },
])('$text', ({ text, canary = '', held = '' }) => {
  const { selected } = planOf(`${text}\n`);
  expect({ canary: selected('isCanary'), held: selected('isHeld') }).toEqual({ canary, held });
});

test.each([
  ['wave: 0', '1:7 rollout/plan: wave is not a positive number or percentage = for example "wave: 10%"'],
  ['wave: 101%', '1:7 rollout/plan: wave is not a positive number or percentage = for example "wave: 10%"'],
  [
    'failureLimit: some',
    '1:15 rollout/plan: failureLimit is not a positive number or percentage = for example "failureLimit: 5%"',
  ],
  [
    'siteTimeout: 3',
    '1:14 rollout/plan: siteTimeout is not a duration of up to 24 days = for example "siteTimeout: 3h"',
  ],
  ['pause: 0s', '1:8 rollout/plan: pause is not a duration of up to 24 days = for example "pause: 30m"'],
  ['pause: 5w', '1:8 rollout/plan: pause is not a duration of up to 24 days = for example "pause: 30m"'],
  [
    'until: node-ready',
    '1:8 config/unsupported-value: until must be bootstrap-complete, install-complete or post-install-complete, not "node-ready"',
  ],
  ['waves: 10%', '1:1 config/unknown-field: unknown field "waves" = did you mean "wave"?'],
  [
    "windows: [{from: '22:00', to: '22:00', zone: UTC}]",
    '1:31 rollout/plan: the window begins and ends at the same time = for a whole day write from: "00:00" and to: "24:00"',
  ],
  [
    "windows: [{from: '24:00', to: 5pm, zone: UTC}]",
    '1:18 rollout/plan: "24:00" is not a time of day = write hours and minutes in quotes: "22:00"',
    '1:31 rollout/plan: "5pm" is not a time of day = write hours and minutes in quotes: "22:00"',
  ],
  [
    "windows: [{from: '1:00', to: '2:00', zone: Europe/Berlim}]",
    '1:44 rollout/plan: "Europe/Berlim" is not a known time zone = did you mean "Europe/Berlin"?',
  ],
  [
    "windows: [{days: [], from: '1:00', to: '2:00', zone: UTC}]",
    '1:12 rollout/plan: the window has no days = name days such as mon, or remove days',
  ],
  [
    'canary: {where: {rol: canary}}',
    '1:18 rollout/selection: the table has no column "rol" = did you mean "role"?',
  ],
  [
    'canary: {where: {role: canari}}',
    '1:24 rollout/selection: no site has "canari" in the column "role" = did you mean "canary"?',
  ],
  [
    'hold: {where: {role: [canary, edg]}}',
    '1:31 rollout/selection: no site has "edg" in the column "role" = write a value of the table; "*" matches any characters',
  ],
  ['hold: {only: []}', '1:1 rollout/selection: hold selects nothing = add where or only, or remove hold'],
  ['hold: {where: {role: []}}', '1:16 rollout/selection: "role" has no value to compare with'],
])('%s', (text, ...want) => {
  const { plan } = planOf(`${text}\n`);
  const lines = plan.ok
    ? []
    : plan.problems.map(
        (each) =>
          problemLine(each).replace('rollout.yaml:', '') + (each.hint === undefined ? '' : ` = ${each.hint}`),
      );
  expect(lines).toEqual(want);
});

it('reports a missing plan', () => {
  const dir = fleetFolder(files);
  const opened = openFleet(dir);
  if (!opened.ok) throw new Error('the fleet is not valid');
  const plan = readRolloutPlan(cachedInputs(dir, {}), 'rollout.yaml', opened.value);
  expect(plan.ok ? [] : plan.problems.map(problemLine)).toEqual([
    'rollout.yaml rollout/plan: rollout.yaml does not exist',
  ]);
});
