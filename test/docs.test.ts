import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { expect, it, test } from 'vitest';

import { kinds } from '../site/pages.mjs';
import { trackedFiles } from './support/tracked-files.js';

const documents = ['docs', 'docs/how-to', 'docs/commands']
  .flatMap((folder) => readdirSync(folder).map((name) => `${folder}/${name}`))
  .filter((path) => path.endsWith('.md'))
  .sort();

it('the generated documents are up to date', () => {
  const { status, stderr } = spawnSync(process.execPath, ['scripts/generate-docs.mjs', '--check'], {
    encoding: 'utf8',
  });

  expect([status, stderr]).toEqual([0, '']);
});

it('links lead from the README to every document', () => {
  const found = new Set(['README.md']);
  for (const page of found) {
    const text = readFileSync(page, 'utf8');
    for (const [, path = ''] of text.matchAll(/\]\((?!https?:)([^)#\s]+\.md)[^)]*\)/g))
      found.add(join(dirname(page), path));
  }
  expect(documents.filter((path) => !found.has(path))).toEqual([]);
});

it('the site lists every existing document once (site/pages.mjs)', () => {
  const groups = kinds.flatMap((kind) => kind.groups);
  const pages = groups.flatMap((group) => [...group.pages, ...group.more]);
  const paths = pages.map(([path]) => path);

  expect(paths.filter((path) => path.startsWith('docs/')).sort()).toEqual(documents);
  expect(paths.filter((path) => !existsSync(path))).toEqual([]);
  expect(new Set(pages.map(([, name]) => name)).size).toBe(pages.length);
  expect(groups.flatMap((group) => group.pages).length).toBeLessThanOrEqual(25);
});

it('each promise of SECURITY.md has a test, and the page is within reach of the README', () => {
  const page = readFileSync('SECURITY.md', 'utf8');
  const [, table = ''] = page.split('## Promises');
  const rows = table.split('\n').filter((line) => /^\| (?!promise|-)/.test(line));
  const tests = rows.map((row) => /`(test\/[^`]+)` *\|$/.exec(row)?.[1] ?? row);

  expect(tests.filter((path) => !existsSync(path))).toEqual([]);
  expect(tests.length).toBeGreaterThan(10);
  expect(readFileSync('README.md', 'utf8')).toContain('(SECURITY.md)');
});

/** Anchors of a page's headings. Source: github.com/gjtorikian/html-pipeline, toc filter */
function anchorsOf(path: string): readonly string[] {
  const lines = readFileSync(path, 'utf8').replaceAll(/^```.*?^```/gms, '');
  return [...lines.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

test.each(trackedFiles('.').filter((path) => /^(?:docs\/.*|bench\/.*|[^/]*)\.md$/.test(path)))(
  'the links of %s resolve, and its output blocks are current',
  (page) => {
    const text = readFileSync(page, 'utf8')
      .replaceAll(/^```.*?^```/gms, '')
      .replaceAll(/`[^`\n]*`/g, '');
    const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);
    const dead = links
      .filter((link) => !/^https?:/.test(link))
      .filter((link) => {
        const [path = '', anchor] = link.split('#');
        const target = path === '' ? page : join(dirname(page), path);
        return !existsSync(target) || (anchor !== undefined && !anchorsOf(target).includes(anchor));
      });
    expect(dead).toEqual([]);

    // A reader sees the title of the page, not the name of its file.
    expect([...text.matchAll(/\[([\w./-]+\.md)\]\(/g)].map(([, name]) => name)).toEqual([]);

    // Git hosts drop text in angle brackets outside code, and the site build rejects it.
    const withoutComments = text.replaceAll(/<!--.*?-->/gs, '');
    expect([...withoutComments.matchAll(/(?<!\\)<(?!https?:)[A-Za-z/][^>]*>/g)].map(([tag]) => tag)).toEqual(
      [],
    );
  },
);
