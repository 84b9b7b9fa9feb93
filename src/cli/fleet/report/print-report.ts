import type { Problem } from '../../../core/problem.js';
import type { FleetReport, SiteReport } from '../../../fleet/report/index.js';
import { count } from '../../../run/problem-text.js';
import type { GlobalOptions } from '../../options.js';
import { isData, printData } from '../../output/data.js';
import { exitCodeOf, machineReadable, printProblems } from '../../output/report.js';
import { sizeText } from '../../output/size-text.js';

/** Prints the sites, failed ones first, and sets the exit code. */
export function printFleetReport(
  options: GlobalOptions,
  found: FleetReport,
  warnings: readonly Problem[],
): void {
  const sites = ['failed', 'waiting', 'installed'].flatMap((status) =>
    found.sites.filter((site) => site.status === status),
  );
  const hasFailed = sites.some(({ status }) => status === 'failed');
  process.exitCode = hasFailed ? 1 : exitCodeOf(warnings);
  if (isData(options)) {
    const problems = warnings.map((each) => machineReadable(options.dir, each));
    printData(options, { ok: !hasFailed, problems, sites: sites.map(shownSite), others: found.others });
    return;
  }
  printProblems(options, warnings);
  process.stdout.write(`${[...sites.map(textOf), summaryOf(found)].join('\n')}\n`);
}

function shownSite({ api, bmc, ...more }: SiteReport): object {
  return { ...more, api: api.message, ...(bmc && { bmc: bmc.message }) };
}

function textOf(site: SiteReport): string {
  const { name, status, reason, next, command } = site;
  if (status === 'waiting') return `${name}  waits: ${reason}\n`;
  const facts = status === 'failed' ? factsOf(site).map((line) => `  ${line}\n`) : [];
  const step = next === 'nothing' ? [] : [`  Next     ${next}\n`];
  const run = command === undefined ? [] : [`           ${command}\n`];
  return [`${name}  ${status}: ${reason}\n`, ...facts, ...step, ...run].join('');
}

function factsOf({ rollout, boot, medium, node, api, bmc, bundle }: SiteReport): readonly string[] {
  return [
    ...(rollout ? [`Rollout  ${rolloutText(rollout)}`] : []),
    `Boot     ${boot ? `${boot.state} at ${boot.updatedAt}` : 'not by `fleet boot` or `fleet rollout`'}`,
    `Medium   ${medium ? mediumText(medium) : 'not requested from `serve`'}`,
    `Node     ${node ? `${node.message}, at ${node.receivedAt}` : 'no report since its boot'}`,
    `API      ${api.message}`,
    `BMC      ${bmc ? bmc.message : 'not contacted'}`,
    ...(bundle ? [`Bundle   ${bundle.path}: ${bundle.finding ?? 'no fault found'}`] : []),
  ];
}

function rolloutText({ operation, state, attempts, cause }: NonNullable<SiteReport['rollout']>): string {
  const why = cause === undefined ? '' : `: ${cause}`;
  return `${operation}, ${state}, ${count(attempts, 'start')}${why}`;
}

function mediumText({ sentBytes, mediumBytes, lastFile, lastAt }: NonNullable<SiteReport['medium']>): string {
  const sent = mediumBytes === 0 ? '' : `, ${sizeText(sentBytes)} of ${sizeText(mediumBytes)} sent`;
  return `${lastFile} at ${lastAt}${sent}`;
}

function summaryOf({ sites, others }: FleetReport): string {
  const of = (status: SiteReport['status']): number => sites.filter((site) => site.status === status).length;
  const rest = others === 0 ? '' : `; ${others} done, not started or on hold`;
  return `${count(sites.length, 'site')}: ${of('failed')} failed, ${of('waiting')} waiting, ${of('installed')} installed${rest}`;
}
