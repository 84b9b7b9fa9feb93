import type { BmcClient } from './bmc-client.js';
import { BmcFault } from './bmc-fault.js';
import { setVirtualCd, virtualCdOf, isVirtualCdSet } from './idrac.js';
import { textAt, textsAt, type JsonObject, type Resource } from './resource.js';

/** How a machine is made to boot from its virtual CD once. */
export type BootSource =
  | { readonly kind: 'override'; readonly body: JsonObject }
  /** The attributes of an iDRAC, whose override leads to a physical drive. */
  | { readonly kind: 'idrac'; readonly attributes: string };

/** Selects the way that a machine supports. Throws BmcFault. */
export async function bootSourceOf(
  client: Pick<BmcClient, 'get'>,
  machine: Resource,
  isIdrac: boolean,
): Promise<BootSource> {
  const attributes = await virtualCdOf(client, machine, isIdrac);
  if (attributes !== undefined) return { kind: 'idrac', attributes };
  return { kind: 'override', body: bootOnce(machine) };
}

/** Virtual CD; some BMCs show it as a USB CD. Source: DSP2046, ComputerSystem, BootSourceOverrideTarget */
const targets: readonly string[] = ['Cd', 'UsbCd'];

/** Body that makes a machine boot from its virtual CD once. Throws BmcFault. */
function bootOnce({ data }: Resource): JsonObject {
  const allowed = textsAt(data, 'Boot', 'BootSourceOverrideTarget@Redfish.AllowableValues') ?? targets;
  const target = targets.find((each) => allowed.includes(each));
  if (target === undefined) throw new BmcFault('unsupported', 'booting from a CD is not supported');
  const frequencies = textsAt(data, 'Boot', 'BootSourceOverrideEnabled@Redfish.AllowableValues') ?? ['Once'];
  if (!frequencies.includes('Once'))
    throw new BmcFault('unsupported', 'booting once from a CD is not supported');
  // A machine that does not report its mode supports only one.
  const hasMode = textAt(data, 'Boot', 'BootSourceOverrideMode') !== undefined;
  const modes = textsAt(data, 'Boot', 'BootSourceOverrideMode@Redfish.AllowableValues') ?? ['UEFI'];
  return {
    Boot: {
      BootSourceOverrideEnabled: 'Once',
      BootSourceOverrideTarget: target,
      ...(hasMode && modes.includes('UEFI') && { BootSourceOverrideMode: 'UEFI' }),
    },
  };
}

/** Makes the next start of a machine one from its virtual CD. Throws BmcFault. */
export async function setBootSource(client: BmcClient, path: string, source: BootSource): Promise<void> {
  if (source.kind === 'idrac') await setVirtualCd(client, source.attributes);
  else await setOverride(client, path, source.body);
}

/** Some BMCs accept the override only in a settings resource for the next start. Source: DSP0266, "Settings resource" */
async function setOverride(client: BmcClient, path: string, body: JsonObject): Promise<void> {
  const machine = await client.get(path);
  const settings = textAt(machine.data, '@Redfish.Settings', 'SettingsObject', '@odata.id');
  try {
    await client.patch(machine, body);
  } catch (error) {
    if (!(error instanceof BmcFault)) throw error;
    // Safe to repeat if the first request was processed.
    if (error.mayPass) return client.patch(await client.get(path), body);
    if (error.status !== 405 || settings === undefined) throw error;
    await client.patch(await client.get(settings), body);
  }
}

/** Whether the BMC shows that the next start is one from the virtual CD. Firmware clears this at the start. Throws BmcFault. */
export async function isBootSourceSet(
  client: Pick<BmcClient, 'get'>,
  machine: Resource,
  source: BootSource,
): Promise<boolean> {
  if (source.kind === 'idrac') return isVirtualCdSet(await client.get(source.attributes));
  const target = textAt(machine.data, 'Boot', 'BootSourceOverrideTarget') ?? '';
  return textAt(machine.data, 'Boot', 'BootSourceOverrideEnabled') === 'Once' && targets.includes(target);
}
