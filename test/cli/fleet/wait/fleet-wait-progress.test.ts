import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { problem } from '../../../../src/core/problem.js';
import type { SiteProgress } from '../../../../src/remote/kubernetes/many/wait-for-sites.js';
import { fleetWaitProgress } from '../../../../src/cli/fleet/wait/fleet-wait-progress.js';
import type { ProgressForm } from '../../../../src/cli/wait/progress-form.js';
import { nodeReportTexts, type NodeReportText } from '../../../../src/fleet/wait/node-report-texts.js';
import { scratchFolder } from '../../../support/scratch.js';

type Moment = readonly [
  seconds: number,
  sites: readonly SiteProgress[],
  nodes?: ReadonlyMap<string, NodeReportText>,
];

function linesShown(form: ProgressForm, ...moments: readonly Moment[]): readonly string[] {
  const lines: string[] = [];
  const progress = fleetWaitProgress(form, { write: (text) => void lines.push(text), columns: 60 });
  for (const [seconds, sites, nodes = new Map()] of moments)
    progress.onProgress(sites, nodes, seconds * 1000);
  progress.done();
  return lines;
}

const word = 'the API does not answer: connection refused';
const waiting = ['north-1', 'north-2', 'north-3'].map((name): SiteProgress => ({ name, word }));
const [, second = { name: '' }, third = { name: '' }] = waiting;
const forbidden = problem('cluster/forbidden', 'the API does not let the user read');
const lost: SiteProgress = {
  name: 'north-1',
  outcome: { kind: 'failed', problems: [forbidden], waitedMs: 1 },
};
const failing = new Map([
  [
    'north-2',
    { message: 'bootkube wait-for-etcd failed', receivedAt: '2026-01-01T00:00:00Z', isFailing: true },
  ],
]);

describe('the progress of a wait for a fleet', () => {
  it('prints permanent and reported failures immediately, once each', () => {
    const now = [lost, second, third];
    expect(
      linesShown('lines', [2, waiting], [4, now, failing], [6, now, failing], [20, now, failing]),
    ).toEqual([
      `after 2 s: 0 of 3 sites reached; 3 sites: ${word}\n`,
      'after 4 s: not reached: the API does not let the user read (north-1)\n',
      'after 4 s: the node reports a failure: bootkube wait-for-etcd failed (north-2)\n',
      `after 20 s: 0 of 3 sites reached, 1 failed; 2 sites: ${word}\n`,
    ]);
  });

  it('is one line on a terminal, below the printed messages', () => {
    expect(linesShown('line', [2, waiting], [4, waiting, failing])).toEqual([
      '\r\u001b[K[2 s] 0 of 3 sites reached; 3 sites: the API does not answ…',
      '\r\u001b[Kafter 4 s: the node reports a failure: bootkube wait-for-etcd failed (north-2)\n',
      '\r\u001b[K[4 s] 0 of 3 sites reached; 3 sites: the API does not answ…',
      '\r\u001b[K',
    ]);
  });

  it('is a line of JSON for programs', () => {
    expect(linesShown('json-lines', [2, waiting, failing]).map((line): unknown => JSON.parse(line))).toEqual([
      {
        seconds: 2,
        message: 'the node reports a failure: bootkube wait-for-etcd failed',
        sites: ['north-2'],
      },
      { seconds: 2, sites: 3, reached: 0, notReached: 0, mostly: { message: word, sites: 3 } },
    ]);
  });

  it('merges sites with the same cause into one line', () => {
    const sites = Array.from({ length: 2999 }, (_, index): SiteProgress => ({ ...lost, name: `s-${index}` }));
    expect(linesShown('lines', [2, sites])[0]).toBe(
      'after 2 s: not reached: the API does not let the user read (s-0, s-1, s-2, s-3, s-4 and 2994 more)\n',
    );
  });
});

it('a report from before the last boot of its machine is none, and a new one is read', () => {
  const folder = scratchFolder();
  const path = join(folder, 'tokens.json.reports');
  const report = (receivedAt: string): object => ({
    system: 'live',
    isComplete: false,
    stages: [{ service: 'bootkube', stage: 'wait-for-etcd', came: 'failed', at: '2026-01-01T00:00:00Z' }],
    receivedAt,
  });
  const write = (reports: object): void => {
    writeFileSync(path, JSON.stringify(reports));
  };
  mkdirSync(join(folder, 'out'));
  const booted = { reached: 'booted', at: '2026-01-02T00:00:00Z', bmc: 'https://192.0.2.1' };
  writeFileSync(join(folder, 'out/boot.json'), JSON.stringify({ version: 1, sites: { 'north-2': booted } }));
  const words = nodeReportTexts(
    path,
    ['north-1', 'north-2'].map((name) => ({ name, dir: join(folder, 'out', name) })),
  );
  expect(words()).toEqual(new Map());

  write({ 'north-1': report('2026-01-01T00:00:00Z'), 'north-2': report('2026-01-01T00:00:00Z') });
  const failed = { message: 'bootkube wait-for-etcd failed', isFailing: true };
  expect(words()).toEqual(new Map([['north-1', { ...failed, receivedAt: '2026-01-01T00:00:00Z' }]]));

  write({ 'north-2': report('2026-01-03T00:00:00Z') });
  expect(words()).toEqual(new Map([['north-2', { ...failed, receivedAt: '2026-01-03T00:00:00Z' }]]));
});
