import { dirname, join, relative } from 'node:path/posix';

import { addressOf, pages, published, repository } from './addresses.mjs';

/** Pages that replace folders. */
const folders = { 'docs/decisions/': 'site/decisions.md' };

/**
 * Brings links, which lead from file to file as on a host of Git, to the site: each page by its own address, a published file at its path.
 * Files that are only in the repository are named without a link.
 */
export function withLinksOfSite(md) {
  md.core.ruler.after('inline', 'links-of-site', ({ tokens, env }) => {
    const file = env.realPath ?? env.path;
    // A title that is read by itself.
    if (file === undefined) return;
    const folder = dirname(relative(repository, file));
    for (const { children } of tokens) {
      for (const [index, token] of (children ?? []).entries()) {
        const href = token.type === 'link_open' ? token.attrGet('href') : '#';
        if (/^(?:[a-z]+:|#|\/)/.test(href)) continue;
        const [path, ...anchor] = href.split('#');
        const target = folders[join(folder, path)] ?? join(folder, path);
        if (pages.includes(target)) token.attrSet('href', [addressOf(target), ...anchor].join('#'));
        else if (published.includes(target)) token.attrSet('href', `/${target}`);
        else withoutLink(children, index);
      }
    }
  });
}

function withoutLink(tokens, opening) {
  const closing = tokens.findIndex(({ type }, index) => index > opening && type === 'link_close');
  for (const index of [opening, closing]) {
    tokens[index].type = index === opening ? 'span_open' : 'span_close';
    tokens[index].tag = 'span';
    tokens[index].attrs = null;
  }
}
