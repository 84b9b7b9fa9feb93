import type { Problem } from '../../core/problem.js';
import { ownTemplates } from '../../disk/program-files/templates.js';
import { sheetOfOutputs } from '../../review/sheet/sheet-differences.js';
import type { Sheet } from '../../review/sheet/sheet.js';
import { goldenOutputs } from '../../run/dry-run-outputs.js';
import { checkSiteFiles, type SiteInputSources } from '../table/check-site-files.js';
import type { SiteRow } from '../table/site-table.js';

/** Result for one site. */
export interface RenderedSheet {
  readonly problems: readonly Problem[];
  /** Absent if the site cannot be rendered. */
  readonly sheet?: Sheet;
}

/** Returns a function that renders a site in memory and reads its sheet. Problems: fleet/…, those of every asset. */
export function sheetRenderer(
  origin: SiteInputSources,
  settings: { readonly offlineFiles?: string },
): (row: SiteRow) => Promise<RenderedSheet> {
  const templates = ownTemplates();
  return async (row) => {
    const { judged, problems } = await checkSiteFiles(origin, row, (inputs) =>
      goldenOutputs({ ...settings, target: origin.target, inputs, templates, placeholderRegistries: [] }),
    );
    const sheet = judged.ok ? sheetOfOutputs(judged.value) : undefined;
    return sheet === undefined ? { problems } : { problems, sheet };
  };
}
