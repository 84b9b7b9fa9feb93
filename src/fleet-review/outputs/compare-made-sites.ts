import type { OutputFile } from '../../core/output-file.js';
import { isError, type Problem } from '../../core/problem.js';
import { GroupedProblems, type FleetProblem } from '../../fleet/grouped-problems.js';
import type { Difference } from '../../review/diff/difference.js';
import { sideOfOutputs } from '../../review/diff/review-side.js';
import { keepingShownTexts } from '../../review/shown-text.js';
import { GroupedDifferences, type FleetDifferences } from '../grouped-differences.js';
import type { SiteValues } from '../own-values.js';
import { pairedNames } from '../paired-names.js';
import { siteDifferences } from '../site-differences.js';
import { infrastructureOf, withoutDraws } from './without-draws.js';

/** One of two things to compare: which sites it has, and the outputs of each. */
export interface OutputsSide {
  readonly sites: readonly string[];
  readonly outputsOf: (site: string) => Promise<OutputsOfSide>;
}

/** The outputs of a site on one side. */
export interface OutputsOfSide {
  readonly files: readonly OutputFile[];
  readonly problems: readonly Problem[];
  /** Whether it is known without looking that they are those of the other side. */
  readonly isAsOther?: boolean;
}

/** What came of a comparison of outputs. */
export interface ComparedOutputs {
  readonly found: FleetDifferences;
  /** Each once, for all sites that have it. */
  readonly problems: readonly FleetProblem[];
}

/** How outputs are compared. */
export interface OutputsComparing {
  /** What stands by its name in what several sites have. */
  readonly valuesOf: (site: string) => SiteValues;
  readonly onSite?: (done: number) => void;
}

/**
 * What differs in the outputs of sites, one site after another. Of a site that cannot be read on one side that is told, and the others
 * are compared.
 */
export async function compareOutputs(
  before: OutputsSide,
  after: OutputsSide,
  { valuesOf, onSite = () => undefined }: OutputsComparing,
): Promise<ComparedOutputs> {
  const { both, added, removed } = pairedNames(before.sites, after.sites);
  const grouped = new GroupedDifferences(both.map((name) => ({ name, values: valuesOf(name) })));
  const problems = new GroupedProblems();
  const differences = comparison();
  let compared = 0;
  for (const [index, name] of both.entries()) {
    const later = await after.outputsOf(name);
    const earlier = later.isAsOther === true ? later : await before.outputsOf(name);
    const sides = earlier.isAsOther === true ? [earlier] : [earlier, later];
    const found = sides.flatMap((side) => side.problems);
    problems.add(name, found);
    const isRead = !found.some((each) => isError(each) && each.code !== 'fleet/output-gone');
    if (isRead) {
      compared += 1;
      if (sides.every(({ isAsOther }) => isAsOther !== true))
        grouped.add(index, differences(earlier.files, later.files));
    }
    onSite(index + 1);
  }
  const found = { compared, added, removed, constants: [], groups: grouped.groups() };
  return { found, problems: problems.list() };
}

function comparison(): (
  before: readonly OutputFile[],
  after: readonly OutputFile[],
) => readonly Difference[] {
  const show = keepingShownTexts();
  return (before, after) => {
    if (areSame(before, after)) return [];
    const [earlier, later] = [before, after].map((files) => sideOfOutputs(files, undefined, show));
    const ids = [before, after].map(infrastructureOf);
    const found = earlier && later ? siteDifferences(earlier, later) : [];
    return found.map((each) => withoutDraws(each, ids));
  };
}

function areSame(before: readonly OutputFile[], after: readonly OutputFile[]): boolean {
  const later = new Map(after.map((file) => [file.path, file]));
  return (
    before.length === later.size &&
    before.every(({ path, mode, contents }) => {
      const other = later.get(path);
      return other?.mode === mode && Buffer.from(contents).equals(Buffer.from(other.contents));
    })
  );
}
