import type { Problem } from '../../core/problem.js';
import { ownTemplates } from '../../disk/program-files/templates.js';
import { sheetOfOutputs } from '../../review/sheet/sheet-differences.js';
import { sheetMarkdown } from '../../review/sheet/show-sheet.js';
import { renderedNotes } from '../../review/tree-kind.js';
import { goldenOutputs } from '../../run/dry-run-outputs.js';
import { inOrder, type Workers } from '../threads/in-order.js';
import { completeRows, type LoadedFleet } from '../check-fleet.js';
import { checkSiteFiles, type SiteInputSources } from '../check-site-files.js';
import type { SiteRow } from '../site-table.js';
import { RenderedSitesBuilder, type RenderedSites } from './outputs/collected-sites.js';

/** Result for one site. */
export interface RenderedSheet {
  readonly problems: readonly Problem[];
  /** Markdown; absent if the site cannot be rendered. */
  readonly text?: string;
}

/** File name of a sheet in the folder of its site. */
export const sheetName = 'sheet.md';

/** Returns a function that renders a site in memory and reads its sheet. Problems: fleet/…, those of every asset. */
export function sheetRenderer(
  origin: SiteInputSources,
  settings: { readonly offlineFiles?: string },
): (row: SiteRow) => Promise<RenderedSheet> {
  const templates = ownTemplates();
  return async (row) => {
    const { judged, problems } = await checkSiteFiles(origin, row, (inputs) =>
      goldenOutputs({ ...settings, target: origin.target, inputs, templates }),
    );
    const sheet = judged.ok ? sheetOfOutputs(judged.value) : undefined;
    return sheet === undefined ? { problems } : { problems, text: sheetMarkdown(sheet, row.name) };
  };
}

/** The sheets of all sites as Markdown, each in the folder of its site. Problems: those of `sheetRenderer`. */
export async function renderSheets(
  read: LoadedFleet,
  {
    workers,
    onSite = () => undefined,
  }: { readonly workers: Workers<SiteRow, RenderedSheet>; readonly onSite?: (done: number) => void },
): Promise<RenderedSites> {
  const collected = new RenderedSitesBuilder(renderedNotes.sheets);
  let done = 0;
  for await (const [{ name }, { problems, text }] of inOrder(
    completeRows(read),
    workers.atOnce,
    workers.run,
  )) {
    collected.note(name, problems);
    if (text !== undefined) collected.add(name, { [sheetName]: text });
    done += 1;
    onSite(done);
  }
  return collected.all();
}
