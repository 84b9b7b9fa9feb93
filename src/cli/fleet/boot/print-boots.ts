import type { BootSite, ReportedSite, BootMode } from '../../../fleet/boot/index.js';
import { alignColumns } from '../../../core/align-columns.js';
import { isError, type Problem } from '../../../core/problem.js';
import type { GlobalOptions } from '../../options.js';
import { exitCodeOf, machineReadable, isLogged, printProblems } from '../../output/report.js';
import { count } from '../../../run/problem-text.js';
import { isData, printData } from '../../output/data.js';

interface BootResults {
  readonly sites: readonly ReportedSite[];
  /** All sites in the order of the table. */
  readonly order: readonly BootSite[];
  /** Problems found before any BMC was contacted. */
  readonly others?: readonly Problem[];
}

/** Limit for printed problems per code. The JSON output contains all. */
const shownOfKind = 5;

/** Prints the result of each site and sets the exit code. */
export function printBoots(
  options: GlobalOptions,
  mode: BootMode,
  { sites, order, others = [] }: BootResults,
): void {
  const places = new Map(order.map((site, index) => [site, index]));
  const ordered = sites.toSorted(
    (left, right) => (places.get(left.site) ?? 0) - (places.get(right.site) ?? 0),
  );
  const found = [
    ...others.map((each) => ({ problem: each, sites: [] })),
    ...ordered.flatMap(({ site, problems: own = [] }) =>
      own.map((each) => ({ problem: each, sites: [site.name] })),
    ),
  ];
  process.exitCode = exitCodeOf(found.map(({ problem }) => problem));
  if (isData(options)) {
    const shown = {
      ok: !found.some(({ problem }) => isError(problem)),
      problems: found.map((each) => ({ ...machineReadable(options.dir, each.problem), sites: each.sites })),
      sites: ordered.map(({ site, state, words }) => ({
        name: site.name,
        bmc: hostOf(site),
        state,
        message: words,
      })),
    };
    printData(options, shown);
    return;
  }
  if (isLogged(options, 'info')) process.stdout.write(`${tableOf(ordered)}\n${summaryOf(ordered, mode)}\n`);
  printProblems(options, firstOfEach(found.map(({ problem }) => problem)));
}

/** Omits further problems with the same code, since a whole fleet may have the same fault. */
export function firstOfEach(problems: readonly Problem[]): readonly Problem[] {
  const seen = new Map<string, number>();
  return problems.filter(({ code }) => {
    const number = (seen.get(code) ?? 0) + 1;
    seen.set(code, number);
    return number <= shownOfKind;
  });
}

function tableOf(sites: readonly ReportedSite[]): string {
  const rows = [
    ['SITE', 'BMC', 'STATE', ''],
    ...sites.map(({ site, state, words }) => [site.name, hostOf(site), state, words]),
  ];
  return alignColumns(rows)
    .map((line) => `${line}\n`)
    .join('');
}

function hostOf({ address }: BootSite): string {
  return new URL(address.origin).host;
}

const stateWords = {
  planned: 'would be booted',
  booted: 'booted',
  ready: 'ready',
  ejected: 'ejected',
  skipped: 'skipped',
  failed: 'failed',
  stopped: 'stopped',
  'not-started': 'not started',
} as const;

/** Summarizes the results: `100 sites: 97 booted, 3 failed`. */
function summaryOf(sites: readonly ReportedSite[], mode: BootMode): string {
  const parts = Object.entries(stateWords).flatMap(([state, words]) => {
    const number = sites.filter((each) => each.state === state).length;
    return number === 0 ? [] : [`${number} ${words}`];
  });
  const more =
    mode === 'boot' && sites.some(({ state }) => state === 'booted')
      ? '\nthe media stay inserted until `fleet boot --eject`'
      : '';
  return `${count(sites.length, 'site')}: ${parts.join(', ')}${more}`;
}
