import { problem, type Place, type Problem } from '../../core/problem.js';
import { isSameMachine, parseBmcAddress, type BmcAddress } from '../../redfish/bmc-address.js';
import { GroupedProblems, type FleetProblem } from '../grouped-problems.js';
import type { ReadFleet } from '../judge-fleet.js';

/** A site with the address of its BMC, and where that stands. */
interface MachineOfSite {
  readonly name: string;
  readonly address: BmcAddress;
  readonly at: Place;
}

/** Finds sites with one machine. Problems: fleet/shared-value. */
export class Machines {
  readonly #byOrigin = new Map<string, MachineOfSite[]>();

  /** Takes note of a site, and says which earlier one has its machine. */
  add(site: MachineOfSite): readonly Problem[] {
    const { address, at } = site;
    const others = this.#byOrigin.get(address.origin) ?? [];
    const earlier = others.find((each) => isSameMachine(each.address, address));
    this.#byOrigin.set(address.origin, [...others, site]);
    if (earlier === undefined) return [];
    const isNamed = address.system === earlier.address.system;
    const message = `this BMC is that of the site ${earlier.name} already`;
    const hint = isNamed
      ? 'each site has its own'
      : 'where one BMC has several machines, each address names its own: …/redfish/v1/Systems/1';
    return [problem('fleet/shared-value', message, { at, hint })];
  }
}

/** Which ClusterInstances have one BMC, also where nobody says that it boots them. Problems: fleet/shared-value. */
export function sharedMachines({ table, rows }: ReadFleet): readonly FleetProblem[] {
  const found = new GroupedProblems();
  const machines = new Machines();
  for (const row of table.hasLayers ? table.rows : []) {
    const { name, variables } = row;
    const written = variables.known.get('bmc');
    const address = written?.value.kind === 'scalar' ? parseBmcAddress(written.value.text) : undefined;
    if (written === undefined || address === undefined || 'fault' in address) continue;
    const clashes = machines.add({ name, address, at: written.at });
    if (rows.includes(row)) found.add(name, clashes);
  }
  return found.list();
}
