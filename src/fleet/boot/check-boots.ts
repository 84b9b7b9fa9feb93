import type { Problem } from '../../core/problem.js';
import type { BmcAddress } from '../../remote/redfish/bmc-address.js';
import type { BootInputs } from './boot-inputs.js';
import { recordOfMachine, type BootedSite, type BootRecord } from './boot-record.js';
import { changedHardwareProblems, otherBootProblems } from './machine-problems.js';
import { mediaProblems } from './media-check.js';
import type { PlannedVisits } from './visit-all.js';

interface BootChecks {
  readonly record: BootRecord;
  /** Whether booted sites are booted again. */
  readonly isAgain: boolean;
  /** Why the medium of a site must not be booted now. */
  readonly faultOfMedium: (site: string) => string | undefined;
}

/** Checks the machines and media before any BMC is contacted. Problems: boot/other-site, boot/changed-hardware, boot/outdated. */
export function checkBoots(
  { hardwareOf }: Pick<BootInputs, 'hardwareOf'>,
  { visits, skipped }: PlannedVisits,
  { record, isAgain, faultOfMedium }: BootChecks,
): readonly Problem[] {
  const toBoot = visits.map(({ site }) => site);
  const skippedSites = skipped.map(({ site }) => site);
  return [
    ...otherBootProblems(toBoot, record, hardwareOf),
    ...changedHardwareProblems(skippedSites, record, hardwareOf),
    ...mediaProblems(
      toBoot.filter(({ name, address }) => isAgain || !isUnproven(record.get(name), address)),
      faultOfMedium,
    ),
  ];
}

/** Whether an earlier run may have started the machine. Its BMC shows it before its medium is judged. */
function isUnproven(known: BootedSite | undefined, address: BmcAddress): boolean {
  return recordOfMachine(known, address)?.state === 'starting';
}
