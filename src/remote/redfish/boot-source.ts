import type { BmcClient } from './bmc-client.js';
import { BmcFault } from './bmc-fault.js';
import { setVirtualCd, virtualCdOf, isVirtualCdSet } from './idrac.js';
import { existing } from './machine.js';
import { memberAt, objectOf, textAt, textsAt, type JsonObject, type Resource } from './resource.js';

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

/**
 * Machines of Supermicro list both; their virtual CD is the USB one, except on one model. Source: openstack/sushy, system.py,
 * set_system_boot_options
 */
function targetsOf(data: JsonObject): readonly string[] {
  const isSupermicro = /supermicro/i.test(textAt(data, 'Manufacturer') ?? '');
  const isException = /ars-111gl-nhr/i.test(textAt(data, 'Model') ?? '');
  return isSupermicro && !isException ? ['UsbCd', 'Cd'] : targets;
}

/** Body that makes a machine boot from its virtual CD once. Throws BmcFault. */
function bootOnce({ data }: Resource): JsonObject {
  const allowed = textsAt(data, 'Boot', 'BootSourceOverrideTarget@Redfish.AllowableValues') ?? ['Cd'];
  const isSame = (left: string, right: string): boolean => left.toLowerCase() === right.toLowerCase();
  const [target] = targetsOf(data).flatMap((each) => allowed.find((other) => isSame(each, other)) ?? []);
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

/**
 * Sets the override. A settings resource that has its members takes it for the next start; without them, it refuses it.
 * Source: DSP0266, "Settings resource"; openstack/sushy, check-for-boot-attrs-in-settingsuri
 */
async function setOverride(client: BmcClient, path: string, body: JsonObject): Promise<void> {
  const machine = await client.get(path);
  const link = textAt(machine.data, '@Redfish.Settings', 'SettingsObject', '@odata.id');
  const settings = link === undefined ? undefined : await existing(client, link);
  const takes = memberAt(settings?.data ?? {}, 'Boot', 'BootSourceOverrideTarget') !== undefined;
  const [first, second] = takes ? [settings, machine] : [machine, settings];
  try {
    await patchBoot(client, first ?? machine, body);
  } catch (error) {
    const isReadOnly = error instanceof BmcFault && [400, 403, 405].includes(error.status ?? 0);
    if (second === undefined || !isReadOnly) throw error;
    try {
      await patchBoot(client, second, body);
    } catch {
      throw error;
    }
  }
}

/** Some BMCs refuse the mode, others require it. */
async function patchBoot(client: BmcClient, resource: Resource, body: JsonObject): Promise<void> {
  try {
    await client.patch(resource, body);
  } catch (error) {
    if (!(error instanceof BmcFault)) throw error;
    // Safe to repeat if the first request was processed.
    if (error.mayPass) return client.patch(await client.get(resource.path), body);
    if (error.status !== 400 || !isAboutMode(error)) throw error;
    const { BootSourceOverrideMode: given, ...others } = objectOf(body['Boot']);
    const changed = given === undefined ? { ...others, BootSourceOverrideMode: 'UEFI' } : others;
    await client.patch(await client.get(resource.path), { Boot: changed });
  }
}

function isAboutMode({ messages }: BmcFault): boolean {
  const name = 'BootSourceOverrideMode';
  return messages.some(
    ({ args, properties, text }) =>
      [...args, ...properties].some((each) => each.split(/[#/]/).at(-1) === name) || text.includes(name),
  );
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
