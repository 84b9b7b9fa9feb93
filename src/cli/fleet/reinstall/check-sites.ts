import { alignColumns } from '../../../core/align-columns.js';
import { standardInput } from '../../../disk/external-files/standard-input.js';
import { neededStdin } from '../../../fleet/build/fleet-options.js';
import { fleetStatusOf } from '../../../fleet/build/fleet-status.js';
import { filesOf } from '../../../fleet/check-site-files.js';
import { GroupedProblems, type FleetProblem } from '../../../fleet/grouped-problems.js';
import { mediumProblems } from '../../../fleet/reinstall/check-media.js';
import { diskSettings, type DiskSettings } from '../../../fleet/reinstall/disk-settings.js';
import type { GlobalOptions } from '../../options.js';
import { bootRecordKeeper } from '../boot/boot-record-file.js';
import type { BootInputs } from '../boot/boot-inputs.js';
import { visitAll } from '../boot/visit-all.js';
import { siteOptions } from '../fleet-request.js';
import { statusWords } from '../fleet-status.js';
import { asBootOptions, type ReinstallOptions, type ReinstallSettings } from './reinstall-options.js';

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

/** Checks the media, the settings of the disks and the BMCs of the sites that will be booted. Changes nothing. */
export async function checkReinstall(
  options: GlobalOptions & ReinstallOptions,
  inputs: BootInputs,
  { keys, plan, boot }: ReinstallSettings,
  { names, stop }: { readonly names: readonly string[]; readonly stop: AbortSignal },
): Promise<ReinstallChecks> {
  const stdin = standardInput();
  const opened = inputs.fleet;
  const order = siteOptions(options, opened, {
    keys: { identities: [], passphrases: [] },
    ...neededStdin(opened, stdin),
  });
  const statuses = new Map(fleetStatusOf(opened, order).sites.map((each) => [each.name, each]));
  const until = new Date(Date.now() + plan.siteTimeoutMs);
  const found = new GroupedProblems();
  const sites: CheckedReinstall[] = [];
  for (const row of opened.rows) {
    const [status, site] = [statuses.get(row.name), inputs.sites.find(({ name }) => name === row.name)];
    if (!names.includes(row.name) || status === undefined || site === undefined) continue;
    const disk = diskSettings(filesOf(opened, row).inputs, process.env);
    found.add(row.name, mediumProblems(status, disk, { keys, until, describe: statusWords }));
    sites.push({ name: row.name, bmc: new URL(site.address.origin).host, disk });
  }
  const visited = await visitAll(
    { ...inputs, sites: inputs.sites.filter(({ name }) => names.includes(name)) },
    {
      settings: { ...boot, mode: 'check' },
      options: asBootOptions(options, names),
      keeper: bootRecordKeeper(inputs, new Map()),
      stop,
    },
  );
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
