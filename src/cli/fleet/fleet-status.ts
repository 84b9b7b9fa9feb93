import { isError } from '../../core/problem.js';
import { problemsOf } from '../../core/result.js';
import { recordName } from '../../disk/site-record/site-record.js';
import { standardInput } from '../../disk/external-files/standard-input.js';
import { fleetWide } from '../../fleet/grouped-problems.js';
import type { FleetStatus, SiteStatus } from '../../fleet/build/fleet-status.js';
import { fleetStatusOf } from '../../fleet/build/fleet-status.js';
import { neededStdin } from '../../fleet/build/fleet-options.js';
import type { AioOptions, GlobalOptions } from '../options.js';
import { exitCodes } from '../output/exit-codes.js';
import { exitCodeOf, isLogged } from '../output/report.js';
import { openRequestedFleet, siteOptions } from './fleet-request.js';
import type { FleetOptions } from './fleet-options.js';
import { firstSites } from '../../fleet/review/named-sites.js';
import { fleetProblemsForPrograms, printFleetProblems } from './print-fleet-problems.js';
import { isData, printData } from '../output/data.js';

/** Prints whether the outputs of each site are up to date. Groups sites with the same status on one line. */
export function fleetStatus(options: GlobalOptions & AioOptions & FleetOptions): void {
  const stdin = standardInput();
  const opened = openRequestedFleet(options, stdin);
  const read = opened.ok ? opened.value : undefined;
  const problems = problemsOf(opened).map(fleetWide);
  const status: FleetStatus =
    read === undefined
      ? { sites: [], unknownFolders: [] }
      : fleetStatusOf(
          read,
          siteOptions(options, read, {
            keys: { identities: [], passphrases: [] },
            ...neededStdin(read, stdin),
          }),
        );
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
    const named = words === current ? '' : `: ${firstSites(names)}`;
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

const current = 'up to date';

/** The status of a site in words. */
export function statusWords({ status, reason, path = '', codes }: SiteStatus): string {
  switch (status) {
    case 'current':
      return current;
    case 'missing':
      return 'not created';
    case 'failed':
      return `creation failed${codes.length === 0 ? '' : ` (${codes.join(', ')})`}`;
    case 'stale':
      return reason === undefined ? 'outdated' : `outdated: ${reasonOf(reason, path)}`;
  }
}

function reasonOf(reason: NonNullable<SiteStatus['reason']>, path: string): string {
  switch (reason) {
    case 'inputs-changed':
      return 'inputs changed';
    case 'program-changed':
      return 'created by another version of sno-install';
    case 'certificates-not-valid':
      return 'certificates expired or not yet valid';
    case 'interrupted':
      return 'a run is in progress or was interrupted';
    case 'inputs-unknown':
      return 'inputs unknown';
    case 'record-untrusted':
      return `other users can change the record ${recordName} (\`chmod go-w\`)`;
    case 'output-missing':
      return `${path} is missing`;
    case 'output-changed':
      return `${path} was modified`;
  }
}
