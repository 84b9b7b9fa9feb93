import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { packTar } from 'modern-tar';

import { analyzeBundle } from '../../../src/analysis/analyze.js';
import { bundleLimits, bundleOf, keptBytesOf, type BundleFile } from '../../../src/analysis/bundle.js';
import { describeAnalysis } from '../../../src/analysis/describe.js';
import { renderAnalysis } from '../../../src/analysis/render-analysis.js';
import { readTarGz } from '../../../src/formats/tar.js';
import { failingRecord } from '../../analysis/support/made-bundle.js';
import { secretLines } from '../../support/secret-lines.js';
import type { Canary, Target } from '../driver/target.js';
import { keptInputs } from './fixture-texts.js';

const journal = [
  'Jan 02 03:04:05 sno bootkube.sh[1]: stage wait-for-bootkube',
  'Jan 02 03:04:06 sno bootkube.sh[1]: dial tcp 192.168.126.10:6443: connect: connection refused',
  ...secretLines.map(
    ({ line }) => `Jan 02 03:04:07 sno install-to-disk.sh[2]: ${line.replaceAll('\n', ' ')}`,
  ),
].join('\n');

const files: Readonly<Record<string, string>> = {
  'log-bundle/bootstrap/services/install-to-disk.json': failingRecord(
    'write-disk',
    'Error: disk is too small',
  ),
  'log-bundle/bootstrap/services/bootkube.json': failingRecord('cluster-complete', 'timed out'),
  'log-bundle/bootstrap/journals/bootkube.log': journal,
  'log-bundle/bootstrap/journals/install-to-disk.log': journal,
  'log-bundle/failed-units.txt': '● bootkube.service loaded failed failed Bootstrap\n',
  'log-bundle/rendered-assets/openshift/.install-to-disk.done': '',
};

/** Lines whose secret is recognized by the rest of the line. */
const canaries: readonly Canary[] = secretLines.map(({ line, secret }) => ({
  whole: line.replaceAll('\n', ' '),
  part: secret,
}));

/** A log bundle from a user, before gzip compression. */
export const logBundle: Target = {
  name: 'log-bundle',
  form: 'bytes',
  maxBytes: 128 * 1024,
  words: [
    'ustar',
    'bootstrap/services/',
    'bootstrap/journals/',
    '../',
    '/',
    '0000644',
    '7777777',
    '\0',
    'path=',
    '30 mtime=1',
  ],
  seeds: () => [tar, ...keptInputs('log-bundle')],
  run: async (input) => {
    const packed = gzipSync(input, { level: 1 });
    const {
      files: found,
      otherEntries,
      end,
    } = await readTarGz(Readable.from([packed]), { ...bundleLimits, keptBytesOf });
    return { isAccepted: end === 'whole', shown: shownOf(found, [`${otherEntries} others`]) };
  },
};

const tar = Buffer.from(
  await packTar(
    Object.entries(files).map(([name, body]) => ({ header: { name, size: Buffer.byteLength(body) }, body })),
  ),
);

/** Records and journals of a bundle. An input contains one of each, separated by a line of `=`. */
export const logTexts: Target = {
  name: 'log-texts',
  form: 'lines',
  seeds: () => [Object.values(files).join('\n====\n'), ...keptInputs('log-texts')],
  canaries,
  words: [
    'stage start',
    'service end',
    '"result":"failure"',
    'sno-preflight',
    'Error: ',
    'x509: ',
    '\u001b[31m',
    '\u202e',
  ],
  run: (input) => {
    const texts = input.toString('utf8').split('\n====\n');
    const found = Object.keys(files).map((path, index) => {
      const text = texts[index] ?? '';
      return { path, sizeBytes: text.length, text };
    });
    const shown = shownOf(found, []);
    const isSafe = !/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/.test(shown);
    return { isAccepted: true, shown, fault: isSafe ? undefined : 'a control character is shown' };
  },
};

function shownOf(found: readonly BundleFile[], bundleNotes: readonly string[]): string {
  return renderAnalysis('bundle', describeAnalysis(analyzeBundle(bundleOf('bundle', found, bundleNotes))), {
    folder: 'bundle/',
  });
}
