import type { BmcClient } from './bmc-client.js';
import { BmcFault } from './bmc-fault.js';
import { findMachine } from './machine.js';
import { powerOf, powerPlan, start, turnOff } from './power.js';
import { type JsonObject, type Resource, textAt, textsAt } from './resource.js';
import { ejectMedium, findSlot, insertMedium, isInserted } from './virtual-media.js';

/** What a BMC has that a boot from its virtual CD needs. */
export interface Readiness {
  /** As DSP2046 calls it: `On`, `Off`, `PoweringOn` and so on. */
  readonly power: string;
  /** Path of the slot. */
  readonly slot: string;
  readonly isSlotFull: boolean;
}

/** Looks whether a machine can be booted, and changes nothing. Throws BmcFault. */
export async function lookAt(client: BmcClient, system: string | undefined): Promise<Readiness> {
  const { machine, slot } = await ready(client, system);
  return { power: powerOf(machine), slot: slot.path, isSlotFull: isInserted(slot) };
}

/** An order to boot a machine from an image. */
export interface BootOrder {
  readonly system?: string;
  readonly imageUrl: string;
  /** Called when all is prepared, before the power comes: from here on the machine may run from the medium. */
  readonly beforeStart: (prepared: Prepared) => Promise<void>;
}

/** A machine that is about to be started. */
export interface Prepared {
  /** Path of the slot that has the medium. */
  readonly slot: string;
  /** False for one that cannot be turned off, and is restarted. */
  readonly isOff: boolean;
}

/**
 * Boots a machine from an image, once: the medium is in its slot and the override set before the power comes. What a BMC cannot do is found
 * before anything is changed. Throws BmcFault.
 */
export async function bootMachine(
  client: BmcClient,
  { system, imageUrl, beforeStart }: BootOrder,
): Promise<void> {
  const { machine, slot, plan, wanted } = await ready(client, system);
  await ejectMedium(client, slot);
  await insertMedium(client, await client.get(slot.path), imageUrl);
  await turnOff(client, machine.path, plan);
  // Last, so that no other start uses it up.
  await setBootSource(client, machine.path, wanted);
  await beforeStart({ slot: slot.path, isOff: powerOf(await client.get(machine.path)) === 'Off' });
  await start(client, machine.path, plan);
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

/** Takes the medium out of the slot that a boot used. Throws BmcFault. */
export async function ejectFrom(client: BmcClient, slot: string): Promise<void> {
  await ejectMedium(client, await client.get(slot));
}

/** Whether a machine runs. Throws BmcFault. */
export async function isOn(client: BmcClient, system: string | undefined): Promise<boolean> {
  return powerOf(await findMachine(client, system)) === 'On';
}

/** From a virtual CD; some show that as one at USB. Source: DSP2046, ComputerSystem, BootSourceOverrideTarget */
const targets: readonly string[] = ['Cd', 'UsbCd'];

/** What a machine is told to boot from its virtual CD, the next time and no other. Throws BmcFault. */
function bootOnce({ data }: Resource): JsonObject {
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
async function setBootSource(client: BmcClient, path: string, wanted: JsonObject): Promise<void> {
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
