import { BmcFault, type BmcMessage } from './bmc-fault.js';
import { allowedValues, type Action } from './machine.js';
import { memberAt, objectOf, textAt, textsAt, type JsonObject, type Resource } from './resource.js';

/** Media types that accept a live ISO. Source: DSP2046, VirtualMedia, MediaTypes */
export const opticalTypes: readonly string[] = ['CD', 'DVD'];

/** Parameters of InsertMedia other than the image. Source: DSP2046, VirtualMedia, InsertMedia */
export interface MediumParameters {
  /** Parameters that the BMC describes as required. */
  readonly required: JsonObject;
  /** Sent after the BMC has rejected a request without them. */
  readonly offered: JsonObject;
}

/** Parameters for an image. Throws BmcFault if the BMC cannot read the URL, or requires a parameter without a known value. */
export function mediumParameters(
  action: Action | undefined,
  slot: Resource,
  url: string | undefined,
): MediumParameters {
  requireUrls(slot);
  const protocol = usableProtocol(transferProtocols(action, slot), url);
  const types = textsAt(slot.data, 'MediaTypes') ?? [];
  const offered: JsonObject = {
    TransferProtocolType: protocol,
    TransferMethod: chosen(action, 'TransferMethod', ['Stream', 'Upload']),
    MediaType: chosen(
      action,
      'MediaType',
      opticalTypes.filter((each) => types.includes(each)),
    ),
    Inserted: true,
    WriteProtected: true,
  };
  const names = (action?.parameters ?? [])
    .filter((each) => memberAt(each, 'Required') === true)
    .flatMap((each) => textAt(each, 'Name') ?? [])
    .filter((name) => name !== 'Image');
  const unknown = names.find((name) => !(name in offered));
  if (unknown !== undefined) throw unknownParameter(unknown);
  return { required: pick(offered, names), offered };
}

/** Source: DSP2046, VirtualMedia, ConnectedVia */
function requireUrls({ data }: Resource): void {
  const ways = textsAt(data, 'ConnectedVia@Redfish.AllowableValues') ?? [];
  if (ways.length === 0 || ways.includes('URI')) return;
  throw new BmcFault('unsupported', 'images by URL are not supported', { hint: protocolHints.none });
}

/** The first value that the BMC allows, in its spelling; the first one if it lists none of them. */
function chosen(action: Action | undefined, parameter: string, values: readonly string[]): string {
  const allowed = action === undefined ? undefined : allowedValues(action, parameter);
  const spelled = values.flatMap((value) => allowed?.find((each) => isEqual(each, value)) ?? []);
  return spelled[0] ?? values[0] ?? 'CD';
}

function isEqual(left: string, right: string): boolean {
  return left.toUpperCase() === right.toUpperCase();
}

function pick(values: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(values).filter(([name]) => names.includes(name)));
}

/**
 * Transfer protocols that a BMC publishes; undefined if it publishes none. Sources: DSP2046, VirtualMedia, InsertMedia,
 * TransferProtocolType; members of vendors with the same meaning
 */
export function transferProtocols(
  action: Action | undefined,
  { data }: Resource,
): readonly string[] | undefined {
  const vendors = Object.values(objectOf(data['Oem'])).map(objectOf);
  const lists = [
    action && allowedValues(action, 'TransferProtocolType'),
    ...[action?.data ?? {}, data, ...vendors].flatMap((each) =>
      protocolMembers.map((name) => textsAt(each, name)),
    ),
  ];
  return lists.find((each) => each !== undefined && each.length > 0);
}

const protocolMembers = [
  'TransferProtocolType@Redfish.AllowableValues',
  'TransferProtocolTypesSupported',
  'SupportedTransferProtocols',
  'SupportedTransferProtocolTypes',
] as const;

/** Protocols of image URLs that a BMC reads. */
export function imageProtocols(published: readonly string[] | undefined): readonly ('HTTPS' | 'HTTP')[] {
  return (['HTTPS', 'HTTP'] as const).filter(
    (name) => published?.some((each) => isEqual(each, name)) ?? true,
  );
}

