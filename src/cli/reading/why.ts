import { basename, resolve } from 'node:path';

import { problem, type Problem } from '../../core/problem.js';
import { problemsOf } from '../../core/result.js';
import { isFleetSite } from '../../disk/site-record/site-record.js';
import { sourceText } from '../../disk/source-text.js';
import { fleetFolderAbove } from '../../fleet/build/index.js';
import { shellWord } from '../../formats/shell-word.js';
import { pathFromWorkingDirectory } from '../../formats/working-directory.js';
import { whyData, whyText } from '../../review/why/why-text.js';
import { look } from '../../run/run.js';
import { explainOutput, fieldLocations } from '../../run/sources/explain-output.js';
import { isTargetName } from '../../run/targets.js';
import type { GlobalOptions, WhyOptions } from '../options.js';
import { report } from '../output/report.js';
import { runRequest } from '../request.js';

/**
 * Explains the origin of an output. Generates the target in memory with deterministic values and records the inputs of each
 * asset.
 */
export async function why(path: string, options: GlobalOptions & WhyOptions): Promise<void> {
  const { dir, target } = options;
  if (!isTargetName(target)) throw new Error(`internal error: target ${target}`);
  if (isFleetSite(dir)) {
    report(options, { problems: [fleetSiteProblem(dir)] });
    return;
  }
  const answers = await explainOutput(path, target, (asset, watch) =>
    look({ ...runRequest(target, options), watch }, asset),
  );
  const fieldOf = fieldLocations({
    textOf: (file) => sourceText(dir, file),
    shownAt: ({ file, line }) => ({
      file: pathFromWorkingDirectory(dir, file),
      ...(line !== undefined && { line }),
    }),
  });
  report(options, {
    problems: answers.ok ? [] : problemsOf(answers),
    ...(answers.ok && {
      text: whyText(answers.value, { fieldOf }),
      json: { answers: whyData(answers.value, { fieldOf }) },
    }),
  });
}

/** The directory contains the outputs of a site of a fleet; the inputs are in the fleet. */
function fleetSiteProblem(dir: string): Problem {
  const folder = fleetFolderAbove(dir) ?? 'FLEET';
  const site = shellWord(basename(resolve(dir)));
  const message = `${dir} contains the outputs of a site; its inputs are in a fleet`;
  const hint = `run \`sno-install fleet why ${site} PATH --dir ${shellWord(folder)}\``;
  return problem('why/fleet-site', message, { hint });
}
