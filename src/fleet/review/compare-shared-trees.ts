import { sheetOfTree } from '../../review/sheet/sheet-of-tree.js';
import { sheetDifferences } from '../../review/sheet/sheet-differences.js';
import type { Sheet } from '../../review/sheet/sheet.js';
import { diffSides } from '../../review/diff/diff-sides.js';
import type { Difference } from '../../review/diff/difference.js';
import { locateInTree, parseIndex } from '../../review/diff/index-entries.js';
import { sideOfTree, templatesFolder, type ReviewSide } from '../../review/diff/review-side.js';
import type { Tree } from '../../review/review-tree.js';
import {
  GroupedDifferences,
  mapTexts,
  mostAddedSheets,
  type FleetDifferences,
} from './grouped-differences.js';
import { placeholdersFor, type Placeholders } from './placeholders.js';
import { valuesOfBoth, type SiteValues } from '../table/site-placeholders.js';
import { pairNames } from './paired-names.js';
import { templatesOf, type SharedTree } from './shared-tree.js';
import { siteDifferences } from './site-differences.js';

interface SiteSide {
  readonly templates: ReadonlyMap<string, string>;
  readonly naming: Placeholders;
  readonly constants: Tree;
  /** Whole paths by template, for templates of the other side. */
  readonly paths: ReadonlyMap<string, string>;
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
    const [one, other] = [earlier(name), later(name)];
    grouped.add(index, compare({ before: one, after: withPathsOf(one, other), naming }));
  }
  const constants = diffSides(constantSide(before), constantSide(after));
  return {
    compared: both.length,
    notCompared: [],
    added,
    addedSheets: added.slice(0, mostAddedSheets).flatMap((site) => {
      const sheet = filledSheet(later(site));
      return sheet === undefined ? [] : [{ site, sheet }];
    }),
    removed,
    constants,
    groups: grouped.groups(),
  };
}

function sidesOf(tree: SharedTree): (name: string) => SiteSide {
  const templates = templatesOf(tree);
  const { constants, sites } = tree;
  return (name) => ({
    templates: templates(name),
    naming: placeholdersFor(sites.get(name) ?? new Map()),
    constants,
    paths: new Map(),
  });
}

/** A path can have a different template in each tree. Use the one of `before` for paths that are the same with the site's values. */
function withPathsOf(before: SiteSide, after: SiteSide): SiteSide {
  const added = [...after.templates.keys()].filter((path) => !before.templates.has(path));
  if (added.length === 0) return after;
  const removed = [...before.templates.keys()].filter((path) => !after.templates.has(path));
  const known = new Map(removed.map((path) => [before.naming.filled(path), path]));
  const paths = new Map<string, string>();
  const templates = [...after.templates].map(([path, text]) => {
    const whole = after.naming.filled(path);
    const other = before.templates.has(path) ? undefined : known.get(whole);
    if (other !== undefined) paths.set(other, whole);
    return [other ?? path, text] as const;
  });
  return { ...after, templates: new Map(templates), paths };
}

function constantSide({ constants }: SharedTree): ReviewSide {
  const named = Object.entries(constants).map(([name, text]) => [`${templatesFolder}${name}`, text] as const);
  return sideOfTree(Object.fromEntries(named));
}

/** Returns a function that compares a site and caches the differences of templates for other sites. */
function comparison(): (pair: SitePair) => readonly Difference[] {
  const known = new Map<string, readonly Difference[]>();
  const listed = new ListedPaths();
  const numberOf = numbering();
  const sheets = sheetComparison();
  return (pair) => {
    const { before, after, naming } = pair;
    const paths = differingPaths(pair);
    if (paths.length === 0) return [];
    const ofSheet = sheets(pair);
    const texts = paths.map((path) => [before, after].map(({ templates }) => templates.get(path)));
    const isListed = [before, after].every(({ templates }) => listed.has(paths, templates));
    if (
      naming === undefined ||
      after.paths.size > 0 ||
      !isListed ||
      !texts.every((both) => keepsLines(both, naming))
    )
      return [...ofSheet, ...differencesAt(paths, pair, filledText)];
    const key = texts.map((both, index) => [paths[index], ...both].map(numberOf).join()).join(' ');
    const ofTemplates = known.get(key) ?? differencesAt(paths, pair, (text) => text);
    known.set(key, ofTemplates);
    return [...ofSheet, ...ofTemplates.map((each) => mapTexts(each, naming.filled))];
  };
}

