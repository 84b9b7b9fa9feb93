import { firstSites, fleetWide } from '../../fleet/problems/index.js';
import {
  type FleetStatus,
  currentWords,
  statusWords,
  fleetStatusNow,
  openRequestedFleet,
} from '../../fleet/build/index.js';
import { processSurroundings } from '../surroundings.js';
import { isError } from '../../core/problem.js';
import { problemsOf } from '../../core/result.js';
import type { AioOptions, GlobalOptions } from '../options.js';
import { exitCodes } from '../output/exit-codes.js';
import { exitCodeOf, isLogged } from '../output/report.js';
import type { FleetOptions } from './fleet-options.js';
import { fleetProblemsForPrograms, printFleetProblems } from './print-fleet-problems.js';
import { isData, printData } from '../output/data.js';

/** Prints whether the outputs of each site are up to date. Groups sites with the same status on one line. */
export function fleetStatus(options: GlobalOptions & AioOptions & FleetOptions): void {
  const surroundings = processSurroundings();
  const opened = openRequestedFleet(options, surroundings);
  const read = opened.ok ? opened.value : undefined;
  const problems = problemsOf(opened).map(fleetWide);
  const status: FleetStatus =
    read === undefined
      ? { sites: [], unknownFolders: [] }
      : fleetStatusNow({ ...options, surroundings }, read);
  const { sites, unknownFolders } = status;
  const isCurrent = sites.every(({ status: each }) => each === 'current');
  if (isData(options)) {
    const result = {
      ok: opened.ok && isCurrent && !problems.some(({ problem }) => isError(problem)),
      problems: fleetProblemsForPrograms(options, problems),
      sites: sites.map(({ facts, codes, ...site }) => ({
        ...site,
        ...facts,
        ...(codes.length > 0 && { problems: codes }),
      })),
      unknownFolders,
    };
    printData(options, result);
  } else {
    printFleetProblems(options, problems, sites.length);
    if (isLogged(options, 'info') && opened.ok) process.stdout.write(`${textOf(status).join('\n')}\n`);
  }
  const code = exitCodeOf(problems.map(({ problem }) => problem));
  process.exitCode = code === exitCodes.done && !isCurrent ? exitCodes.problems : code;
}

function textOf({ sites, unknownFolders }: FleetStatus): readonly string[] {
  const groups = new Map<string, string[]>();
  for (const site of sites) {
    const words = statusWords(site);
    groups.set(words, [...(groups.get(words) ?? []), site.name]);
  }
  const rows = [...groups].map(([words, names]) => {
    const named = words === currentWords ? '' : `: ${firstSites(names)}`;
    return `${String(names.length).padStart(5)}  ${words}${named}`;
  });
  const [first] = sites.flatMap(({ facts }) => facts.bootableUntil ?? []).sort();
  return [
    'SITES  STATUS',
    ...rows,
    ...(first === undefined ? [] : [`The first certificates expire at ${first}.`]),
    ...(unknownFolders.length === 0
      ? []
      : [`Folders without a site in the table: ${firstSites(unknownFolders)}.`]),
  ];
}
