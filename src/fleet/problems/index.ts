/** Problems of many sites: groups equal ones, and names the sites of each group. */

export { type FleetProblem, fleetWide, GroupedProblems, type ShownProblems } from './grouped-problems.js';
export { firstSites } from '../../run/problem-text.js';
export { namedSites } from './named-sites.js';
