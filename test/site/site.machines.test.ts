import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import axe from 'axe-core';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { kinds } from '../../site/pages.mjs';
import { browserPage, browserProgram, type BrowserPage } from '../support/browser.js';
import { describeWith } from '../support/programs.js';
import { scratchFolder } from '../support/scratch.js';
import { servedFiles, type ServedFiles } from './served-files.js';
import { scaledMs } from '../support/time-scale.js';

/** Properties of a page after its scripts ran. */
interface Seen {
  readonly title: string;
  readonly width: number;
  readonly headings: readonly number[];
  readonly links: readonly string[];
  readonly ids: readonly string[];
}

const seen = `({
  title: document.title,
  width: document.documentElement.scrollWidth,
  headings: [...document.querySelectorAll('main :is(h1, h2, h3, h4, h5, h6)')].filter((each) => each.checkVisibility()).map(({ tagName }) => Number(tagName[1])),
  links: [...document.querySelectorAll('a[href]')].map(({ href }) => href),
  ids: [...document.querySelectorAll('[id]')].map(({ id }) => id),
})`;

/** Time limit in ms for a hundred pages on a busy machine. */
const patience = 900_000;

const narrow = { width: 360, height: 700 };
const wide = { width: 1280, height: 900 };

/** Opens a page and waits until its scripts have started. */
async function openWhole(page: BrowserPage, url: string): Promise<void> {
  await page.open(url);
  await expect
    .poll(() => page.is(`'__vue_app__' in document.querySelector('#app')`), { timeout: scaledMs(60_000) })
    .toBe(true);
  await page.is('new Promise((resolve) => requestIdleCallback(resolve))');
}

describeWith([browserProgram], 'the documentation as a site in Chromium', () => {
  const folder = scratchFolder();
  // The site is below a path, as on a host with many projects, so that links without the base path fail.
  const base = '/projects/sno-install/';
  let site: ServedFiles;
  beforeAll(async () => {
    const { status, stderr } = spawnSync(
      'npm',
      ['run', '--silent', 'site', '--', '--base', base, '--outDir', folder],
      { encoding: 'utf8' },
    );
    expect([status, stderr]).toEqual([0, expect.not.stringContaining('rror')]);
    site = await servedFiles(folder, base);
  }, patience);
  afterAll(() => {
    site.stop();
  });

  /** Requests of a page to other servers. */
  const elsewhere = (page: BrowserPage): readonly string[] =>
    page.requests().filter((url) => !url.startsWith(site.url) && !url.startsWith('data:'));

  const addresses = (): readonly string[] =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.html') && path !== '404.html')
      .map((path) => `${site.url}${path.replace(/(^|\/)index\.html$/, '$1')}`)
      .sort();

  test(
    'every page fits a narrow screen, loads no external files and has no broken links',
    async () => {
      const page = await browserPage(narrow);
      const pages = new Map<string, Seen>();
      for (const url of addresses()) {
        await openWhole(page, url);
        pages.set(url, await page.is<Seen>(seen));
      }

      const listed = kinds.flatMap(({ groups }) =>
        groups.flatMap((group) => [...group.pages, ...group.more]),
      );
      expect(pages.size).toBeGreaterThan(listed.length);
      expect(page.complaints()).toEqual([]);
      expect(elsewhere(page)).toEqual([]);
      const each = [...pages];
      expect(each.filter(([, { width }]) => width > narrow.width).map(([url]) => url)).toEqual([]);
      expect(each.filter(([, { headings }]) => !isOutline(headings))).toEqual([]);
      expect(new Set(each.map(([, { title }]) => title)).size).toBe(pages.size);
      const dead = each.flatMap(([url, { links }]) =>
        links.filter((link) => !leadsSomewhere(link, pages)).map((link) => [url, link]),
      );
      expect(dead).toEqual([]);
    },
    patience,
  );

  /** Whether a link leads to an existing page and anchor, to a file, or to an https address. */
  function leadsSomewhere(link: string, pages: ReadonlyMap<string, Seen>): boolean {
    const [address = '', anchor] = link.split('#');
    if (!address.startsWith(site.url)) return address.startsWith('https://');
    const target = pages.get(address);
    if (target === undefined) return existsSync(join(folder, address.slice(site.url.length)));
    return anchor === undefined || target.ids.includes(decodeURIComponent(anchor));
  }

  const ofEachKind = [
    '',
    'docs/tutorial.html',
    'docs/fleet.html',
    'docs/graph.html',
    'docs/coming-from.html',
    'docs/decisions/',
    'docs/decisions/0002-atomic-writes.html',
  ];
  test.each(['light', 'dark'])(
    'a page of each kind has no fault of accessibility in %s',
    async (scheme) => {
      const page = await browserPage(wide);
      await page.ask('Emulation.setEmulatedMedia', {
        features: [{ name: 'prefers-color-scheme', value: scheme }],
      });
      const judged: unknown[] = [];
      for (const path of ofEachKind) {
        await openWhole(page, `${site.url}${path}`);
        const isDark = await page.is(`document.documentElement.classList.contains('dark')`);
        judged.push([path, isDark, await accessibilityFaults(page)]);
      }
      const sound = { faults: [], hasContrast: true };
      expect(judged).toEqual(ofEachKind.map((path) => [path, scheme === 'dark', sound]));
    },
    patience,
  );

  test('searches offline and opens the result', async () => {
    const page = await browserPage(wide);
    await openWhole(page, site.url);
    await page.press('/');
    await expect.poll(() => page.is(`document.activeElement.id`)).toBe('localsearch-input');
    await page.press(...Array.from('config/replicas'));
    await expect
      .poll(() => page.is(`document.querySelector('#localsearch-list a')?.href`))
      .toBe(`${site.url}docs/problems.html#configreplicas`);
    await page.press('Enter');
    await expect.poll(() => page.is('location.href')).toBe(`${site.url}docs/problems.html#configreplicas`);
    expect(elsewhere(page)).toEqual([]);
    expect(page.complaints()).toEqual([]);
  });
});

/** Whether headings start at level one and skip no level. */
function isOutline([first, ...rest]: readonly number[]): boolean {
  return first === 1 && rest.every((level, index) => level > 1 && level - (rest[index - 1] ?? 1) <= 1);
}

/** Findings of axe on the page as displayed, contrast included. */
async function accessibilityFaults(page: BrowserPage): Promise<unknown> {
  await page.is(`${axe.source}\n;true`);
  return page.is(
    `axe.run(document).then(({ violations, passes }) => ({ faults: violations.map(({ id, nodes }) => [id, nodes.length, nodes[0].html]), hasContrast: passes.some(({ id }) => id === 'color-contrast') }))`,
  );
}
