import type { BmcClient } from './bmc-client.js';
import { BmcFault } from './bmc-fault.js';
import { textAt, textsAt, type JsonObject, type Resource } from './resource.js';

/** From a virtual CD; some show that as one at USB. Source: DSP2046, ComputerSystem, BootSourceOverrideTarget */
const targets: readonly string[] = ['Cd', 'UsbCd'];

/** What a machine is told to boot from its virtual CD, the next time and no other. Throws BmcFault. */
export function bootOnce({ data }: Resource): JsonObject {
  const allowed = textsAt(data, 'Boot', 'BootSourceOverrideTarget@Redfish.AllowableValues') ?? targets;
  const target = targets.find((each) => allowed.includes(each));
  if (target === undefined) throw new BmcFault('unsupported', 'it cannot be told to boot from a CD');
  const frequencies = textsAt(data, 'Boot', 'BootSourceOverrideEnabled@Redfish.AllowableValues') ?? ['Once'];
  if (!frequencies.includes('Once'))
    throw new BmcFault('unsupported', 'it cannot be told to boot from a CD once');
  // Where a machine does not say its mode, it has one.
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

/**
 * Tells a machine what to boot from. What can only be set for the next start has a resource of its own (DSP0266, "Settings resource").
 * Throws BmcFault.
 */
export async function setBootSource(client: BmcClient, path: string, wanted: JsonObject): Promise<void> {
  const machine = await client.get(path);
  const settings = textAt(machine.data, '@Redfish.Settings', 'SettingsObject', '@odata.id');
  try {
    await client.patch(machine, wanted);
  } catch (error) {
    if (!(error instanceof BmcFault)) throw error;
    // It changes nothing that the first has changed already.
    if (error.mayPass) return client.patch(await client.get(path), wanted);
    if (error.status !== 405 || settings === undefined) throw error;
    await client.patch(await client.get(settings), wanted);
  }
}
