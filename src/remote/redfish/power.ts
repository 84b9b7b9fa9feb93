import type { BmcClient } from './bmc-client.js';
import { BmcFault } from './bmc-fault.js';
import { actionOf, allowedValues } from './machine.js';
import { pollUntil } from './pacing.js';
import { textAt, type Resource } from './resource.js';

/** ResetType values for restarting a machine. */
export interface PowerPlan {
  readonly target: string;
  /** Absent if the BMC offers only a restart. */
  readonly off?: string;
  readonly on: string;
  /** Restarts a running machine. */
  readonly restart?: string;
}

/** Time for the power state to change before the command is repeated once, since BMCs lose some commands. */
const powerMs = 60_000;

/** Source: DSP2046, Resource, ResetType */
const resets = { off: ['ForceOff'], on: ['On', 'ForceOn'], restart: ['ForceRestart', 'PowerCycle'] } as const;

/** Selects the ResetType values that a machine supports. Throws BmcFault. */
export async function powerPlan(client: BmcClient, machine: Resource): Promise<PowerPlan> {
  const action = await actionOf(client, machine, 'ComputerSystem.Reset');
  if (action === undefined) throw new BmcFault('unsupported', 'power control is not supported');
  const allowed = allowedValues(action, 'ResetType') ?? [...resets.off, ...resets.on, ...resets.restart];
  const offered = (names: readonly string[]): string | undefined =>
    names.find((each) => allowed.includes(each));
  const [off, on, restart] = [offered(resets.off), offered(resets.on), offered(resets.restart)];
  if (on === undefined || (off === undefined && restart === undefined))
    throw new BmcFault('unsupported', 'power cycling is not supported');
  return {
    target: action.target,
    on,
    ...(off !== undefined && { off }),
    ...(restart !== undefined && { restart }),
  };
}

/** Source: DSP2046, Resource, PowerState */
export function powerOf({ data }: Resource): string {
  return textAt(data, 'PowerState') ?? 'Unknown';
}

/** LastResetTime as the BMC writes it. Source: DSP2046, ComputerSystem, LastResetTime */
export function lastResetOf({ data }: Resource): string | undefined {
  return textAt(data, 'LastResetTime')?.slice(0, maxTime);
}

const maxTime = 64;

/** Turns a machine off. A machine that can only be restarted stays on. Throws BmcFault. */
export async function turnOff(client: BmcClient, path: string, { target, off }: PowerPlan): Promise<void> {
  if (off !== undefined) await setPower(client, path, { target, type: off, state: 'Off' });
}

/**
 * Starts a machine that is off, or restarts one that is on. `onRefused` is called if the BMC refuses the restart. Throws BmcFault.
 */
export async function startMachine(
  client: BmcClient,
  path: string,
  plan: PowerPlan,
  onRefused: () => Promise<void>,
): Promise<void> {
  const isOn = powerOf(await client.get(path)) === 'On';
  if (isOn && plan.restart !== undefined) {
    try {
      await client.post(plan.target, { ResetType: plan.restart });
    } catch (error) {
      if (error instanceof BmcFault && isRefusal(error)) await onRefused();
      throw error;
    }
  }
  await setPower(client, path, { target: plan.target, type: plan.on, state: 'On' });
}

/** Whether the BMC rejected the request without doing it. Source: RFC 9110 §15.4, §15.5 */
function isRefusal({ status = 0, mayPass }: BmcFault): boolean {
  return status >= 300 && status < 500 && !mayPass;
}

/** A machine already in this state rejects the command (409, 400), so the power state is checked, not the response. */
async function setPower(
  client: BmcClient,
  path: string,
  { target, type, state }: { readonly target: string; readonly type: string; readonly state: 'On' | 'Off' },
): Promise<void> {
  const isThere = async (): Promise<true | undefined> =>
    powerOf(await client.get(path)) === state ? true : undefined;
  if (await isThere()) return;
  const { pacing } = client;
  for (let left = 2; left > 0; left -= 1) {
    await sendReset(() => client.post(target, { ResetType: type }), isThere);
    if ((await pollUntil(isThere, { limitMs: powerMs, pacing })) !== undefined) return;
  }
  throw new BmcFault('stuck', `its power is not ${state.toLowerCase()} two minutes after the request`);
}

async function sendReset(
  reset: () => Promise<void>,
  isThere: () => Promise<true | undefined>,
): Promise<void> {
  try {
    await reset();
  } catch (error) {
    if (!(error instanceof BmcFault) || error.kind === 'stopped') throw error;
    if (!error.mayPass && !(await isThere())) throw error;
  }
}
