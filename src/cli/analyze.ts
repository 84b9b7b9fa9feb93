import { basename, join } from 'node:path';

import { problemsOf } from '../core/result.js';
import { readBundle } from '../disk/bundle/bundle-files.js';
import { shellWord } from '../formats/shell-word.js';
import type { Bundle } from '../analysis/bundle.js';
import { analyzeBundle } from '../analysis/analyze.js';
import { describeAnalysis, type AnalysisReport, type StageReport } from '../analysis/describe.js';
import { renderAnalysis, type BundlePlace } from '../analysis/render-analysis.js';
import { exitCodes } from './output/exit-codes.js';
import type { GlobalOptions } from './options.js';
import { report } from './output/report.js';
import { isData, printData } from './output/data.js';

/**
 * Prints the failed stage of an installation, its last error and the likely cause. The result always goes to stdout. The exit
 * code is 1 if a stage failed, is blocked by a known fault, or will fail.
 */
export async function analyze(path: string, options: GlobalOptions): Promise<void> {
  const bundle = await readBundle(path);
  if (!bundle.ok) {
    report(options, { problems: problemsOf(bundle) });
    return;
  }
  const analysis = describeAnalysis(analyzeBundle(bundle.value));
  const isFault = !['complete', 'in-progress'].includes(analysis.verdict);
  if (isData(options))
    printData(options, { ok: !isFault, problems: [], bundle: path, ...analysisData(analysis) });
  else process.stdout.write(renderAnalysis(basename(path), analysis, placeOf(path, bundle.value)));
  process.exitCode = isFault ? exitCodes.problems : exitCodes.done;
}

function placeOf(path: string, { root, isArchive = false }: Bundle): BundlePlace {
  if (!isArchive) return { folder: join(path, root, '/') };
  const unpack = `tar -xzf ${shellWord(path)}`;
  if (root !== '') return { unpack, folder: root };
  const folder = basename(path).replace(/(?:\.tar\.gz|\.tgz)?$/, '.files');
  return {
    unpack: `mkdir ${shellWord(folder)} && ${unpack} -C ${shellWord(folder)}`,
    folder: `${folder}/`,
  };
}

function analysisData({ at, others, bundleNotes, ...analysis }: AnalysisReport): object {
  return {
    ...analysis,
    ...(at && { stage: stageData(at) }),
    otherFailures: others.map(stageData),
    bundleNotes: bundleNotes,
  };
}

function stageData({ lastAt, place, ...stage }: StageReport): object {
  return {
    ...stage,
    ...(lastAt !== undefined && { lastFailureAt: lastAt }),
    ...(place !== undefined && { location: place }),
  };
}
