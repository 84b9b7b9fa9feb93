// Which pages there are, and where each is on the site.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { kinds } from '../pages.mjs';

/** Paths are below this folder. */
export const repository = join(import.meta.dirname, '../..');

/** Pages that lie elsewhere on the site than in the repository. */
export const rewrites = {
  'site/home.md': 'index.md',
  'site/all-pages.md': 'pages.md',
  'site/decisions.md': 'docs/decisions/index.md',
};

/** Path and name of each decision, by their numbers. */
export const decisions = readdirSync(join(repository, 'docs/decisions'))
  .filter((name) => name.endsWith('.md'))
  .sort()
  .map((name) => [`docs/decisions/${name}`, titleOf(`docs/decisions/${name}`)]);

/** The path of every page. */
export const pages = [
  ...kinds.flatMap(({ groups }) =>
    groups.flatMap((group) => [...group.pages, ...group.more].map(([path]) => path)),
  ),
  ...decisions.map(([path]) => path),
  ...Object.keys(rewrites),
];

/** Where a page is on the site. */
export function addressOf(path) {
  return `/${rewrites[path] ?? path}`.replace(/(?:index)?\.md$/, (end) => (end === '.md' ? '.html' : ''));
}

/** Entries of a list of pages. */
export function linksOf(list) {
  return list.map(([path, text]) => ({ text, link: addressOf(path) }));
}

/** What lies beside the pages for programs: the schemas, at the path that they have in the repository. */
export const published = readdirSync(join(repository, 'docs'))
  .filter((name) => name.endsWith('.json'))
  .map((name) => `docs/${name}`);

/** A page's first line, without the mark of a heading. */
function titleOf(path) {
  return readFileSync(join(repository, path), 'utf8').split('\n', 1)[0].replace(/^# /, '');
}