function usableProtocol(published: readonly string[] | undefined, url: string | undefined): string {
  const usable = imageProtocols(published);
  const wanted = url === undefined ? (usable[0] ?? 'HTTPS') : url.startsWith('https:') ? 'HTTPS' : 'HTTP';
  if (usable.includes(wanted)) return published?.find((each) => isEqual(each, wanted)) ?? wanted;
  const others = (published ?? []).slice(0, maxShown).filter((each) => /^\w{1,20}$/.test(each));
  const words = url === undefined ? 'images over HTTP or HTTPS' : `images over ${wanted}`;
  throw new BmcFault('unsupported', `${words} are not supported, only ${others.join(', ')}`, {
    hint: protocolHints[usable[0] ?? 'none'],
  });
}

const maxShown = 8;

const protocolHints = {
  HTTP: 'use http:// URLs for these sites, for example of `serve --http`: everybody on the network path can then read the keys in the images; or update the firmware of the BMC',
  HTTPS: 'use https:// URLs for these sites',
  none: 'update the firmware of the BMC, or boot the site from a USB medium',
} as const;

/**
 * Sends the request. If the BMC rejects it because of missing parameters, repeats it with them: some BMCs reject parameters that others
 * require (Supermicro X11). Source: openstack/sushy, virtual_media.py
 */
export async function insertWithParameters(
  first: JsonObject,
  { offered }: MediumParameters,
  send: (body: JsonObject) => Promise<void>,
): Promise<void> {
  let body = first;
  for (;;) {
    try {
      await send(body);
      return;
    } catch (error) {
      const missing = missingParameters(error).filter((name) => !(name in body));
      const secret = missing.find((name) => unknownNames.includes(name));
      if (secret !== undefined && error instanceof BmcFault) throw unknownParameter(secret, error);
      const added = pick(offered, missing);
      if (Object.keys(added).length === 0) throw error;
      body = { ...body, ...added };
    }
  }
}

/** Optional parameters without a known value. */
const unknownNames: readonly string[] = ['UserName', 'Password'];
const knownNames = [
  'TransferProtocolType',
  'TransferMethod',
  'MediaType',
  'Inserted',
  'WriteProtected',
  ...unknownNames,
];

function unknownParameter(name: string, cause?: BmcFault): BmcFault {
  const what = unknownNames.includes(name) ? `a ${name} for the image server` : `the parameter ${name}`;
  const words = `it requires ${what}, which has no known value${cause === undefined ? '' : `; ${cause.message}`}`;
  return new BmcFault('unsupported', words, {
    hint: 'update the firmware of the BMC, or allow images without a login in its settings',
    ...(cause?.status !== undefined && { status: cause.status }),
  });
}

/** Names of the missing parameters in an error, in all its forms. */
function missingParameters(error: unknown): readonly string[] {
  if (!(error instanceof BmcFault)) return [];
  return error.messages.filter(isAboutMissing).flatMap(({ args, properties, text }) => {
    const named = [...args.map((each) => each.split(/[#/]/).at(-1) ?? ''), ...properties];
    const known = knownNames.filter((name) => named.includes(name));
    return known.length > 0 ? known : knownNames.filter((name) => new RegExp(`\\b${name}\\b`).test(text));
  });
}

/**
 * Source: DSP2065, Base registry: ActionParameterMissing, PropertyMissing, CreateFailedMissingReqProperties. Messages of other
 * registries, and GeneralError, are recognized by their text.
 */
function isAboutMissing({ key, text }: BmcMessage): boolean {
  if (/^(?:ActionParameter|Property|CreateFailed|QueryParameter)Missing/.test(key)) return true;
  if (/^(?:ActionParameter|Property)(?:Unknown|NotSupported|NotWritable|Duplicate|Value)/.test(key))
    return false;
  return /\b(?:missing|required|requires|mandatory|must (?:be|also be) (?:included|specified|provided|present|set))\b/i.test(
    text.slice(0, maxText),
  );
}

const maxText = 2000;
