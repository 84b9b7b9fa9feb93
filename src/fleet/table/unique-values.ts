import { problem, type Place, type Problem, type ProblemCode } from '../../core/problem.js';
import type { SiteFiles } from './site-files.js';
import { scalarText, tracedAt, type Traced } from '../../formats/yaml/traced.js';

/** A value that must be unique among sites. */
export interface UniqueValue {
  /** Name of the value in messages. */
  readonly what: string;
  /** Normalized value: equal for all spellings. */
  readonly key: string;
  readonly at: Place;
}

/**
 * Detects sites that share a value that must be unique: node IP, cluster domain, MAC address or World Wide Name. Serial numbers may be
 * shared, because virtual machines have chosen ones. Problems: fleet/shared-value, fleet/shared-serial.
 */
export class UniqueValues {
  /** Name of the first site with each value. */
  readonly #first = new Map<string, string>();

  /** Adds the values of a site and reports those that an earlier site has. */
  add(site: string, files: SiteFiles): readonly Problem[] {
    return [
      ...this.#shared('fleet/shared-value', site, uniqueValuesOf(files)),
      ...this.#shared('fleet/shared-serial', site, serialNumbersOf(files)),
    ];
  }

  #shared(code: ProblemCode, site: string, values: readonly UniqueValue[]): readonly Problem[] {
    return values.flatMap(({ what, key, at }) => {
      const earlier = this.#first.get(key);
      if (earlier === undefined) this.#first.set(key, site);
      if (earlier === undefined || earlier === site) return [];
      const message = `${what} is already used by the site ${earlier}`;
      return [problem(code, message, { at, hint: 'use a different value for each site' })];
    });
  }
}

/** Node IP, cluster domain, MAC addresses and World Wide Names of a site. */
export function uniqueValuesOf(files: SiteFiles): readonly UniqueValue[] {
  const [sno] = files.documentsOf('sno-config.yaml');
  const [install] = files.documentsOf('install-config.yaml');
  const nodeIp = valueAt(sno, ['nodeIP']);
  const [name, domain] = [valueAt(install, ['metadata', 'name']), valueAt(install, ['baseDomain'])];
  return [
    ...(nodeIp ? [{ what: 'this nodeIP', key: `ip ${nodeIp.text.toLowerCase()}`, at: nodeIp.at }] : []),
    ...(name && domain
      ? [{ what: 'this cluster name and domain', key: `cluster ${name.text}.${domain.text}`, at: name.at }]
      : []),
    ...macAddressesOf(sno).map(({ text, at }) => ({ what: 'this MAC address', key: `mac ${text}`, at })),
    ...worldWideNamesOf(sno, install),
  ];
}

/** Links of udev for World Wide Names. Source: systemd, 60-persistent-storage.rules */
const wwnLink = /^\/dev\/disk\/by-id\/(?:wwn-0x|scsi-3|nvme-eui\.|dm-uuid-mpath-3)([\da-f]{16,32})$/i;
/** Links with a model and a serial number. */
const serialLink = /^\/dev\/disk\/by-id\/(?:ata|scsi|nvme|virtio)-(?!3[\da-f]{16})(?!eui\.)(?!nvme\.)(.+)$/;

function worldWideNamesOf(sno: Traced | undefined, install: Traced | undefined): readonly UniqueValue[] {
  const hints = ['wwnWithExtension', 'wwn'].map((name) => valueAt(sno, ['rootDeviceHints', name]));
  const disk = diskOfSite(install);
  const [, linked] = wwnLink.exec(disk?.text ?? '') ?? [];
  const named = [
    ...hints.flatMap((hint) =>
      hint === undefined ? [] : [{ ...hint, text: hint.text.replace(/^0x/i, '') }],
    ),
    ...(disk !== undefined && linked !== undefined ? [{ ...disk, text: linked }] : []),
  ];
  return named
    .filter(({ text }) => isUniqueName(text))
    .map(({ text, at }) => ({ what: 'this World Wide Name', key: `wwn ${text.toLowerCase()}`, at }));
}

/** The first half of an NAA 6 name belongs to a storage system, not to a volume. Source: SPC-5 §7.7.6.6 */
function isUniqueName(name: string): boolean {
  return name !== '' && (!name.startsWith('6') || name.length > 16);
}

function serialNumbersOf(files: SiteFiles): readonly UniqueValue[] {
  const [sno] = files.documentsOf('sno-config.yaml');
  const [install] = files.documentsOf('install-config.yaml');
  const [hint, disk] = [valueAt(sno, ['rootDeviceHints', 'serialNumber']), diskOfSite(install)];
  const what = 'this disk serial number';
  return [
    ...(hint !== undefined && hint.text !== '' ? [{ what, key: `serial ${hint.text}`, at: hint.at }] : []),
    ...(disk !== undefined && serialLink.test(disk.text)
      ? [{ what: 'this disk with its serial number', key: `serial ${disk.text}`, at: disk.at }]
      : []),
  ];
}

/** The disk of a site; undefined if it is a constant of the base, which all sites share on purpose. */
function diskOfSite(install: Traced | undefined): ReturnType<typeof valueAt> {
  const path = ['bootstrapInPlace', 'installationDisk'];
  const isOwn = install && tracedAt(install, path)?.origin.cell !== undefined;
  return isOwn === true ? valueAt(install, path) : undefined;
}

/** MAC addresses of the interfaces in sno-config.yaml, in lower case. */
export function macAddressesOf(
  sno: Traced | undefined,
): readonly { readonly text: string; readonly at: Place }[] {
  const interfaces = sno && tracedAt(sno, ['network', 'interfaces']);
  const items = interfaces?.kind === 'list' ? interfaces.items : [];
  return items.flatMap((item) => {
    const mac = valueAt(item, ['mac-address']);
    return mac ? [{ text: mac.text.toLowerCase(), at: mac.at }] : [];
  });
}

function valueAt(
  root: Traced | undefined,
  path: readonly (string | number)[],
): { readonly text: string; readonly at: Place } | undefined {
  const node = root && tracedAt(root, path);
  const text = scalarText(node);
  return node === undefined || text === undefined
    ? undefined
    : { text, at: node.origin.cell ?? node.origin.at };
}
