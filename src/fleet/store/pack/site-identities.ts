import type { Place } from '../../../core/problem.js';
import { problemsOf, success, failure, type Result } from '../../../core/result.js';
import type { Inputs } from '../../../graph/context.js';
import { parseBmcAddress, type BmcAddress } from '../../../remote/redfish/bmc-address.js';
import { bootTargets } from '../../boot/boot-targets.js';
import { completeRows, type LoadedFleet } from '../../table/check-fleet.js';
import { siteFiles } from '../../table/site-files.js';
import type { SiteRow } from '../../table/site-table.js';
import { uniqueValuesOf, type UniqueValue } from '../../table/unique-values.js';

/** Values that only one site of all fleets may have. */
export interface SiteIdentities {
  readonly name: string;
  /** Site name, node IP, cluster and MAC addresses. */
  readonly values: readonly UniqueValue[];
  readonly bmc?: BmcAddress & { readonly at: Place };
}

/** Yields the sites one at a time. Problems: those of `bootTargets`. */
export function siteIdentities(opened: LoadedFleet, fleetInputs: Inputs): Result<Generator<SiteIdentities>> {
  const boot = opened.fleet.boot === undefined ? success(undefined) : bootTargets(opened, fleetInputs);
  if (!boot.ok) return failure(...problemsOf(boot));
  const machines = new Map(boot.value?.sites.map(({ name, address, at }) => [name, { ...address, at }]));
  return success(
    (function* () {
      for (const row of completeRows(opened)) {
        const bmc = machines.get(row.name) ?? bmcOfRow(row);
        yield {
          name: row.name,
          values: [nameOf(row), ...uniqueValuesOf(siteFiles(opened.files, row))],
          ...(bmc && { bmc }),
        };
      }
    })(),
  );
}

function nameOf({ name, at }: SiteRow): UniqueValue {
  return { what: 'this site name', key: `name ${name}`, at };
}

/** BMC of a ClusterInstance. */
function bmcOfRow({ bmc }: SiteRow): SiteIdentities['bmc'] {
  const address = bmc && parseBmcAddress(bmc.text);
  return bmc === undefined || address === undefined || 'fault' in address
    ? undefined
    : { ...address, at: bmc.at };
}
