import { templatesFolder } from '../disk/own/package.js';
import type { Inputs } from '../graph/context.js';
import { goldenOutputs } from '../rehearsed-outputs.js';
import { recorded } from '../review/diff/review-side.js';
import { explode, type KnownTemplates } from '../review/explode.js';
import { keepingShownTexts } from '../review/shown-text.js';
import type { OutputFile } from '../core/output-file.js';
import type { Result } from '../core/result.js';
import { GroupedProblems, type FleetProblem } from '../fleet/grouped-problems.js';
import { judgeSite } from './judge-site.js';
import type { ReadFleet } from '../fleet/judge-fleet.js';
import { valuesOf } from './own-values.js';
import { secretVariables } from './secret-variables.js';
import { SharedTrees, type SharedTree } from './shared-tree.js';

/** How sites are made with stand-ins for keys. */
export interface GoldenMaking {
  readonly offlineFiles?: string;
  /** The constant files of this version. */
  readonly templates: KnownTemplates;
  readonly onSite?: (done: number) => void;
}

/** What came of it. */
export interface GoldenFleet {
  /** Each once, for all sites that have it. */
  readonly problems: readonly FleetProblem[];
  /** Absent where a site cannot be made. */
  readonly tree?: SharedTree;
}

/** What is made of every site with stand-ins, as one shared tree. Problems: fleet/…, those of every asset. */
export async function goldenFleet(
  read: ReadFleet,
  { templates, onSite = () => undefined, ...making }: GoldenMaking,
): Promise<GoldenFleet> {
  const { recording, used } = recorded(templates);
  const secret = secretVariables(read);
  const trees = new SharedTrees(read.rows.map((row) => ({ name: row.name, values: valuesOf(row, secret) })));
  const show = keepingShownTexts();
  const found = new GroupedProblems();
  let failed = 0;
  for (const [index, row] of read.rows.entries()) {
    const { judged, problems } = await judgeSite(read, row, (inputs) => madeOf(read, inputs, making));
    found.add(row.name, problems);
    if (judged.ok && failed === 0) trees.add(index, explode(judged.value, recording, show));
    if (!judged.ok) failed += 1;
    onSite(index + 1);
  }
  return { problems: found.list(), ...(failed === 0 && { tree: trees.shared(used()) }) };
}

function madeOf(
  { fleet }: ReadFleet,
  inputs: Inputs,
  making: Pick<GoldenMaking, 'offlineFiles'>,
): Promise<Result<readonly OutputFile[]>> {
  return goldenOutputs({ ...making, target: fleet.target, inputs, templatesFolder: templatesFolder() });
}
