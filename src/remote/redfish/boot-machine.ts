import type { BmcClient } from './bmc-client.js';
import { bootSourceOf, isBootSourceSet, setBootSource, type BootSource } from './boot-source.js';
import { imageProtocols, mediumParameters, transferProtocols } from './insert-parameters.js';
import { actionOf, findMachine, uuidOf } from './machine.js';
import { lastResetOf, powerOf, powerPlan, startMachine, turnOff, type PowerPlan } from './power.js';
import { textAt, type Resource } from './resource.js';
import { ejectMedium, findSlot, insertMedium, isInserted } from './virtual-media.js';

/** A machine of a BMC. */
export interface MachineOfBmc {
  /** Path of its ComputerSystem; absent if the BMC has only one. */
  readonly system?: string;
  /** The BMC address names an iDRAC. */
  readonly isIdrac?: boolean;
}

/** Result of checking whether a machine can boot from its virtual CD. */
export interface Readiness {
  /** PowerState of DSP2046: `On`, `Off`, `PoweringOn` and so on. */
  readonly power: string;
  /** Path of the virtual media slot. */
  readonly slot: string;
  readonly isSlotFull: boolean;
  /** Boot source of the next start instead of the disk, as DSP2046 names it: `Cd`. */
  readonly nextBoot?: string;
  /** The only protocol of image URLs that the BMC reads. */
  readonly onlyProtocol?: 'HTTP' | 'HTTPS';
}

/** Checks whether a machine can be booted, from an image if its URL is known. Changes nothing. Throws BmcFault. */
export async function checkReadiness(
  client: BmcClient,
  machine: MachineOfBmc,
  imageUrl?: string,
): Promise<Readiness> {
  const { machine: found, slot, protocols } = await ready(client, machine, imageUrl);
  const [only, second] = protocols;
  return {
    power: powerOf(found),
    slot: slot.path,
    isSlotFull: isInserted(slot),
    ...nextBootOf(found),
    ...(only !== undefined && second === undefined && { onlyProtocol: only }),
  };
}

/** Source: DSP2046, ComputerSystem, Boot.BootSourceOverrideEnabled and BootSourceOverrideTarget */
function nextBootOf({ data }: Resource): Pick<Readiness, 'nextBoot'> {
  const target = textAt(data, 'Boot', 'BootSourceOverrideTarget') ?? 'None';
  const isSet = ['Once', 'Continuous'].includes(textAt(data, 'Boot', 'BootSourceOverrideEnabled') ?? '');
  return isSet && target !== 'None' ? { nextBoot: target } : {};
}

/** Options of `bootMachine`. */
export interface BootOptions extends MachineOfBmc {
  readonly imageUrl: string;
  /** Called with the UUID of the machine before anything is changed. Throws BmcFault to leave the machine as it is. */
  readonly onFound: (uuid: string | undefined) => void;
  /** Called when the boot is prepared, before power-on. After it the machine may run from the medium. */
  readonly beforeStart: (prepared: PreparedMachine) => Promise<void>;
  /** Called if the BMC refused to restart the machine, so that it does not run from the medium. */
  readonly onRefused: () => Promise<void>;
}

/** A machine that is ready for power-on, as it is before. */
export interface PreparedMachine {
  /** Path of the slot with the medium. */
  readonly slot: string;
  /** False for a machine that cannot be turned off and will be restarted. */
  readonly isOff: boolean;
  /** The BMC shows that the next start is one from the virtual CD. */
  readonly isSourceShown: boolean;
  /** LastResetTime of the machine, as the BMC writes it. */
  readonly lastReset?: string;
}

/**
 * Boots a machine from an image, once. Inserts the medium and sets the boot source before power-on. Checks that the BMC supports every
 * step before it changes anything. Throws BmcFault.
 */
export async function bootMachine(
  client: BmcClient,
  { imageUrl, onFound, beforeStart, onRefused, ...of }: BootOptions,
): Promise<void> {
  const { machine, slot, plan, source } = await ready(client, of, imageUrl);
  onFound(uuidOf(machine));
  const { path } = machine;
  await ejectMedium(client, slot);
  await insertMedium(client, await client.get(slot.path), imageUrl);
  await turnOff(client, path, plan);
  // Last, so that no other start consumes the one-time boot source.
  await setBootSource(client, path, source);
  const prepared = await client.get(path);
  const lastReset = lastResetOf(prepared);
  await beforeStart({
    slot: slot.path,
    isOff: powerOf(prepared) === 'Off',
    isSourceShown: await isBootSourceSet(client, prepared, source),
    ...(lastReset !== undefined && { lastReset }),
  });
  await startMachine(client, path, plan, onRefused);
}

interface Ready {
  readonly machine: Resource;
  readonly slot: Resource;
  readonly plan: PowerPlan;
  readonly source: BootSource;
  readonly protocols: readonly ('HTTP' | 'HTTPS')[];
}

async function ready(
  client: BmcClient,
  { system, isIdrac = false }: MachineOfBmc,
  imageUrl: string | undefined,
): Promise<Ready> {
  const machine = await findMachine(client, system);
  const plan = await powerPlan(client, machine);
  const source = await bootSourceOf(client, machine, isIdrac);
  // The virtual CD of the attribute is the first one. Source: dell/iDRAC-Redfish-Scripting issue 324
  const slot = await findSlot(client, machine, { isFirst: source.kind === 'idrac' });
  const insert = await actionOf(client, slot, 'VirtualMedia.InsertMedia');
  mediumParameters(insert, slot, imageUrl);
  return { machine, plan, source, slot, protocols: imageProtocols(transferProtocols(insert, slot)) };
}

/** Ejects the medium that was used for a boot. Throws BmcFault. */
export async function ejectFrom(client: BmcClient, slot: string): Promise<void> {
  await ejectMedium(client, await client.get(slot));
}
