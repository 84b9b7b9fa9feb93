/** Checks, renders and compares sites without creating them. */

export { checkSites, type SitesToCheck } from './check-sites.js';
export { compareSharedTrees } from './compare-shared-trees.js';
export { compareSources } from './compare-sources.js';
export type { ComparisonOptions } from './comparison-options.js';
export { explainSite } from './explain-site.js';
export { goldenFleet } from './golden-fleet.js';
export type { FleetDifferences } from './grouped-differences.js';
export { renderInputs, renderOutputs } from './outputs/rendered-sites.js';
export { openAtRevision, openOnDisk } from './review-source.js';
export { treeOnDisk, readTreeOnDisk } from './shared-layout.js';
export type { SharedTree } from './shared-tree.js';
export { renderSheets } from './sheets.js';
