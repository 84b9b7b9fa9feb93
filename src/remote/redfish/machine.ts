import { printable } from '../../core/printable.js';
import type { BmcClient } from './bmc-client.js';
import { BmcFault } from './bmc-fault.js';
import { membersOf } from './collection.js';
import {
  type JsonObject,
  linkAt,
  linksAt,
  memberAt,
  objectOf,
  objectsAt,
  type Resource,
  textAt,
  textsAt,
} from './resource.js';

/** Source: DSP0266, "Service root" */
const systemsPath = '/redfish/v1/Systems';

const maxShownSystems = 4;
const maxShownPath = 120;

/** The ComputerSystem at `path`, or the only one of the BMC. Throws BmcFault. */
export async function findMachine(
  client: Pick<BmcClient, 'get'>,
  path: string | undefined,
): Promise<Resource> {
  if (path !== undefined) return getExisting(client, path, 'no system exists at this path');
  const systems = await membersOf(client, await getExisting(client, systemsPath, 'it has no systems'));
  const [only, second] = systems;
  if (only !== undefined && second === undefined) return client.get(only);
  const shown = systems
    .slice(0, maxShownSystems)
    .map((each) => printable(each.slice(0, maxShownPath)))
    .join(', ');
  const list = systems.length === 0 ? '' : ` (${shown}${systems.length > maxShownSystems ? ', …' : ''})`;
  throw new BmcFault(
    'unsupported',
    `it has ${systems.length} systems${list}; add the path of one to the address: /redfish/v1/Systems/…`,
  );
}

async function getExisting(
  client: Pick<BmcClient, 'get'>,
  path: string,
  otherwise: string,
): Promise<Resource> {
  try {
    return await client.get(path);
  } catch (error) {
    if (error instanceof BmcFault && error.status === 404) throw new BmcFault('unsupported', otherwise);
    throw error;
  }
}

/**
 * UUID of a machine, in lower case; undefined if the BMC shows none, or one that many machines have because it was never set.
 * Source: DSP2046, ComputerSystem.UUID; SMBIOS DSP0134 7.2.1 (all 0 or all F: not set); 03000200-0400-…: default of AMI's firmware
 */
export function uuidOf({ data }: Resource): string | undefined {
  const uuid = textAt(data, 'UUID')?.toLowerCase();
  if (uuid === undefined || !/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(uuid)) return undefined;
  const isUnset = /^([0f])\1*$/.test(uuid.replaceAll('-', '')) || uuid.startsWith('03000200-0400-0500-0006-');
  return isUnset ? undefined : uuid;
}

/** An action of a resource. */
export interface Action {
  readonly target: string;
  readonly data: JsonObject;
  /** Parameters in its ActionInfo; empty without one. */
  readonly parameters: readonly JsonObject[];
}

/** Finds an action by name. Source: DSP0266, "Actions property", "ActionInfo" */
export async function actionOf(
  client: BmcClient,
  { data }: Resource,
  name: string,
): Promise<Action | undefined> {
  const target = textAt(data, 'Actions', `#${name}`, 'target');
  if (target === undefined) return undefined;
  const own = objectOf(memberAt(data, 'Actions', `#${name}`));
  const info = textAt(own, '@Redfish.ActionInfo');
  const parameters = info === undefined ? [] : await parametersOf(client, info);
  return { target, data: own, parameters };
}

/** An action works without its ActionInfo, which some BMCs link to and do not have. */
async function parametersOf(client: BmcClient, info: string): Promise<readonly JsonObject[]> {
  const found = await existing(client, info);
  return found === undefined ? [] : objectsAt(found.data, 'Parameters');
}

/** Undefined for a resource that the BMC does not have. Throws BmcFault. */
export async function existing(client: Pick<BmcClient, 'get'>, path: string): Promise<Resource | undefined> {
  try {
    return await client.get(path);
  } catch (error) {
    if (error instanceof BmcFault && [404, 405, 410, 501].includes(error.status ?? 0)) return undefined;
    throw error;
  }
}

/** Allowed values of a parameter; undefined if the BMC does not list them. */
export function allowedValues(
  { data, parameters }: Action,
  parameter: string,
): readonly string[] | undefined {
  const beside = textsAt(data, `${parameter}@Redfish.AllowableValues`);
  const described = parameters.find((each) => textAt(each, 'Name') === parameter);
  return beside ?? (described && textsAt(described, 'AllowableValues'));
}

/**
 * Paths of the VirtualMedia collections of the system, then of its managers: some systems have an empty one.
 * Source: DSP2046, ComputerSystem and Manager, VirtualMedia
 */
export async function mediaCollections(client: BmcClient, machine: Resource): Promise<readonly string[]> {
  const own = linkAt(machine.data, 'VirtualMedia');
  const found = own === undefined ? [] : [own];
  for (const path of await managersOf(client, machine)) {
    const manager = await existing(client, path);
    const link = manager && linkAt(manager.data, 'VirtualMedia');
    if (link !== undefined) found.push(link);
  }
  return [...new Set(found)];
}

/** Some services write Managers, or link to none and have only one. Source: openstack/sushy, retry-on-missing-managedby */
async function managersOf(client: BmcClient, { data }: Resource): Promise<readonly string[]> {
  for (const name of ['ManagedBy', 'Managers']) {
    const linked = linksAt(data, 'Links', name);
    if (linked.length > 0) return linked;
  }
  const all = await existing(client, '/redfish/v1/Managers');
  const paths = all === undefined ? [] : await membersOf(client, all);
  return paths.length === 1 ? paths : [];
}
