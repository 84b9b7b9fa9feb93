import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, test } from 'vitest';

import { analyzeBundle } from '../../src/analysis/analyze.js';
import { bundleLimits, bundleOf } from '../../src/analysis/bundle.js';
import { describeAnalysis, type AnalysisReport } from '../../src/analysis/describe.js';
import { journalLimits, readJournal } from '../../src/analysis/journal.js';
import { keptEntries, readRecord, stateOf } from '../../src/analysis/records.js';
import { problemsOf } from '../../src/core/result.js';
import { readBundle } from '../../src/disk/bundle/bundle-files.js';
import { scratchFolder } from '../support/scratch.js';
import { entry, failingRecord, madeBundle } from './support/made-bundle.js';

const failing = failingRecord('stop-etcd', 'etcd does not stop');

async function analysed(path: string): Promise<AnalysisReport> {
  const bundle = await readBundle(path);
  if (!bundle.ok) throw new Error(JSON.stringify(bundle.problems));
  return describeAnalysis(analyzeBundle(bundle.value));
}

/** Forty journals of 8 MiB with one object to analyse per line; about 330 kB as an archive. */
function manyJournals(): Readonly<Record<string, string>> {
  const journal = 'a\n'.repeat(4 * 1024 * 1024);
  const names = Array.from({ length: 40 }, (_, n) => `b/bootstrap/journals/unit-${n}.log`);
  return {
    'b/bootstrap/services/bootkube.json': failing,
    ...Object.fromEntries(names.map((name) => [name, journal])),
  };
}

describe('a bundle above the limit', () => {
  it('is refused where it has more entries than any', async () => {
    const path = join(scratchFolder(), 'bundle.tar.gz');
    const empty = Array.from({ length: 100_001 }, (_, index) => [`b/bootstrap/journals/${index}`, '']);
    writeFileSync(path, await madeBundle(Object.fromEntries(empty) as Readonly<Record<string, string>>));

    const codes = problemsOf(await readBundle(path)).map(({ code }) => code);
    expect(codes).toEqual(['support/bundle-too-large']);
  });

  it('is analyzed up to the limit in little memory, with a note', async () => {
    const path = join(scratchFolder(), 'bundle.tar.gz');
    const bytes = await madeBundle(manyJournals());
    expect(bytes.length).toBeLessThan(500_000);
    writeFileSync(path, bytes);

    const bundle = await readBundle(path);
    if (!bundle.ok) throw new Error(JSON.stringify(bundle.problems));
    const kept = bundle.value.files.reduce((sum, { text = '' }) => sum + text.length, 0);
    expect(kept).toBeLessThanOrEqual(bundleLimits.keptBytes);
    const report = describeAnalysis(analyzeBundle(bundle.value));
    expect(report.faults.map(({ id }) => id)).toEqual(['etcd-does-not-stop']);
    expect(report.bundleNotes.slice(0, 2)).toEqual([
      'records and journals exceed 64 MiB in total; the rest was not read',
      'bootstrap/journals/unit-7.log: only the last 50000 lines were read',
    ]);
  });

  it('is reported for a folder too', async () => {
    const folder = scratchFolder();
    for (const [name, text] of Object.entries(manyJournals())) {
      mkdirSync(join(folder, name, '..'), { recursive: true });
      writeFileSync(join(folder, name), text);
    }
    const { faults, bundleNotes } = await analysed(join(folder, 'b'));
    expect(bundleNotes[0]).toMatch(/^records and journals exceed 64 MiB in total/);
    expect(faults).toEqual([]);
  });
});

describe('a record', () => {
  const start = entry(1, 'stage start', { stage: 'stop-etcd' });
  const starts = Array.from({ length: 110_000 }, () => start);

  it('of many entries is read in one pass, its last ones', () => {
    const entries = readRecord(JSON.stringify(starts)) ?? [];
    expect(entries).toHaveLength(keptEntries);
    const { runs } = stateOf(entries);
    expect(runs).toHaveLength(keptEntries);
    expect(runs.filter(({ outcome }) => outcome === 'open')).toHaveLength(1);
    const text = JSON.stringify(starts);
    const file = { path: 'bootstrap/services/bootkube.json', text, sizeBytes: text.length };
    expect(analyzeBundle(bundleOf('b', [file], [])).bundleNotes).toEqual([
      `bootstrap/services/bootkube.json: only the last ${keptEntries} entries were read`,
    ]);
  });

  it('that lost its beginning goes on at the next entry', () => {
    const text = JSON.stringify([start, start]);
    expect(readRecord(text.slice(5))).toEqual([start]);
  });
});

test.each([
  { name: 'the 45th of the 13th month', given: '2026-13-45T99:99:99+0000 host bootkube.sh[1]: x' },
  { name: 'an offset of 99 hours', given: '2026-01-01T00:00:00+9999 host bootkube.sh[1]: x' },
])('a line of a journal at $name has no time', ({ given }) => {
  expect(readJournal(given)).toEqual([{ program: 'bootkube.sh', text: 'x' }]);
});

test('a journal is read from its end, each line from its beginning', () => {
  const lines = readJournal(`${'a\n'.repeat(journalLimits.lines * 2)}${'b'.repeat(10_000)}\n`);
  expect(lines.length).toBe(journalLimits.lines);
  expect(lines.at(-1)?.text).toHaveLength(journalLimits.lineLength);
});

test('a bundle of openshift-install without records, with a failed pull', () => {
  const text =
    'Jan 02 03:04:05 sno1 release-image-download.sh[1]: Error: initializing source docker://quay.io/a:b: pinging container registry quay.io: Get "https://quay.io/v2/": dial tcp: lookup quay.io on 192.168.126.1:53: no such host\n';
  for (const unit of ['release-image', 'bootkube', 'kubelet']) {
    const file = { path: `bootstrap/journals/${unit}.log`, text, sizeBytes: text.length };
    const { verdict, faults } = analyzeBundle(bundleOf('b', [file], []));
    expect({ unit, verdict, faults: faults.map(({ fault }) => fault.id) }).toEqual({
      unit,
      verdict: 'failed',
      faults: ['registry-unreachable'],
    });
  }
});
