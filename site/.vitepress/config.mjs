// The documentation as a site: the Markdown of this repository as it is, in the kinds and the order of ../pages.mjs. `npm run site` builds it.
import { copyFileSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { kinds } from '../pages.mjs';
import { addressOf, linksOf, pages, published, repository, rewrites } from './addresses.mjs';
import { withDiagrams } from './diagrams.mjs';
import { withLinksOfSite } from './links.mjs';
import { slugOf } from './slug.mjs';

const { version } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8'));
/** URL of the repository, from `npm run site -- --repository URL`. */
const sourceUrl = process.env.SITE_REPOSITORY;

/** @type {import('vitepress').UserConfig} */
export default {
  lang: 'en',
  title: 'sno-install',
  description: 'Turns an install-config.yaml into the Ignition configs of single-node OpenShift',
  // A data URI, because VitePress does not add the base path to links in the head.
  head: [['link', { rel: 'icon', type: 'image/svg+xml', href: favicon() }]],
  srcDir: repository,
  srcExclude: excluded(),
  outDir: join(repository, 'out/site'),
  cacheDir: join(repository, '.cache/site'),
  rewrites,
  markdown: {
    anchor: { slugify: slugOf },
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    languageAlias: { gitignore: 'ini', console: 'shellsession' },
    config(md) {
      withLinksOfSite(md);
      withDiagrams(md);
      withPlainCode(md);
    },
  },
  vite: { plugins: [vueOfSite()], build: { chunkSizeWarningLimit: 2000 } },
  themeConfig: {
    search: { provider: 'local' },
    nav: [
      ...kinds.map(({ name, groups }) => ({ text: name, link: addressOf(groups[0].pages[0][0]) })),
      { text: 'All pages', link: addressOf('site/all-pages.md') },
      { text: version, link: addressOf('CHANGELOG.md') },
      ...(sourceUrl ? [{ text: 'Source', link: sourceUrl }] : []),
    ],
    // Groups do not fold: the row of a folding group is a button, which may not contain a link.
    sidebar: kinds.flatMap(({ groups }) =>
      groups.map(({ name, pages }) => ({ text: name, items: linksOf(pages) })),
    ),
    outline: { level: [2, 3] },
  },
  buildEnd({ outDir }) {
    for (const path of published) copyFileSync(join(repository, path), join(outDir, path));
  },
};

/**
 * Code within a line is text, as that in blocks is: two braces in it are no expression of Vue. Short words with a hyphen, such as
 * `--copy-network`, stay on one line.
 */
function withPlainCode(md) {
  const { code_inline: inline } = md.renderer.rules;
  md.renderer.rules.code_inline = (...of) =>
    inline(...of)
      .replace(/^<code(?! v-pre)/, '<code v-pre')
      .replace(/(?<=>)[^<]*/, (text) =>
        text.replace(/[^\s-]*-\S*/g, (word) =>
          word.length <= 20 ? `<span class="word">${word}</span>` : word,
        ),
      );
}

function favicon() {
  const svg = readFileSync(join(repository, 'site/favicon.svg'), 'utf8');
  return `data:image/svg+xml,${encodeURIComponent(svg.trim())}`;
}

/** What VitePress is not to look through for pages. */
function excluded() {
  return readdirSync(repository, { withFileTypes: true })
    .filter(({ name }) => !pages.some((page) => page.split('/')[0] === name))
    .map((entry) => (entry.isDirectory() ? `${entry.name}/**` : entry.name));
}

/** Vite looks for packages beside the pages, and they are beside this folder. */
function vueOfSite() {
  return {
    name: 'vue-of-site',
    enforce: 'pre',
    resolveId: (id, _, { ssr }) => (ssr && /^vue(?:\/|$)/.test(id) ? { id, external: true } : undefined),
  };
}
