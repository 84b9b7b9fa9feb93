import { problemsOf, success } from '../../core/result.js';
import { replaceTree } from '../../disk/replace-tree.js';
import { accessWith } from '../../fleet/making/access-with-keys.js';
import { renderedInputs, renderedOutputs } from '../../fleet-review/outputs/rendered-sites.js';
import { treeKind } from '../../review/tree-kind.js';
import { fromWorkingDirectory } from '../../sources/from-here.js';
import { ourTemplates } from '../../sources/our-templates.js';
import type { GlobalOptions } from '../../command-line/options.js';
import { report, reportFound } from '../../command-line/output/report.js';
import { accessOf } from '../../command-line/request.js';
import { count } from '../../telling/problem-text.js';
import type { FleetOptions } from '../../fleet-command-line/fleet-options.js';
import { openedFleet } from '../../fleet-command-line/fleet-request.js';
import { fleetProblemsShown } from '../../fleet-command-line/tell-fleet.js';
import type { FleetRenderOptions } from './review-options.js';

type Options = GlobalOptions & FleetOptions & FleetRenderOptions;

/** What `fleet render` can show of sites. */
export type Rendered = 'inputs' | 'ignition';

/** Writes what sites are made of, or what was made of them, as a tree to read for each; of those that cannot be shown it is told. */
export async function renderFleet(what: Rendered, options: Options): Promise<void> {
  const { dir, out } = options;
  const keys = await accessOf(options).keys();
  const opened = openedFleet(options);
  if (!keys.ok || !opened.ok) {
    report(options, { problems: [keys, opened].flatMap(problemsOf) });
    return;
  }
  const access = accessWith(keys.value);
  const { tree, sites, problems } =
    what === 'inputs'
      ? renderedInputs(opened.value)
      : await renderedOutputs(opened.value, { dir, access, templates: ourTemplates() });
  const written = sites.length === 0 ? success(undefined) : replaceTree(out, tree, treeKind);
  const files = Object.keys(tree).length;
  const isWritten = written.ok && sites.length > 0;
  const shown = fleetProblemsShown(options, problems, opened.value.rows.length);
  const all = [...problemsOf(opened), ...shown].map((each) => fromWorkingDirectory(dir, each));
  reportFound(
    { ...options, dir: '.' },
    {
      problems: [...all, ...problemsOf(written)],
      text: isWritten
        ? `Wrote ${files} files of ${count(sites.length, 'site')} to ${out}. Keys, passwords and tokens are not in them.\n`
        : '',
      json: isWritten ? { tree: out, sites, files } : {},
    },
  );
}
