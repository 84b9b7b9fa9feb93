import type { BmcClient } from './bmc-client.js';
import { BmcFault } from './bmc-fault.js';
import { memberPaths } from './collection.js';
import { actionOf, allowedValues, mediaCollections, type Action } from './machine.js';
import { pollUntil } from './pacing.js';
import { memberAt, textAt, textsAt, type JsonObject, type Resource } from './resource.js';

/** Time for a BMC to show an inserted or ejected medium. */
const mediumTimeoutMs = 60_000;

/** Media types that accept a live ISO. Source: DSP2046, VirtualMedia, MediaTypes */
const opticalTypes: readonly string[] = ['CD', 'DVD'];

/** Finds a slot for a live ISO, preferably an empty one. Throws BmcFault. */
export async function findSlot(client: BmcClient, machine: Resource): Promise<Resource> {
  const slots: Resource[] = [];
  for (const collection of await mediaCollections(client, machine)) {
    for (const member of await memberPaths(client, collection)) slots.push(await client.get(member));
  }
  const optical = slots.filter(({ data }) =>
    textsAt(data, 'MediaTypes')?.some((type) => opticalTypes.includes(type)),
  );
  const slot = optical.find((each) => !isInserted(each)) ?? optical[0];
  if (slot !== undefined) return slot;
  const words = slots.length === 0 ? 'it has no virtual media' : 'it has no virtual CD or DVD';
  throw new BmcFault('unsupported', `${words}; a license may be required`);
}

/** Whether a slot contains a medium. */
export function isInserted({ data }: Resource): boolean {
  const inserted = memberAt(data, 'Inserted');
  return typeof inserted === 'boolean' ? inserted : (textAt(data, 'Image') ?? '') !== '';
}

/** Ejects a medium and waits until the slot is empty. Throws BmcFault. */
export async function ejectMedium(client: BmcClient, slot: Resource): Promise<void> {
  if (!isInserted(slot)) return;
  const action = await actionOf(client, slot, 'VirtualMedia.EjectMedia');
  const eject = (): Promise<void> =>
    // HPE requires a body; the standard allows an empty one. Source: DSP0266, "POST (action)"
    action === undefined
      ? client.patch(slot, { Image: null, Inserted: false })
      : client.post(action.target, {});
  await writeAndWait(
    client,
    eject,
    async () => !isInserted(await client.get(slot.path)),
    'the medium was not ejected',
  );
}

/** Inserts an image into an empty slot and waits until the BMC shows it. Throws BmcFault. */
export async function insertMedium(client: BmcClient, slot: Resource, url: string): Promise<void> {
  const action = await actionOf(client, slot, 'VirtualMedia.InsertMedia');
  const insert = (): Promise<void> =>
    // Lenovo requires all three members in a PATCH. Source: openstack/sushy, virtual_media.py
    action === undefined
      ? client.patch(slot, { Image: url, Inserted: true, WriteProtected: true })
      : insertBy(client, action, url);
  await writeAndWait(
    client,
    insert,
    async () => isInserted(await client.get(slot.path)),
    'the slot is empty although the image was accepted',
  );
}

/** If a write fails with unknown result, checks the state before repeating it once. */
async function writeAndWait(
  client: BmcClient,
  write: () => Promise<void>,
  isDone: () => Promise<boolean>,
  otherwise: string,
): Promise<void> {
  try {
    await write();
  } catch (error) {
    if (!(error instanceof BmcFault) || !error.mayPass) throw error;
    if (await isDone()) return;
    await write();
  }
  const { pacing } = client;
  const done = await pollUntil(async () => ((await isDone()) ? true : undefined), {
    limitMs: mediumTimeoutMs,
    pacing,
  });
  if (done === undefined) throw new BmcFault('stuck', otherwise);
}

/**
 * Omits optional parameters, since some BMCs reject them (Supermicro X11), and adds those that a BMC requires.
 * Source: DSP2046, VirtualMedia, InsertMedia; openstack/sushy, virtual_media.py
 */
async function insertBy(client: BmcClient, action: Action, url: string): Promise<void> {
  const offered = optionalParameters(action, url);
  const required = action.parameters.filter((each) => memberAt(each, 'Required') === true);
  let body: JsonObject = { Image: url };
  for (const parameter of required) body = withParameter(body, textAt(parameter, 'Name'), offered);
  // One retry per parameter that the BMC may require.
  for (let left = Object.keys(offered).length; ; left -= 1) {
    try {
      await client.post(action.target, body);
      return;
    } catch (error) {
      const missing = missingParameter(error, Object.keys(offered));
      if (missing === undefined || missing in body || left === 0) throw error;
      body = withParameter(body, missing, offered);
    }
  }
}

function optionalParameters(action: Action, url: string): JsonObject {
  const wanted = url.startsWith('https:') ? 'HTTPS' : 'HTTP';
  const allowed = allowedValues(action, 'TransferProtocolType');
  if (allowed !== undefined && !allowed.includes(wanted))
    throw new BmcFault('unsupported', `images over ${wanted} are not supported`);
  return { TransferProtocolType: wanted, TransferMethod: 'Stream', Inserted: true, WriteProtected: true };
}

function withParameter(body: JsonObject, name: string | undefined, offered: JsonObject): JsonObject {
  if (name === undefined || name in body || !(name in offered)) return body;
  return { ...body, [name]: offered[name] };
}

/** Name of the missing parameter. Source: DSP2065, Base registry: it is the last argument of both messages */
function missingParameter(error: unknown, known: readonly string[]): string | undefined {
  if (!(error instanceof BmcFault)) return undefined;
  const missing = error.messages.filter(({ key }) =>
    /^(?:ActionParameter|Property|CreateFailed)Missing/.test(key),
  );
  const names = missing.flatMap(({ args }) => args.map((each) => each.split('/').at(-1) ?? ''));
  return known.find((each) => names.includes(each));
}
