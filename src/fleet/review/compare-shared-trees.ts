import { diffSides } from '../../review/diff/diff-sides.js';
import type { Difference } from '../../review/diff/difference.js';
import { sideOfTree, templatesFolder, type ReviewSide } from '../../review/diff/review-side.js';
import type { Tree } from '../../review/review-tree.js';
import { GroupedDifferences, mapTexts, type FleetDifferences } from './grouped-differences.js';
import { placeholdersFor, type Placeholders } from './placeholders.js';
import { valuesOfBoth, type SiteValues } from './site-placeholders.js';
import { pairNames } from './paired-names.js';
import { templatesOf, type SharedTree } from './shared-tree.js';
import { siteDifferences } from './site-differences.js';

interface SiteSide {
  readonly templates: ReadonlyMap<string, string>;
  readonly naming: Placeholders;
  readonly constants: Tree;
}

interface SitePair {
  readonly before: SiteSide;
  readonly after: SiteSide;
  /** Placeholders for the values of both sides; undefined if a value has changed. */
  readonly naming: Placeholders | undefined;
}

/** Compares two shared trees site by site. If many sites share the same pair of templates, the templates are compared once. */
export function compareSharedTrees(before: SharedTree, after: SharedTree): FleetDifferences {
  const { both, added, removed } = pairNames([...before.sites.keys()], [...after.sites.keys()]);
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
      : placeholdersFor(new Map(values.flatMap((each) => [...each])));
    grouped.add(index, compare({ before: earlier(name), after: later(name), naming }));
  }
  const constants = diffSides(constantSide(before), constantSide(after));
  return { compared: both.length, notCompared: [], added, removed, constants, groups: grouped.groups() };
}

function sidesOf(tree: SharedTree): (name: string) => SiteSide {
  const templates = templatesOf(tree);
  const { constants, sites } = tree;
  return (name) => ({
    templates: templates(name),
    naming: placeholdersFor(sites.get(name) ?? new Map()),
    constants,
  });
}

function constantSide({ constants }: SharedTree): ReviewSide {
  const named = Object.entries(constants).map(([name, text]) => [`${templatesFolder}${name}`, text] as const);
  return sideOfTree(Object.fromEntries(named));
}

/** Returns a function that compares a site and caches the differences of templates for other sites. */
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

/** Paths whose texts differ after the site's values are inserted. */
function differingPaths({ before, after, naming }: SitePair): readonly string[] {
  const paths = [...new Set([...before.templates.keys(), ...after.templates.keys()])];
  return paths.filter((path) => {
    const [earlier, later] = [before.templates.get(path), after.templates.get(path)];
    if (earlier === undefined || later === undefined) return true;
    if (earlier === later && naming !== undefined) return false;
    return before.naming.filled(earlier) !== after.naming.filled(later);
  });
}

/** Whether different lines of the templates stay different with the site's values. Line differences of the templates are then valid. */
function keepsLines(templates: readonly (string | undefined)[], { filled }: Placeholders): boolean {
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
      // An equal text can have different templates; use one of them for both sides.
      const [shown, by] = differing.has(path) ? [text, side] : [before.templates.get(path) ?? text, before];
      return [textOf(path, side), textOf(shown, by)];
    });
    return sideOfTree(Object.fromEntries(entries), side.constants);
  });
  return left === undefined || right === undefined ? [] : siteDifferences(left, right);
}

/** Whether a value has changed. A value that only one side uses does not count. */
function hasOtherValues(before: SiteValues, after: SiteValues): boolean {
  return [...before].some(([name, value]) => (after.get(name) ?? value) !== value);
}
