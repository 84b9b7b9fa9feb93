import type { BmcClient } from './bmc-client.js';
import { BmcFault } from './bmc-fault.js';
import { memberPaths } from './collection.js';
import { insertWithParameters, mediumParameters, opticalTypes } from './insert-parameters.js';
import { actionOf, mediaCollections } from './machine.js';
import { pollUntil } from './pacing.js';
import { memberAt, textAt, textsAt, type Resource } from './resource.js';

/** A BMC has up to eight slots per manager. */
const maxSlots = 100;

/** Finds a slot for a live ISO: the first one if `isFirst`, otherwise preferably an empty one. Throws BmcFault. */
export async function findSlot(
  client: BmcClient,
  machine: Resource,
  { isFirst }: { readonly isFirst: boolean },
): Promise<Resource> {
  const slots: Resource[] = [];
  for (const collection of await mediaCollections(client, machine)) {
    for (const member of await memberPaths(client, collection)) {
      if (slots.length === maxSlots) throw new BmcFault('refused', 'it has too many virtual media');
      slots.push(await client.get(member));
    }
  }
  const optical = slots.filter(({ data }) =>
    textsAt(data, 'MediaTypes')?.some((type) => opticalTypes.includes(type)),
  );
  const slot = isFirst
    ? optical.toSorted((left, right) => left.path.localeCompare(right.path, 'en', { numeric: true }))[0]
    : (optical.find((each) => !isInserted(each)) ?? optical[0]);
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
  const parameters = mediumParameters(action, slot, url);
  const insert = (): Promise<void> =>
    // Lenovo requires all three members in a PATCH. Source: openstack/sushy, virtual_media.py
    action === undefined
      ? insertWithParameters({ Image: url, Inserted: true, WriteProtected: true }, parameters, (body) =>
          client.patch(slot, body),
        )
      : insertWithParameters({ Image: url, ...parameters.required }, parameters, (body) =>
          client.post(action.target, body),
        );
  await writeAndWait(
    client,
    insert,
    async () => isInserted(await client.get(slot.path)),
    'the BMC accepted the image, but did not insert it',
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
    limitMs: pacing.mediumMs,
    pacing,
  });
  if (done === undefined) {
    const words = `${otherwise} within ${Math.round(pacing.mediumMs / 1000)} s`;
    throw new BmcFault('stuck', words, { hint: 'see the log of the BMC; --media-timeout sets the limit' });
  }
}
