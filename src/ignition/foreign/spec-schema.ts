import { z } from 'zod';

import { unitTypes } from '../unit-names.js';

/** Details of a field that its type does not express. */
interface SpecNotes {
  /** Minor of the first spec version with the field; 0 if absent. */
  readonly since?: number;
  /** Valid values, if the type alone does not express them. */
  readonly description?: string;
  /** For lists: no duplicates. */
  readonly uniqueItems?: true;
}

const text = z.string();
/** A non-empty string. */
const given = text.regex(/^./s).meta({ description: 'given' });
/** Path of a file or device. */
const absolute = text.regex(/^\//).meta({ description: 'an absolute path' });
/** Go's int. */
const whole = z.int();
const flag = z.boolean();

/** An optional field. Ignition treats null as absent. */
function field<T extends z.ZodType>(type: T, notes: SpecNotes = {}): z.ZodOptional<T> {
  return type.meta({ ...notes }).optional();
}

/** An optional list. */
function listOf<T extends z.ZodType>(type: T, notes: SpecNotes = {}): z.ZodOptional<z.ZodArray<T>> {
  return field(z.array(type), notes);
}

const verification = z.strictObject({
  hash: field(text.regex(/^(?:sha256-[0-9a-fA-F]{64}|sha512-[0-9a-fA-F]{128})$/), {
    description: '"sha512-" with 128 digits or "sha256-" with 64',
  }),
});
/** Source of contents. */
const resource = z.strictObject({
  source: field(text),
  compression: field(z.enum(['', 'gzip']), { description: 'gzip or left out' }),
  httpHeaders: listOf(z.strictObject({ name: given, value: field(text) }), { since: 1 }),
  verification: field(verification),
});
/** Source of a config or CA; compression was added to it in spec 3.1. */
const reference = resource.extend({
  compression: field(z.enum(['', 'gzip']), { since: 1, description: 'gzip or left out' }),
});

/*
 * All fields of user-supplied Ignition configs, for every stable spec 3.x that a release supports; written-schema.ts describes the
 * configs that this program writes. Rules over several fields (duplicate names, data URLs, paths below files) are in
 * contents-faults.ts.
 * Sources: coreos.github.io/ignition, configuration-v3_0 to configuration-v3_5 and migrating-configs; for rules beyond Ignition's
 * schemas, the Validate functions of coreos/ignition config/v3_*.
 */

const mode = field(z.int().min(0).max(0o7777), {
  description: 'a whole number of at most 4095 (octal 07777)',
});

const namedReference = reference.extend({ source: given });

const proxyUrl = text
  .regex(/^https?:\/\//i)
  .meta({ description: 'a URL that starts with http:// or https://' });

const ignition = z.strictObject({
  version: text,
  config: field(z.strictObject({ merge: listOf(namedReference), replace: field(reference) })),
  timeouts: field(z.strictObject({ httpResponseHeaders: field(whole), httpTotal: field(whole) })),
  security: field(
    z.strictObject({
      tls: field(z.strictObject({ certificateAuthorities: listOf(namedReference) })),
    }),
  ),
  proxy: field(
    z.strictObject({
      httpProxy: field(proxyUrl),
      httpsProxy: field(proxyUrl),
      noProxy: listOf(text, { uniqueItems: true }),
    }),
    { since: 1 },
  ),
});

const guid = text
  .regex(/^(?:[0-9A-F]{8}(?:-[0-9A-F]{4}){3}-[0-9A-F]{12})?$/i)
  .meta({ description: 'a GUID' });

const partition = z.strictObject({
  number: field(whole),
  label: field(text),
  sizeMiB: field(whole),
  startMiB: field(whole),
  typeGuid: field(guid),
  guid: field(guid),
  wipePartitionEntry: field(flag),
  shouldExist: field(flag),
  resize: field(flag, { since: 2 }),
});

const raid = z.strictObject({
  name: text,
  level: text
    .regex(/^(?:linear|stripe|mirror|(?:raid)?(?:0|1|4|5|6|10))$/)
    .meta({ description: 'linear, raid0, raid1, raid4, raid5, raid6 or raid10' }),
  devices: z.array(absolute).min(1).meta({ uniqueItems: true, description: 'a list of devices' }),
  spares: field(whole),
  options: listOf(text),
});

const clevis = z.strictObject({
  tpm2: field(flag),
  tang: listOf(
    z.strictObject({ url: text, thumbprint: field(text), advertisement: field(text, { since: 4 }) }),
  ),
  threshold: field(whole),
  custom: field(z.strictObject({ pin: given, config: text, needsNetwork: field(flag) })),
});

const luks = z.strictObject({
  name: text,
  device: absolute,
  label: field(text),
  uuid: field(text),
  keyFile: field(resource),
  options: listOf(text),
  wipeVolume: field(flag),
  clevis: field(clevis),
  discard: field(flag, { since: 4 }),
  openOptions: listOf(text, { since: 4 }),
  cex: field(z.strictObject({ enabled: field(flag) }), { since: 5 }),
});

const filesystem = z.strictObject({
  device: absolute,
  path: field(text),
  format: field(text.regex(/^(?:btrfs|ext4|none|swap|vfat|xfs)?$/), {
    description: 'btrfs, ext4, none, swap, vfat or xfs',
  }),
  label: field(text),
  uuid: field(text),
  options: listOf(text),
  mountOptions: listOf(text, { since: 1 }),
  wipeFilesystem: field(flag),
});

const owner = z.strictObject({ id: field(whole), name: field(text) });
const node = z.strictObject({ path: text, overwrite: field(flag), user: field(owner), group: field(owner) });

const storage = z.strictObject({
  disks: listOf(z.strictObject({ device: absolute, wipeTable: field(flag), partitions: listOf(partition) })),
  raid: listOf(raid),
  luks: listOf(luks, { since: 2 }),
  filesystems: listOf(filesystem),
  files: listOf(node.extend({ mode, contents: field(resource), append: listOf(resource) })),
  directories: listOf(node.extend({ mode })),
  links: listOf(node.extend({ target: given, hard: field(flag) })),
});

const unit = z.strictObject({
  name: text.regex(new RegExp(`\\.(?:${unitTypes.join('|')})$`)).meta({
    description: 'a name that ends in a type of unit, such as .service',
  }),
  enabled: field(flag),
  mask: field(flag),
  contents: field(text),
  dropins: listOf(
    z.strictObject({
      name: text.regex(/\.conf$/).meta({ description: 'a name that ends in .conf' }),
      contents: field(text),
    }),
  ),
});

const user = z.strictObject({
  name: text,
  passwordHash: field(text),
  sshAuthorizedKeys: listOf(text, { uniqueItems: true }),
  uid: field(whole),
  gecos: field(text),
  homeDir: field(text),
  noCreateHome: field(flag),
  primaryGroup: field(text),
  groups: listOf(text, { uniqueItems: true }),
  noUserGroup: field(flag),
  system: field(flag),
  noLogInit: field(flag),
  shell: field(text),
  shouldExist: field(flag, { since: 2 }),
});

const group = z.strictObject({
  name: text,
  gid: field(whole),
  passwordHash: field(text),
  system: field(flag),
  shouldExist: field(flag, { since: 2 }),
});

const kernelArguments = z.strictObject({
  shouldExist: listOf(text, { uniqueItems: true }),
  shouldNotExist: listOf(text, { uniqueItems: true }),
});

/** A config of the newest spec version, which has all fields of earlier ones. */
export const specSchema = z.strictObject({
  ignition,
  storage: field(storage),
  systemd: field(z.strictObject({ units: listOf(unit) })),
  passwd: field(z.strictObject({ users: listOf(user), groups: listOf(group) })),
  kernelArguments: field(kernelArguments, { since: 3 }),
});
