import { sheetRenderer, type RenderedSheet } from './sheet-renderer.js';
import { renderedNotes } from '../../review/tree-kind.js';
import { inOrder, type Workers } from '../threads/in-order.js';
import { completeRows, type LoadedFleet } from '../table/check-fleet.js';
import { siteSourcesOf } from '../table/check-site-files.js';
import type { SiteRow } from '../table/site-table.js';
import type { Surroundings } from '../../run/effects/surroundings.js';
import { workersFor } from '../threads/workers.js';
import { reviewOptions } from './review-options.js';
import { sheetMarkdown } from '../../review/sheet/show-sheet.js';
import { withMachine } from './boot-differences.js';
import { RenderedSitesBuilder, type RenderedSites } from './outputs/collected-sites.js';

/** File name of a sheet in the folder of its site. */
const sheetName = 'sheet.md';

interface SheetOptions {
  /** The folder of fleet.yaml. */
  readonly dir: string;
  readonly surroundings: Surroundings;
  /** Threads. */
  readonly jobs: number;
  readonly onSite: (done: number) => void;
}

/** The sheets of all sites as Markdown, each in the folder of its site. Problems: those of `sheetRenderer`. */
export async function renderSheets(
  read: LoadedFleet,
  { dir, surroundings, jobs, onSite }: SheetOptions,
): Promise<RenderedSites> {
  const workers = workersFor(
    { items: read.rows.length, jobs },
    () => ({ task: 'sheet', order: reviewOptions(read, { dir }, { surroundings }) }),
    () => sheetRenderer(siteSourcesOf(read), {}),
  );
  return collectSheets(read, workers, onSite).finally(workers.close);
}

async function collectSheets(
  read: LoadedFleet,
  workers: Workers<SiteRow, RenderedSheet>,
  onSite: (done: number) => void,
): Promise<RenderedSites> {
  const collected = new RenderedSitesBuilder(renderedNotes.sheets);
  const complete = withMachine(read);
  let done = 0;
  for await (const [site, { problems, sheet }] of inOrder(completeRows(read), workers.atOnce, workers.run)) {
    const { name } = site;
    collected.note(name, problems);
    if (sheet !== undefined) collected.add(name, { [sheetName]: sheetMarkdown(complete(sheet, site), name) });
    done += 1;
    onSite(done);
  }
  return collected.all();
}
