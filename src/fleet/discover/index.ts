/** Reads the machines of sites through their BMCs, compares them with the table, and fills its empty cells. */

export { discoverSites, writableTable, type DiscoveredSite } from './discover-sites.js';
export { fillTable } from './fill-table.js';
