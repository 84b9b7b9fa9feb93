import { renderInputs, renderOutputs, renderSheets } from '../../../fleet/review/index.js';
import { problemsOf, success } from '../../../core/result.js';
import { siteProgress } from '../../progress.js';
import { standardInput } from '../../../disk/external-files/standard-input.js';
import { replaceTree } from '../../../disk/replace-tree.js';
import { treeKind } from '../../../review/tree-kind.js';
import { relativeToWorkingDirectory } from '../../../formats/working-directory.js';
import type { GlobalOptions } from '../../options.js';
import { report, reportResult } from '../../output/report.js';
import { stateAccess } from '../../request.js';
import { count } from '../../../run/problem-text.js';
import type { FleetOptions } from '../fleet-options.js';
import { openFleetOf } from '../open-fleet.js';
import { parseJobs, type JobsOption } from '../jobs-option.js';
import { processSurroundings } from '../../surroundings.js';
import { fleetProblemsShown } from '../print-fleet-problems.js';
import type { FleetRenderOptions } from './review-options.js';

type Options = GlobalOptions & FleetOptions & JobsOption & FleetRenderOptions;

export type Rendered = 'inputs' | 'ignition' | 'sheet';

/** Writes the inputs or outputs of each site as a readable tree without secrets. Reports sites that cannot be rendered. */
export async function renderFleet(what: Rendered, options: Options): Promise<void> {
  const { dir, out } = options;
  const jobs = parseJobs(options);
  if (jobs === undefined) return;
  const keys = await stateAccess(options).keys();
  const stdin = standardInput();
  const opened = openFleetOf(options, stdin);
  if (!keys.ok || !opened.ok) {
    report(options, { problems: [keys, opened].flatMap(problemsOf) });
    return;
  }
  const screen = siteProgress(options, opened.value.rows.length, process.stderr, 'rendering sites');
  const { tree, sites, problems } =
    what === 'inputs'
      ? renderInputs(opened.value, screen.onSite)
      : what === 'sheet'
        ? await renderSheets(opened.value, {
            ...{ dir, jobs, onSite: screen.onSite },
            surroundings: processSurroundings(stdin),
          })
        : await renderOutputs(opened.value, { dir, keys: keys.value, jobs, onSite: screen.onSite });
  screen.done();
  const written = sites.length === 0 ? success(undefined) : replaceTree(out, tree, treeKind);
  const files = Object.keys(tree).length;
  const isWritten = written.ok && sites.length > 0;
  const shown = fleetProblemsShown(options, problems, opened.value.rows.length);
  const all = [...problemsOf(opened), ...shown].map((each) => relativeToWorkingDirectory(dir, each));
  reportResult(
    { ...options, dir: '.' },
    {
      problems: [...all, ...problemsOf(written)],
      text: isWritten
        ? `Wrote ${files} files of ${count(sites.length, 'site')} to ${out}. They contain no keys, passwords or tokens.\n`
        : '',
      json: isWritten ? { tree: out, sites, files } : {},
    },
  );
}
