import type { BmcClient } from './bmc-client.js';
import { BmcFault } from './bmc-fault.js';
import { findMachine } from './machine.js';
import { powerOf, powerPlan, startMachine, turnOff } from './power.js';
import { type JsonObject, type Resource, textAt, textsAt } from './resource.js';
import { ejectMedium, findSlot, insertMedium, isInserted } from './virtual-media.js';

/** Result of checking whether a machine can boot from its virtual CD. */
export interface Readiness {
  /** PowerState of DSP2046: `On`, `Off`, `PoweringOn` and so on. */
  readonly power: string;
  /** Path of the virtual media slot. */
  readonly slot: string;
  readonly isSlotFull: boolean;
}

/** Checks whether a machine can be booted. Changes nothing. Throws BmcFault. */
export async function checkReadiness(client: BmcClient, system: string | undefined): Promise<Readiness> {
  const { machine, slot } = await ready(client, system);
  return { power: powerOf(machine), slot: slot.path, isSlotFull: isInserted(slot) };
}

/** Options of `bootMachine`. */
export interface BootOptions {
  readonly system?: string;
  readonly imageUrl: string;
  /** Called when the boot is prepared, before power-on. After it the machine may run from the medium. */
  readonly beforeStart: (prepared: PreparedMachine) => Promise<void>;
}

/** A machine that is ready for power-on. */
export interface PreparedMachine {
  /** Path of the slot with the medium. */
  readonly slot: string;
  /** False for a machine that cannot be turned off and will be restarted. */
  readonly isOff: boolean;
}

/**
 * Boots a machine from an image, once. Inserts the medium and sets the boot override before power-on. Checks that the BMC supports
 * every step before it changes anything. Throws BmcFault.
 */
export async function bootMachine(
  client: BmcClient,
  { system, imageUrl, beforeStart }: BootOptions,
): Promise<void> {
  const { machine, slot, plan, wanted } = await ready(client, system);
  await ejectMedium(client, slot);
  await insertMedium(client, await client.get(slot.path), imageUrl);
  await turnOff(client, machine.path, plan);
  // Last, so that no other start consumes the one-time override.
  await setBootSource(client, machine.path, wanted);
  await beforeStart({ slot: slot.path, isOff: powerOf(await client.get(machine.path)) === 'Off' });
  await startMachine(client, machine.path, plan);
}

interface Ready {
  readonly machine: Resource;
  readonly slot: Resource;
  readonly plan: Awaited<ReturnType<typeof powerPlan>>;
  readonly wanted: ReturnType<typeof bootOnce>;
}

async function ready(client: BmcClient, system: string | undefined): Promise<Ready> {
  const machine = await findMachine(client, system);
  const plan = await powerPlan(client, machine);
  const wanted = bootOnce(machine);
  return { machine, plan, wanted, slot: await findSlot(client, machine) };
}

/** Ejects the medium that was used for a boot. Throws BmcFault. */
export async function ejectFrom(client: BmcClient, slot: string): Promise<void> {
  await ejectMedium(client, await client.get(slot));
}

/** Throws BmcFault. */
export async function isOn(client: BmcClient, system: string | undefined): Promise<boolean> {
  return powerOf(await findMachine(client, system)) === 'On';
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

/**
 * Sets the boot override. Some BMCs accept it only in a settings resource for the next start (DSP0266, "Settings resource").
 * Throws BmcFault.
 */
async function setBootSource(client: BmcClient, path: string, wanted: JsonObject): Promise<void> {
  const machine = await client.get(path);
  const settings = textAt(machine.data, '@Redfish.Settings', 'SettingsObject', '@odata.id');
  try {
    await client.patch(machine, wanted);
  } catch (error) {
    if (!(error instanceof BmcFault)) throw error;
    // Safe to repeat if the first request was processed.
    if (error.mayPass) return client.patch(await client.get(path), wanted);
    if (error.status !== 405 || settings === undefined) throw error;
    await client.patch(await client.get(settings), wanted);
  }
}
