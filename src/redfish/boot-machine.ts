import type { BmcClient } from './bmc-client.js';
import { bootOnce, setBootSource } from './boot-source.js';
import { findMachine } from './machine.js';
import { powerOf, powerPlan, start, turnOff } from './power.js';
import type { Resource } from './resource.js';
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
