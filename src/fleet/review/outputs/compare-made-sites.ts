import type { OutputFile } from '../../../core/output-file.js';
import { type Problem, isError } from '../../../core/problem.js';
import { type FleetProblem, GroupedProblems } from '../../grouped-problems.js';
import type { SiteRow } from '../../site-table.js';
import { parseJson } from '../../../formats/json.js';
import { textAt } from '../../../kube/fields.js';
import type { Difference } from '../../../review/diff/difference.js';
import { sideOfOutputs } from '../../../review/diff/review-side.js';
import { keepingShownTexts } from '../../../review/shown-text.js';
import { inOrder } from '../../../run/threads/in-order.js';
import type { Workers } from '../../../run/threads/workers.js';
import { type FleetDifferences, GroupedDifferences, mapTexts } from '../grouped-differences.js';
import type { SiteValues } from '../own-values.js';
import type { PairedNames } from '../paired-names.js';
import { siteDifferences } from '../site-differences.js';

/** A site whose outputs are compared. */
export interface MadeSite {
  readonly name: string;
  /** With the variables that all sites share; absent where no side is a fleet. */
  readonly row?: SiteRow;
}

/** Gives the outputs of sites on one side. */
export type OutputsOf = (site: MadeSite) => Promise<OutputsOfSide>;

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

/** What came of one site. */
export interface ComparedOutputsOfSite {
  /** On both sides. */
  readonly problems: readonly Problem[];
  /** Absent where it cannot be read on one side. */
  readonly differences?: readonly Difference[];
}

/** How outputs are compared. */
export interface OutputsComparing {
  readonly workers: Workers<MadeSite, ComparedOutputsOfSite>;
  /** What a site is compared by. */
  readonly siteOf: (name: string) => MadeSite;
  /** What stands by its name in what several sites have. */
  readonly valuesOf: (site: string) => SiteValues;
  readonly onSite?: (done: number) => void;
}

/** What differs in the outputs of sites. Of a site that cannot be read on one side that is told, and the others are compared. */
export async function compareOutputs(
  { both, added, removed }: PairedNames,
  { workers, siteOf, valuesOf, onSite = () => undefined }: OutputsComparing,
): Promise<ComparedOutputs> {
  const grouped = new GroupedDifferences(both.map((name) => ({ name, values: valuesOf(name) })));
  const problems = new GroupedProblems();
  const compare = (name: string): Promise<ComparedOutputsOfSite> => workers.run(siteOf(name));
  let [done, compared] = [0, 0];
  for await (const [name, site] of inOrder(both, workers.atOnce, compare)) {
    problems.add(name, site.problems);
    if (site.differences !== undefined) {
      compared += 1;
      grouped.add(done, site.differences);
    }
    done += 1;
    onSite(done);
  }
  const found = { compared, added, removed, constants: [], groups: grouped.groups() };
  return { found, problems: problems.list() };
}

/** Compares the outputs of one site after the other. What is as on the other side is not read. */
export function outputsComparer([before, after]: readonly [OutputsOf, OutputsOf]): (
  site: MadeSite,
) => Promise<ComparedOutputsOfSite> {
  const differences = comparison();
  return async (site) => {
    const later = await after(site);
    const earlier = later.isAsOther === true ? later : await before(site);
    const sides = earlier.isAsOther === true ? [earlier] : [earlier, later];
    const problems = sides.flatMap((side) => side.problems);
    if (problems.some((each) => isError(each) && each.code !== 'fleet/output-gone')) return { problems };
    const isSame = sides.some(({ isAsOther }) => isAsOther === true);
    return { problems, differences: isSame ? [] : differences(earlier.files, later.files) };
  };
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

/**
 * What each site has of its own because it was drawn for it, or is the time at which it was made, as trees and texts show it. Otherwise
 * no two sites would have one difference.
 */
const drawn: readonly (readonly [RegExp, string])[] = [
  // Times of certificates, in each form in which they stand on the node.
  [/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, '<time>'],
  [/\b\d{4}-\d\d-\d\d \d\d:\d\d UTC/g, '<time>'],
  [/(?<=\bSNO_NOT_(?:BEFORE|AFTER)=')\d+/g, '<time>'],
  // The first digits of a public key's hash, behind its kind.
  [/(?<=\b(?:rsa-\d+|ec-[\w-]+|ed25519) )[0-9a-f]{8}\b/g, '<key>'],
  [/(?<=\b(?:ssh-(?:rsa|ed25519)|ecdsa-sha2-\S+) )[A-Za-z0-9+/]{40,}={0,2}/g, '<key>'],
  [/\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, '<id>'],
];

/** The id that the outputs of a site give its infrastructure; empty where they give none. */
function infrastructureOf(files: readonly OutputFile[]): string {
  const metadata = files.find(({ path }) => path === 'metadata.json');
  const text = Buffer.from(metadata?.contents ?? '').toString('utf8');
  return textAt(parseJson(text), ['infraID']) ?? '';
}

/** A difference in which what was drawn stands as what it is, so that sites can have it in common; `infrastructures` are ids of the site. */
function withoutDraws(difference: Difference, infrastructures: readonly string[]): Difference {
  const ids = infrastructures.filter((id) => id !== '');
  return mapTexts(difference, (text) => {
    const named = ids.reduce((shown, id) => shown.replaceAll(id, '<infrastructure>'), text);
    return drawn.reduce((shown, [pattern, name]) => shown.replace(pattern, name), named);
  });
}
