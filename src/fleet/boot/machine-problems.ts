import { problem, type Problem } from '../../core/problem.js';
import {
  changedHardware,
  otherBootOf,
  recordOfMachine,
  type BootRecord,
  type OtherBoot,
  type SiteHardware,
} from './boot-record.js';
import type { BootSite } from './boot-targets.js';

/** Why a machine is not booted although its site was not booted from this BMC; follows the name of the site. */
export function otherBootFault(
  site: string,
  { name, known, by }: OtherBoot,
): { readonly message: string; readonly hint: string } {
  const reinstall = `to erase that installation: \`sno-install fleet reinstall ${site}\``;
  return name === site
    ? {
        message: `it was booted at ${known.updatedAt} from the BMC ${known.bmc}, by its ${by} the same machine`,
        hint: `if only the address of the BMC has changed, correct it in boot.json of the outputs; ${reinstall}`,
      }
    : {
        message: `its machine was booted as the site ${name} at ${known.updatedAt}, by its ${by} the same one`,
        hint: `if the site was renamed, rename ${name} in boot.json of the outputs; ${reinstall}`,
      };
}

type HardwareLookup = (site: string) => SiteHardware;

/** Sites whose machine was booted under another name or BMC address. No BMC is contacted. Problems: boot/other-site. */
export function otherBootProblems(
  sites: readonly BootSite[],
  record: BootRecord,
  hardwareOf: HardwareLookup,
): readonly Problem[] {
  if (record.size === 0) return [];
  return sites.flatMap(({ name, address, at }) => {
    const other = otherBootOf(record, name, { address, macs: hardwareOf(name).macs });
    if (other === undefined) return [];
    const { message, hint } = otherBootFault(name, other);
    return [problem('boot/other-site', `${name}: ${message}`, { at, hint })];
  });
}

/** Refuses a site whose medium must not be booted; `fault` is the end of the sentence. Problem: boot/outdated. */
export function refusedMedium({ name, at }: Pick<BootSite, 'name' | 'at'>, fault: string): Problem {
  const hint = `run \`sno-install fleet create --only ${name}\`, which keeps the keys; with --renew for new certificates`;
  return problem('boot/outdated', `${name}: ${fault}`, { at, hint });
}

/** Booted sites whose configured hardware has changed since, and which are not booted again. Warning: boot/changed-hardware. */
export function changedHardwareProblems(
  sites: readonly BootSite[],
  record: BootRecord,
  hardwareOf: HardwareLookup,
): readonly Problem[] {
  return sites.flatMap(({ name, address, at }) => {
    const known = recordOfMachine(record.get(name), address);
    const changed = known && changedHardware(known, hardwareOf(name));
    if (known === undefined || changed === undefined) return [];
    const message = `${name} was booted at ${known.updatedAt} with another configuration of its ${changed}, and is not booted again`;
    const hint = `to install a replaced machine: \`sno-install fleet reinstall ${name}\``;
    return [problem('boot/changed-hardware', message, { at, hint })];
  });
}
