import { diffSides } from '../../review/diff/diff-sides.js';
import type { Difference } from '../../review/diff/difference.js';
import { sideOfTree, templatesFolder, type ReviewSide } from '../../review/diff/review-side.js';
import type { Tree } from '../../review/review-tree.js';
import { GroupedDifferences, mapTexts, type FleetDifferences } from './grouped-differences.js';
import { namingOf, type Naming } from './naming.js';
import { valuesOfBoth, type SiteValues } from './own-values.js';
import { pairedNames } from './paired-names.js';
import { templatesOf, type SharedTree } from './shared-tree.js';
import { siteDifferences } from './site-differences.js';

/** The tree of a site on one side. */
interface SiteSide {
  readonly templates: ReadonlyMap<string, string>;
  readonly naming: Naming;
  readonly constants: Tree;
}

/** A site on both sides. */
interface SitePair {
  readonly before: SiteSide;
  readonly after: SiteSide;
  /** Of the values of both sides; undefined where one of them is another now. */
  readonly naming: Naming | undefined;
}

/** Compares two shared trees site by site; where the same templates differ in many sites, these are compared once. */
export function compareShared(before: SharedTree, after: SharedTree): FleetDifferences {
  const { both, added, removed } = pairedNames([...before.sites.keys()], [...after.sites.keys()]);
  const valuesAt = (name: string): readonly [SiteValues, SiteValues] => [
    before.sites.get(name) ?? new Map(),
    after.sites.get(name) ?? new Map(),
  ];
  const grouped = new GroupedDifferences(
    both.map((name) => ({ name, values: valuesOfBoth(...valuesAt(name)) })),
  );
  const [earlier, later] = [sidesOf(before), sidesOf(after)];
  const compare = comparison();
  for (const [index, name] of both.entries()) {
    const values = valuesAt(name);
    const naming = hasOtherValues(...values)
      ? undefined
      : namingOf(new Map(values.flatMap((each) => [...each])));
    grouped.add(index, compare({ before: earlier(name), after: later(name), naming }));
  }
  const constants = diffSides(constantSide(before), constantSide(after));
  return { compared: both.length, added, removed, constants, groups: grouped.groups() };
}

function sidesOf(tree: SharedTree): (name: string) => SiteSide {
  const templates = templatesOf(tree);
  const { constants, sites } = tree;
  return (name) => ({
    templates: templates(name),
    naming: namingOf(sites.get(name) ?? new Map()),
    constants,
  });
}

function constantSide({ constants }: SharedTree): ReviewSide {
  const named = Object.entries(constants).map(([name, text]) => [`${templatesFolder}${name}`, text] as const);
  return sideOfTree(Object.fromEntries(named));
}

/** Compares sites one after another; what came of templates is kept for the sites that have the same. */
function comparison(): (pair: SitePair) => readonly Difference[] {
  const known = new Map<string, readonly Difference[]>();
  const numbers = new Map<string | undefined, number>();
  const numberOf = (text: string | undefined): number => {
    const number = numbers.get(text) ?? numbers.size;
    numbers.set(text, number);
    return number;
  };
  return (pair) => {
    const { before, after, naming } = pair;
    const paths = differingPaths(pair);
    if (paths.length === 0) return [];
    const texts = paths.map((path) => [before, after].map(({ templates }) => templates.get(path)));
    if (naming === undefined || !texts.every((both) => keepsLines(both, naming)))
      return differencesAt(paths, pair, (text, side) => side.naming.filled(text));
    const key = texts.map((both, index) => [paths[index], ...both].map(numberOf).join()).join(' ');
    const ofTemplates = known.get(key) ?? differencesAt(paths, pair, (text) => text);
    known.set(key, ofTemplates);
    return ofTemplates.map((each) => mapTexts(each, naming.filled));
  };
}

/** Paths at which what a site has is another, whatever its templates say. */
function differingPaths({ before, after, naming }: SitePair): readonly string[] {
  const paths = [...new Set([...before.templates.keys(), ...after.templates.keys()])];
  return paths.filter((path) => {
    const [earlier, later] = [before.templates.get(path), after.templates.get(path)];
    if (earlier === undefined || later === undefined) return true;
    if (earlier === later && naming !== undefined) return false;
    return before.naming.filled(earlier) !== after.naming.filled(later);
  });
}

/** Whether lines of templates that are different are so with the values of a site, too: then they differ in the same way. */
function keepsLines(templates: readonly (string | undefined)[], { filled }: Naming): boolean {
  const lines = new Set(templates.flatMap((text) => text?.split('\n') ?? []));
  return new Set([...lines].map(filled)).size === lines.size;
}

function differencesAt(
  paths: readonly string[],
  { before, after }: SitePair,
  textOf: (template: string, side: SiteSide) => string,
): readonly Difference[] {
  const differing = new Set(paths);
  const [left, right] = [before, after].map((side) => {
    const entries = [...side.templates].map(([path, text]): readonly [string, string] => {
      // What is said in another way and is the same stands on both sides as it does on one.
      const [shown, by] = differing.has(path) ? [text, side] : [before.templates.get(path) ?? text, before];
      return [textOf(path, side), textOf(shown, by)];
    });
    return sideOfTree(Object.fromEntries(entries), side.constants);
  });
  return left === undefined || right === undefined ? [] : siteDifferences(left, right);
}

/** Whether a value is another on the other side; what stands in the texts of one side alone is none. */
function hasOtherValues(before: SiteValues, after: SiteValues): boolean {
  return [...before].some(([name, value]) => (after.get(name) ?? value) !== value);
}
