import type { BmcClient } from './bmc-client.js';
import { BmcFault } from './bmc-fault.js';
import { membersOf } from './collection.js';
import { insertWithParameters, mediumParameters, opticalTypes } from './insert-parameters.js';
import { actionOf, existing, mediaCollections } from './machine.js';
import { pollUntil } from './pacing.js';
import { memberAt, objectOf, textAt, textsAt, type Resource } from './resource.js';

/** A BMC has up to eight slots per manager. */
const maxSlots = 100;

/** Finds a slot for a live ISO: the first one if `isFirst`, otherwise preferably an empty one. Throws BmcFault. */
export async function findSlot(
  client: BmcClient,
  machine: Resource,
  { isFirst }: { readonly isFirst: boolean },
): Promise<Resource> {
  let count = 0;
  for (const collection of await mediaCollections(client, machine)) {
    const slots: Resource[] = [];
    for (const member of await slotPaths(client, collection)) {
      if (count === maxSlots) throw new BmcFault('refused', 'it has too many virtual media');
      count += 1;
      slots.push(await client.get(member));
    }
    const optical = slots.filter((each) => isOptical(each, slots.length === 1));
    const slot = isFirst
      ? optical.toSorted((left, right) => left.path.localeCompare(right.path, 'en', { numeric: true }))[0]
      : (optical.find((each) => !isInserted(each)) ?? optical[0]);
    if (slot !== undefined) return usableSlot(slot);
  }
  const words = count === 0 ? 'it has no virtual media' : 'it has no virtual CD or DVD';
  throw new BmcFault('unsupported', `${words}; a license may be required`);
}

async function slotPaths(client: BmcClient, collection: string): Promise<readonly string[]> {
  const found = await existing(client, collection);
  return found === undefined ? [] : membersOf(client, found);
}

/** A slot without MediaTypes is one for a CD by its name, or if it is the only one. Source: DSP2046: MediaTypes is optional */
function isOptical({ path, data }: Resource, isOnly: boolean): boolean {
  const types = textsAt(data, 'MediaTypes') ?? [];
  if (types.length > 0) return types.some((type) => opticalTypes.includes(type.toUpperCase()));
  const names = [path.split('/').at(-1) ?? '', textAt(data, 'Id') ?? '', textAt(data, 'Name') ?? ''];
  if (names.some((name) => /cd|dvd|optical/i.test(name))) return true;
  return isOnly && !names.some((name) => /usb|floppy|removable/i.test(name));
}

/** Refuses a slot that has only an action of its vendor. Throws BmcFault. */
function usableSlot(slot: Resource): Resource {
  const isStandard = textAt(slot.data, 'Actions', '#VirtualMedia.InsertMedia', 'target') !== undefined;
  const vendors = Object.values(objectOf(slot.data['Oem'])).map((each) =>
    objectOf(objectOf(each)['Actions']),
  );
  const actions = [
    ...Object.keys(objectOf(slot.data['Actions'])),
    ...vendors.flatMap((each) => Object.keys(each)),
  ];
  const own = actions.find((name) => vendorActions.test(name));
  if (isStandard || own === undefined) return slot;
  throw new BmcFault(
    'unsupported',
    `its virtual CD has only the action ${own.replace('#', '')} of its vendor`,
    {
      hint: 'update the firmware of the BMC, or boot the site with its web console',
    },
  );
}

/** Huawei and xFusion iBMC; Supermicro X10. Source: Huawei/Server_Management_Plugin_Ansible, ibmc_ansible; Supermicro Redfish reference guide */
const vendorActions = /^#(?:VirtualMedia\.VmmControl|IsoConfig\.Mount)$/;

/** Whether a slot contains a medium. Some BMCs keep Inserted after the medium was removed. */
export function isInserted({ data }: Resource): boolean {
  const inserted = memberAt(data, 'Inserted');
  const hasImage = (textAt(data, 'Image') ?? '') !== '';
  if (!hasImage && textAt(data, 'ConnectedVia') === 'NotConnected') return false;
  return typeof inserted === 'boolean' ? inserted : hasImage;
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
