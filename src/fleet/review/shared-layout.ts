import { programVersion } from '../../core/program-version.js';
import { readCsv } from '../../formats/table/csv.js';
import { templatesFolder } from '../../review/diff/review-side.js';
import { treeMark } from '../../review/output-tree.js';
import { fleetMark, goldenIndexLine } from '../../review/golden-tree.js';
import { linesOf, treeOf, type Tree, type TreeEntry } from '../../review/review-tree.js';
import type { SiteValues } from '../table/site-placeholders.js';
import type { SharedPart, SharedTree } from './shared-tree.js';

const tableName = 'sites.csv';
const allFolder = 'all/';
const membersName = 'sites.txt';
const withoutName = 'without.txt';

/**
 * Files of a shared tree: `index.txt`; `sites.csv` with the values of placeholders; `all/` with the texts of most sites; `groups/SITE/`
 * and `sites/SITE/` with texts that differ in several sites or in one; `templates/` with constant files of sno-install. In `groups/SITE/`,
 * `sites.txt` lists the sites. `without.txt` lists the paths of `all/` that these sites do not have.
 */
export function treeOnDisk(tree: SharedTree, target: string): Tree {
  return treeOf([
    ['index.txt', linesOf([`${treeMark}${programVersion}`, goldenIndexLine, `${fleetMark}${target}`])],
    [tableName, csvOf(tree.sites)],
    ...below(allFolder, tree.common),
    ...tree.parts.flatMap(partTexts),
    ...below(templatesFolder, tree.constants),
  ]);
}

function partTexts({ name, sites, texts, without }: SharedPart): readonly TreeEntry[] {
  return [
    ...(name.startsWith('sites/') ? [] : [[`${name}/${membersName}`, linesOf(sites)] as const]),
    ...(without.length === 0 ? [] : [[`${name}/${withoutName}`, linesOf(without)] as const]),
    ...below(`${name}/`, texts),
  ];
}

function below(folder: string, tree: Tree): readonly TreeEntry[] {
  return Object.entries(tree).map(([path, text]) => [`${folder}${path}`, text] as const);
}

export function isSharedIndex(index: string): boolean {
  return index.startsWith(treeMark) && index.split('\n').some((line) => line.startsWith(fleetMark));
}

/** Inverse of `treeOnDisk`; undefined for any other tree. */
export function readTreeOnDisk(tree: Tree): SharedTree | undefined {
  if (!isSharedIndex(tree['index.txt'] ?? '')) return undefined;
  const parts = new Map<string, { readonly texts: [string, string][]; sites: string[]; without: string[] }>();
  for (const [path, text] of Object.entries(tree)) {
    const [, name = '', rest = ''] = /^((?:groups|sites)\/[^/]+)\/(.*)$/s.exec(path) ?? [];
    if (name === '') continue;
    const own = name.startsWith('sites/') ? [name.slice('sites/'.length)] : [];
    const part = parts.get(name) ?? { texts: [], sites: own, without: [] };
    parts.set(name, part);
    if (rest === membersName) part.sites = linesIn(text);
    else if (rest === withoutName) part.without = linesIn(text);
    else part.texts.push([rest, text]);
  }
  return {
    sites: readTable(tree[tableName] ?? ''),
    common: belowIn(allFolder, tree),
    parts: [...parts].map(([name, part]) => ({ name, ...part, texts: Object.fromEntries(part.texts) })),
    constants: belowIn(templatesFolder, tree),
  };
}

function belowIn(folder: string, tree: Tree): Tree {
  const entries = Object.entries(tree).filter(([path]) => path.startsWith(folder));
  return Object.fromEntries(entries.map(([path, text]) => [path.slice(folder.length), text]));
}

function linesIn(text: string): string[] {
  return text.split('\n').filter((line) => line !== '');
}

/** One column for each name, starting with `name`. A missing value is an empty cell, since neither appears in a text. */
function csvOf(sites: ReadonlyMap<string, SiteValues>): string {
  const names = [...new Set([...sites.values()].flatMap((values) => [...values.keys()]))];
  const columns = names.filter((name) => name !== 'name');
  const rows = [...sites].map(([site, values]) => [site, ...columns.map((name) => values.get(name) ?? '')]);
  return linesOf([['name', ...columns], ...rows].map((cells) => cells.map(cellText).join(',')));
}

/** Source: RFC 4180 §2 */
function cellText(text: string): string {
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function readTable(text: string): ReadonlyMap<string, SiteValues> {
  const reading = readCsv(text);
  const [head = [], ...records] = reading.ok ? reading.records : [];
  return new Map(
    records.map((cells) => {
      const named = head.flatMap(({ text: name }, index): readonly (readonly [string, string])[] => {
        const value = cells[index]?.text ?? '';
        return value === '' ? [] : [[name, value]];
      });
      return [cells[0]?.text ?? '', new Map(named)];
    }),
  );
}
