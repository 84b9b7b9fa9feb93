import type { BmcClient } from './bmc-client.js';
import { BmcFault } from './bmc-fault.js';
import { memberPaths } from './collection.js';
import { existing } from './machine.js';
import { pollUntil } from './pacing.js';
import { linksAt, memberAt, textAt, type Resource } from './resource.js';

/**
 * Attributes that make an iDRAC start its machine from the virtual CD once. The target Cd of its boot override is a physical drive.
 * Sources: openstack/sushy, sushy/oem/dell, set_virtual_boot_device; dell/iDRAC-Redfish-Scripting issues 90 and 324
 */
const virtualCd = { 'ServerBoot.1.FirstBootDevice': 'VCD-DVD', 'ServerBoot.1.BootOnce': 'Enabled' } as const;

const hint = 'update the firmware of the iDRAC, or boot the site with its web console';

/**
 * Path of the resource with these attributes; undefined for the BMC of another vendor. `isIdrac`: the BMC address names an iDRAC. Throws BmcFault
 * if an iDRAC does not have them.
 */
export async function virtualCdOf(
  client: Pick<BmcClient, 'get'>,
  machine: Resource,
  isIdrac: boolean,
): Promise<string | undefined> {
  const isDell = /\bdell\b/i.test(textAt(machine.data, 'Manufacturer') ?? '');
  const links = linksAt(machine.data, 'Links', 'ManagedBy');
  if (!isIdrac && !isDell && !links.some((path) => /idrac/i.test(path))) return undefined;
  const paths = links.length > 0 ? links : await allManagers(client);
  let isOther = false;
  for (const path of paths) {
    const manager = await existing(client, path);
    if (manager === undefined) continue;
    for (const each of attributesOf(manager)) {
      const found = await existing(client, each);
      if (
        found !== undefined &&
        memberAt(found.data, 'Attributes', 'ServerBoot.1.FirstBootDevice') !== undefined
      )
        return each;
    }
    isOther ||= isOpenBmc(manager);
  }
  if (isOther && !isIdrac) return undefined;
  const words =
    'it is an iDRAC without the attribute ServerBoot.1.FirstBootDevice, which selects its virtual CD';
  throw new BmcFault('unsupported', words, { hint });
}

async function allManagers(client: Pick<BmcClient, 'get'>): Promise<readonly string[]> {
  try {
    return await memberPaths(client, '/redfish/v1/Managers');
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

/** From iDRAC 9 6.00 on there are several linked resources, before that one. Source: dell/iDRAC-Redfish-Scripting */
function attributesOf({ path, data }: Resource): readonly string[] {
  const linked = linksAt(data, 'Links', 'Oem', 'Dell', 'DellAttributes');
  const own = linked.filter((each) => /idrac/i.test(each));
  return [...new Set([...own, ...linked, `${path.replace(/\/+$/, '')}/Attributes`])];
}

/** Some servers of Dell have an OpenBMC, whose override leads to the virtual CD. */
function isOpenBmc({ path, data }: Resource): boolean {
  return /\/bmc$/i.test(path) || /openbmc/i.test(textAt(data, 'Model') ?? '');
}

function isMissing(error: unknown): boolean {
  return error instanceof BmcFault && [404, 405, 410, 501].includes(error.status ?? 0);
}

/** Time for an iDRAC to show changed attributes. */
const attributesMs = 60_000;

/** Sets the attributes and waits until the iDRAC shows them. Throws BmcFault. */
export async function setVirtualCd(client: BmcClient, path: string): Promise<void> {
  try {
    await client.patch(await client.get(path), { Attributes: virtualCd });
  } catch (error) {
    // Safe to repeat if the first request was processed.
    if (!(error instanceof BmcFault) || !error.mayPass) throw error;
    await client.patch(await client.get(path), { Attributes: virtualCd });
  }
  const { pacing } = client;
  const shown = await pollUntil(async () => (isVirtualCdSet(await client.get(path)) ? true : undefined), {
    limitMs: attributesMs,
    pacing,
  });
  if (shown === undefined)
    throw new BmcFault('stuck', 'the iDRAC accepted its virtual CD as boot device, but does not show it', {
      hint,
    });
}

export function isVirtualCdSet({ data }: Resource): boolean {
  return Object.entries(virtualCd).every(([name, value]) => {
    const shown = memberAt(data, 'Attributes', name);
    return typeof shown === 'string' && shown.toUpperCase() === value.toUpperCase();
  });
}
