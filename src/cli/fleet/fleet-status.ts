import { firstSites, fleetWide, type FleetProblem } from '../../fleet/problems/index.js';
import {
  type FleetStatus,
  currentWords,
  isoWords,
  statusWords,
  fleetStatusNow,
  openRequestedFleet,
} from '../../fleet/build/index.js';
import { processSurroundings } from '../surroundings.js';
import { isError, problem } from '../../core/problem.js';
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
  const status: FleetStatus =
    read === undefined
      ? { sites: [], unknownFolders: [] }
      : fleetStatusNow({ ...options, surroundings }, read);
  const { sites, unknownFolders } = status;
  const problems = [...problemsOf(opened).map(fleetWide), ...missingPayloads(status)];
  const isCurrent = sites.every(({ status: each, iso }) => each === 'current' && !isOutdated(iso));
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

type SiteStatus = FleetStatus['sites'][number];

/** Whether an ISO has another payload than its site installs from: the node accepts only the latter. */
function isOutdated(iso: SiteStatus['iso']): boolean {
  return iso?.payload !== undefined && iso.expected !== undefined;
}

/** ISOs without a payload, which a disk of the machine may contain. Warnings: payload/not-on-medium. */
function missingPayloads({ sites }: FleetStatus): readonly FleetProblem[] {
  const names = sites.flatMap(({ name, iso }) => (iso?.expected && !iso.payload ? [name] : []));
  if (names.length === 0) return [];
  const hint =
    'run `sno-install fleet create --iso LIVE.iso`, or attach disks with a partition named sno-payload';
  const message = 'the ISO does not contain the payload of the site';
  return [{ problem: problem('payload/not-on-medium', message, { hint }), sites: names }];
}

function textOf({ sites, unknownFolders }: FleetStatus): readonly string[] {
  const [first] = sites.flatMap(({ facts }) => facts.bootableUntil ?? []).sort();
  const isos = sites.flatMap(({ name, iso }) =>
    iso === undefined ? [] : [{ name, words: isoWords(iso), isSound: iso.expected === undefined }],
  );
  return [
    'SITES  STATUS',
    ...groupRows(
      sites.map((site) => {
        const words = statusWords(site);
        return { name: site.name, words, isSound: words === currentWords };
      }),
    ),
    ...(isos.length === 0 ? [] : ['SITES  ISO', ...groupRows(isos)]),
    ...(first === undefined ? [] : [`The first certificates expire at ${first}.`]),
    ...(unknownFolders.length === 0
      ? []
      : [`Folders without a site in the table: ${firstSites(unknownFolders)}.`]),
  ];
}

interface SiteWords {
  readonly name: string;
  readonly words: string;
  /** Whether the names of the sites are of no interest. */
  readonly isSound: boolean;
}

/** A line for all sites with the same words. */
function groupRows(sites: readonly SiteWords[]): readonly string[] {
  const groups = new Map<string, { readonly isSound: boolean; readonly names: string[] }>();
  for (const { name, words, isSound } of sites) {
    const { names } = groups.get(words) ?? { names: [] };
    groups.set(words, { isSound, names: [...names, name] });
  }
  return [...groups].map(([words, { names, isSound }]) => {
    const named = isSound ? '' : `: ${firstSites(names)}`;
    return `${String(names.length).padStart(5)}  ${words}${named}`;
  });
}
