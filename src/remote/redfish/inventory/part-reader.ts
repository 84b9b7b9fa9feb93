import type { BmcClient } from '../bmc-client.js';
import { BmcFault } from '../bmc-fault.js';
import { membersOf } from '../collection.js';
import { linkAt, linksAt, type JsonObject, type Resource } from '../resource.js';

export type InventoryPart = 'network interfaces' | 'disks' | 'firmware' | 'boot mode';

/** A part of the inventory that the BMC did not return. */
export interface UnreadPart {
  readonly part: InventoryPart;
  /** The end of a sentence, such as `permission denied: …`. */
  readonly reason: string;
}

/** Reads resources that a machine may not have, or that the user may not read. */
export interface PartReader {
  /** Undefined without a path, for a missing resource, and for one that is listed in `unread`. */
  readonly get: (part: InventoryPart, path: string | undefined) => Promise<Resource | undefined>;
  /** Members of the collection that a resource links to; empty without it. */
  readonly members: (
    part: InventoryPart,
    data: JsonObject,
    ...link: readonly string[]
  ) => Promise<readonly Resource[]>;
  /** One entry per part and reason. */
  readonly unread: () => readonly UnreadPart[];
}

/** Statuses of a resource or a feature that does not exist. Source: RFC 9110 §15.5.5, §15.5.6, §15.5.11, §15.6.2 */
const missingStatuses: ReadonlySet<number> = new Set([404, 405, 410, 501]);

/** A large server has about one megabyte. Limits the memory that a hostile BMC takes. */
const maxInventoryBytes = 32 * 1024 * 1024;

/** A missing or refused resource is no fault; a lost connection, a wrong certificate or the end of the time limit throws BmcFault. */
export function partReader(client: Pick<BmcClient, 'get'>): PartReader {
  const unread = new Map<string, UnreadPart>();
  const optional = async <T>(part: InventoryPart, ask: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof BmcFault) || !isOfResource(error)) throw error;
      if (missingStatuses.has(error.status ?? 0)) return undefined;
      // The user was accepted before, so 401 is about this resource.
      const reason = error.status === 401 ? 'permission denied (HTTP 401)' : error.message;
      unread.set(`${part} ${reason}`, { part, reason });
      return undefined;
    }
  };
  let bytes = 0;
  const read = async (path: string): Promise<Resource> => {
    if (bytes > maxInventoryBytes) throw new BmcFault('refused', 'its resources are too large');
    const resource = await client.get(path);
    bytes += resource.bytes ?? 0;
    return resource;
  };
  const get: PartReader['get'] = async (part, path) =>
    path === undefined ? undefined : optional(part, () => read(path));
  return {
    get,
    members: async (part, data, ...link) => {
      const first = await get(part, linkAt(data, ...link));
      const paths = first && (await optional(part, () => membersOf({ get: read }, first)));
      const members: Resource[] = [];
      for (const path of paths ?? []) {
        const member = await get(part, path);
        if (member !== undefined) members.push(member);
      }
      return members;
    },
    unread: () => [...unread.values()],
  };
}

/** Chassis of one system only: others, such as those of blades, contain devices of several systems. Source: DSP2046, Chassis, Links */
export async function ownChassis(
  reader: PartReader,
  part: InventoryPart,
  { path: system, data }: Resource,
): Promise<readonly Resource[]> {
  const own: Resource[] = [];
  for (const path of linksAt(data, 'Links', 'Chassis')) {
    const chassis = await reader.get(part, path);
    if (chassis === undefined) continue;
    const systems = linksAt(chassis.data, 'Links', 'ComputerSystems').map(withoutSlash);
    if (systems.every((each) => each === withoutSlash(system))) own.push(chassis);
  }
  return own;
}

function withoutSlash(path: string): string {
  return path.replace(/\/+$/, '');
}

function isOfResource(fault: BmcFault): boolean {
  return ['refused', 'credentials', 'unsupported'].includes(fault.kind) || fault.isLate;
}
