import type { BmcClient } from './bmc-client.js';
import { BmcFault } from './bmc-fault.js';
import { linksAt, maxListEntries, textAt, type Resource } from './resource.js';

/** Far above the members of a machine's collections; ends a list of pages that does not end. */
const maxPages = 100;

/** Paths of all members of a collection, page by page. Source: DSP0266, "Resource collections". Throws BmcFault. */
export async function memberPaths(client: Pick<BmcClient, 'get'>, path: string): Promise<readonly string[]> {
  return membersOf(client, await client.get(path));
}

/** Like `memberPaths`, for a collection whose first page is known. */
export async function membersOf(client: Pick<BmcClient, 'get'>, first: Resource): Promise<readonly string[]> {
  const members = new Set<string>();
  const pages = new Set<string>();
  for (let page = first; ;) {
    for (const member of linksAt(page.data, 'Members')) members.add(member);
    if (members.size > maxListEntries) throw new BmcFault('refused', 'a collection has too many members');
    pages.add(page.path);
    // Without the name of the list in OData itself. Source: OData JSON Format 4.01, nextLink
    const link = textAt(page.data, 'Members@odata.nextLink') ?? textAt(page.data, '@odata.nextLink');
    const next = link === undefined ? undefined : pathOf(link);
    if (next === undefined || pages.has(next)) return [...members];
    if (pages.size >= maxPages) throw new BmcFault('refused', 'a collection has too many pages');
    page = await client.get(next);
  }
}

/** Some BMCs write complete URLs with their own host name; the request goes to the same BMC in any case. */
function pathOf(link: string): string | undefined {
  if (!URL.canParse(link, 'https://bmc')) return undefined;
  const { pathname, search } = new URL(link, 'https://bmc');
  return `${pathname}${search}`;
}
