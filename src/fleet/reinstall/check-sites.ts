import { alignColumns } from '../../core/align-columns.js';
import type { Surroundings } from '../../run/effects/surroundings.js';
import { filesOf } from '../table/check-site-files.js';
import { GroupedProblems, type FleetProblem } from '../problems/grouped-problems.js';
import { mediumProblems } from './check-media.js';
import { diskSettings, type DiskSettings } from './disk-settings.js';
import { bootRecordKeeper } from '../boot/boot-record-file.js';
import type { BootInputs } from '../boot/boot-inputs.js';
import { planVisits, visitAll } from '../boot/visit-all.js';
import { fleetStatusNow } from '../build/fleet-request.js';
import { statusWords } from '../build/status-words.js';
import type { ReinstallSettings } from './run-reinstall.js';

/** A site with the fate of its disk and its keys. */
export interface CheckedReinstall {
  readonly name: string;
  readonly bmc: string;
  readonly disk: DiskSettings;
}

export interface ReinstallChecks {
  readonly sites: readonly CheckedReinstall[];
  readonly problems: readonly FleetProblem[];
}

interface CheckContext {
  /** Sites that will be booted. */
  readonly names: readonly string[];
  readonly stop: AbortSignal;
  readonly surroundings: Surroundings;
}

/** Checks the media, the settings of the disks and the BMCs of the sites that will be booted. Changes nothing. */
export async function checkReinstall(
  inputs: BootInputs,
  { keys, plan: { siteTimeoutMs }, boot }: ReinstallSettings,
  { names, stop, surroundings }: CheckContext,
): Promise<ReinstallChecks> {
  const opened = inputs.fleet;
  const { variables, present } = surroundings;
  const { sites: compared } = fleetStatusNow({ dir: inputs.dir, surroundings }, opened);
  const statuses = new Map(compared.map((each) => [each.name, each]));
  const until = new Date(present().getTime() + siteTimeoutMs);
  const found = new GroupedProblems();
  const sites: CheckedReinstall[] = [];
  for (const row of opened.rows) {
    const [status, site] = [statuses.get(row.name), inputs.sites.find(({ name }) => name === row.name)];
    if (!names.includes(row.name) || status === undefined || site === undefined) continue;
    const disk = diskSettings(filesOf(opened, row).inputs, variables);
    found.add(row.name, mediumProblems(status, disk, { keys, until, describe: statusWords }));
    sites.push({ name: row.name, bmc: new URL(site.address.origin).host, disk });
  }
  const settings = { ...boot, mode: 'check' } as const;
  const ours = { ...inputs, sites: inputs.sites.filter(({ name }) => names.includes(name)) };
  const plan = planVisits(ours, () => undefined, { mode: 'check', isAgain: false });
  const keeper = bootRecordKeeper(inputs, new Map());
  const visited = await visitAll(plan, { settings, isAgain: false, keeper, stop, present });
  for (const { site, problems = [] } of visited) found.add(site.name, problems);
  return { sites, problems: found.list() };
}

/** The table that the confirmation is about. */
export function reinstallTable(
  sites: readonly CheckedReinstall[],
  { keys }: Pick<ReinstallSettings, 'keys'>,
): string {
  const rows = sites.map(({ name, bmc, disk: { kept } }) => [
    name,
    bmc,
    kept.length === 0 ? 'nothing: the disk is erased' : kept.join(', '),
    keys === 'keep' ? 'kept' : 'renewed',
  ]);
  return alignColumns([['SITE', 'BMC', 'KEPT PARTITIONS', 'KEYS'], ...rows])
    .map((line) => `${line}\n`)
    .join('');
}
