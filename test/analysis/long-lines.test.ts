import { describe, expect, test } from 'vitest';

import { analyzeBundle } from '../../src/analysis/analyze.js';
import { bundleOf } from '../../src/analysis/bundle.js';
import { describeAnalysis, type AnalysisReport } from '../../src/analysis/describe.js';
import { journalLimits } from '../../src/analysis/journal.js';
import { failingRecord } from './support/made-bundle.js';

const needle = 'unauthorized: authentication required';

/** The analysis of a failed pull whose reason has other text of these lengths around it. */
function analyzed(before: number, after: number): AnalysisReport {
  const line = `timed out after 3600 s pulling quay.io/a/b:c: ${'b '.repeat(before / 2)}${needle}${' a'.repeat(after / 2)}`;
  const path = 'bootstrap/journals/release-image.log';
  const journal = `2026-01-02T03:04:03+0000 sno1 release-image-download.sh[1]: ${line}\n`;
  const files = [
    { path: 'bootstrap/services/release-image.json', text: failingRecord('pull-release-image', 'timed out') },
    { path, text: journal },
  ].map((file) => ({ ...file, sizeBytes: file.text.length }));
  return describeAnalysis(analyzeBundle(bundleOf('log-bundle-1.tar.gz', files, [])));
}

describe('a long line', () => {
  test.each([
    { name: 'that fits', before: 300, after: 300, leftOut: 0 },
    { name: 'with the reason behind 1,000 characters', before: 2000, after: 0, leftOut: 1 },
    { name: 'with the reason in its middle', before: 3000, after: 3000, leftOut: 2 },
    { name: 'with the reason behind 4,096 characters', before: 20_000, after: 20_000, leftOut: 2 },
    { name: 'with the reason at the end of a huge line', before: 300_000, after: 0, leftOut: 1 },
    { name: 'with the reason at the start of a huge line', before: 0, after: 300_000, leftOut: 1 },
  ])('has its fault, and shows the reason and each cut: $name', ({ before, after, leftOut }) => {
    const { faults, bundleNotes } = analyzed(before, after);
    expect(faults.map(({ id }) => id)).toEqual(['image-not-authorised']);
    const shown = faults[0]?.line ?? '';
    expect(shown).toContain(needle);
    expect(shown.match(/… \(\d+ characters left out\) …/g) ?? []).toHaveLength(leftOut);
    const isHuge = before + after > journalLimits.lineLength;
    expect(bundleNotes.filter((note) => note.includes('without their middle'))).toHaveLength(isHuge ? 1 : 0);
  });

  test('that is not read as a whole is named, if its middle may have the reason', () => {
    const { faults, bundleNotes } = analyzed(200_000, 200_000);
    expect(faults.map(({ id }) => id)).toEqual(['image-not-pulled']);
    expect(bundleNotes).toContain(
      'bootstrap/journals/release-image.log: lines of more than 65536 characters were read without their middle',
    );
  });

  test('of any repeated text is searched to its end', () => {
    const words = [
      'lookup ',
      'fetching blob: ',
      'reading signature',
      'a',
      'Get "https://a/b',
      'x509: ',
      '/',
      ' ',
    ];
    for (const word of words) {
      const text = `timed out after 3600 s pulling ${word.repeat(Math.ceil(8192 / word.length))}`;
      const file = {
        path: 'bootstrap/journals/kubelet.log',
        text: `2026-01-02T03:04:03+0000 a kubelet[1]: ${text}`,
      };
      const records = failingRecord('node-ready', 'x');
      const { verdict } = analyzeBundle(
        bundleOf(
          'b',
          [
            { ...file, sizeBytes: file.text.length },
            { path: 'bootstrap/services/bootkube.json', text: records, sizeBytes: 1 },
          ],
          [],
        ),
      );
      expect(verdict).toBe('failed');
    }
  });
});