/**
 * Returns a function that compares the sheets of a site. Sites with the same templates share a comparison of these, if its differences,
 * with the values of the first site inserted, are exactly the differences of that site.
 */
function sheetComparison(): (pair: SitePair) => readonly Difference[] {
  const known = new Map<string, readonly Difference[] | undefined>();
  const numberOf = numbering();
  return (pair) => {
    const { before, after, naming } = pair;
    if (naming === undefined || after.paths.size > 0) return filledSheets(pair);
    const key = [before, after]
      .map(({ templates }) => [...templates].map((entry) => entry.map(numberOf).join(' ')).join())
      .join('\n');
    if (!known.has(key)) {
      const found = sheetDifferences(templateSheet(before), templateSheet(after));
      const inserted = found.map((each) => mapTexts(each, naming.filled));
      known.set(key, JSON.stringify(inserted) === JSON.stringify(filledSheets(pair)) ? found : undefined);
    }
    return known.get(key)?.map((each) => mapTexts(each, naming.filled)) ?? filledSheets(pair);
  };
}

function numbering(): (text: string | undefined) => number {
  const numbers = new Map<string | undefined, number>();
  return (text) => {
    const number = numbers.get(text) ?? numbers.size;
    numbers.set(text, number);
    return number;
  };
}

function filledSheets({ before, after }: SitePair): readonly Difference[] {
  return sheetDifferences(filledSheet(before), filledSheet(after));
}

function filledSheet(side: SiteSide): Sheet | undefined {
  return sheetOfTree(treeOfSide(side, filledText), side.constants);
}

function templateSheet({ templates, constants }: SiteSide): Sheet | undefined {
  return sheetOfTree(Object.fromEntries(templates), constants);
}

function filledText(template: string, { naming }: SiteSide): string {
  return naming.filled(template);
}

function treeOfSide(side: SiteSide, textOf: (template: string, side: SiteSide) => string): Tree {
  return Object.fromEntries(
    [...side.templates].map(([path, text]) => [
      side.paths.get(path) ?? textOf(path, side),
      textOf(text, side),
    ]),
  );
}

/** Whether the index of a config lists files by the templates of their paths. Only then do templates alone show which file is meant. */
class ListedPaths {
  readonly #byIndex = new Map<string, ReadonlySet<string>>();

  has(paths: readonly string[], templates: ReadonlyMap<string, string>): boolean {
    return paths.every((path) => {
      const { of, part, path: within } = locateInTree(path);
      if (!templates.has(path) || part !== 'entry') return part !== 'output' || !path.includes('${');
      return this.#pathsIn(templates.get(`${of}.d/index.txt`) ?? '').has(within);
    });
  }

  #pathsIn(index: string): ReadonlySet<string> {
    const known = this.#byIndex.get(index) ?? new Set(parseIndex(index).map(({ treePath }) => treePath));
    this.#byIndex.set(index, known);
    return known;
  }
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
      return [side.paths.get(path) ?? textOf(path, side), textOf(shown, by)];
    });
    return sideOfTree(Object.fromEntries(entries), side.constants);
  });
  return left === undefined || right === undefined ? [] : siteDifferences(left, right);
}

/** Whether a value has changed. A value that only one side uses does not count. */
function hasOtherValues(before: SiteValues, after: SiteValues): boolean {
  return [...before].some(([name, value]) => (after.get(name) ?? value) !== value);
}
