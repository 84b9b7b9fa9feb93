import type { RootDeviceHints } from '../../config/schema/disk-schema.js';

/** The installation disk of a virtual machine. */
export interface VirtualDisk {
  readonly bus: 'virtio' | 'scsi';
  readonly sizeGib: number;
  readonly serial?: string;
  /** 16 hexadecimal digits. */
  readonly wwn?: string;
  readonly vendor?: string;
  readonly product?: string;
  /** 1 is an SSD. Source: rotation_rate of libvirt.org/formatdomain.html */
  readonly rotationRate?: 1 | 7200;
}

/** A value that a virtual disk cannot have. */
export interface DiskFault {
  readonly hint: keyof RootDeviceHints;
  /** Follows the name of the field and its value. */
  readonly message: string;
}

type Properties = Partial<Omit<VirtualDisk, 'sizeGib'>>;

/** The least disk of the OpenShift documentation, requirements for a single node. */
const leastGib = 120;

/** The disk that fits the hints; a path is the hint `deviceName`. All faults are reported. */
export function virtualDisk(hints: RootDeviceHints): {
  readonly disk: VirtualDisk;
  readonly faults: readonly DiskFault[];
} {
  const faults: DiskFault[] = [];
  const named = hints.deviceName === undefined ? {} : propertiesOfPath(hints.deviceName);
  if (named === undefined) faults.push({ hint: 'deviceName', message: pathFault(hints.deviceName ?? '') });
  let properties: Properties = named ?? {};
  for (const { hint, wanted } of wantedByHints(hints)) {
    const message = typeof wanted === 'string' ? wanted : contradiction(properties, wanted);
    if (message !== undefined) faults.push({ hint, message });
    else if (typeof wanted === 'object') properties = { ...properties, ...wanted };
  }
  const sizeGib = Math.max(leastGib, Math.ceil(((hints.minSizeGigabytes ?? 0) * 1e9) / 2 ** 30));
  return { disk: { bus: 'scsi', ...properties, sizeGib }, faults };
}

/** Whether a path names the disk. `coreos-boot-disk` is a link of CoreOS to the disk that it boots from. */
export function isPathOf(path: string, { bus, serial, wwn }: VirtualDisk): boolean {
  const links = [
    'coreos-boot-disk',
    ...(bus === 'virtio' && serial !== undefined ? [`virtio-${serial}`] : []),
    ...(wwn === undefined ? [] : [`wwn-0x${wwn}`, `scsi-3${wwn}`]),
  ];
  return [
    ...links.map((link) => `/dev/disk/by-id/${link}`),
    bus === 'virtio' ? '/dev/vda' : '/dev/sda',
  ].includes(path);
}

/** Properties of the disk with this path; undefined if no virtual disk has it. Source: systemd rules.d/60-persistent-storage.rules */
function propertiesOfPath(path: string): Properties | undefined {
  if (path === '/dev/vda') return { bus: 'virtio' };
  if (path === '/dev/sda') return { bus: 'scsi' };
  const [, serial] = /^\/dev\/disk\/by-id\/virtio-([A-Za-z0-9_.+-]{1,20})$/.exec(path) ?? [];
  if (serial !== undefined) return { bus: 'virtio', serial };
  const [, wwn] = /^\/dev\/disk\/by-id\/(?:wwn-0x|scsi-3)([0-9a-f]{16})$/.exec(path) ?? [];
  return wwn === undefined ? undefined : { bus: 'scsi', wwn };
}

function pathFault(path: string): string {
  if (path.startsWith('/dev/disk/by-path/')) return 'depends on the slots of the machine';
  return /^\/dev\/[sv]d[b-z]$/.test(path)
    ? 'is not the first disk, and the virtual machine has only one'
    : 'is not a path of a virtual disk';
}

/** The properties that a hint requires, or why no virtual disk has them. */
interface Wanted {
  readonly hint: keyof RootDeviceHints;
  readonly wanted: Properties | string;
}

/** For each hint except the path and the size. */
function wantedByHints(hints: RootDeviceHints): readonly Wanted[] {
  const { hctl, wwnVendorExtension, rotational } = hints;
  return [
    ...(hctl === undefined ? [] : [{ hint: 'hctl', wanted: 'depends on the slots of the machine' } as const]),
    ...textForms.flatMap((form) => wantedText(form, hints[form.hint])),
    ...(['wwn', 'wwnWithExtension'] as const).flatMap((hint) => wantedWwn(hint, hints[hint])),
    ...(wwnVendorExtension === undefined
      ? []
      : [{ hint: 'wwnVendorExtension', wanted: withoutExtension } as const]),
    ...(rotational === undefined
      ? []
      : [{ hint: 'rotational', wanted: { rotationRate: rotational ? 7200 : 1 } } as const]),
  ];
}

const withoutExtension = 'is an extension, and the World Wide Name of a virtual disk has none';

interface TextForm {
  readonly hint: 'model' | 'vendor' | 'serialNumber';
  readonly property: 'product' | 'vendor' | 'serial';
  readonly pattern: RegExp;
  readonly form: string;
}

/** Source: vendor, product and diskSerial of libvirt's domaincommon.rng; MAX_SERIAL_LEN of QEMU's hw/scsi/scsi-disk.c */
const textForms: readonly TextForm[] = [
  { hint: 'model', property: 'product', pattern: /^[ -~]{1,16}$/, form: 'up to 16 characters' },
  { hint: 'vendor', property: 'vendor', pattern: /^[ -~]{1,8}$/, form: 'up to 8 characters' },
  {
    hint: 'serialNumber',
    property: 'serial',
    pattern: /^[A-Za-z0-9_.+ -]{1,36}$/,
    form: 'up to 36 letters, digits and "_.+-"',
  },
];

function wantedText(
  { hint, property, pattern, form }: TextForm,
  value: string | undefined,
): readonly Wanted[] {
  if (value === undefined) return [];
  const text = value.trim();
  const wanted = pattern.test(text) ? { [property]: text } : `does not fit a virtual disk, which has ${form}`;
  return [{ hint, wanted }];
}

function wantedWwn(hint: 'wwn' | 'wwnWithExtension', value: string | undefined): readonly Wanted[] {
  if (value === undefined) return [];
  // Source: wwn in libvirt's basictypes.rng
  const [, wwn] = /^0x([0-9a-f]{16})$/i.exec(value.trim()) ?? [];
  const fault = 'does not fit a virtual disk, which has 0x and 16 hexadecimal digits';
  return [{ hint, wanted: wwn === undefined ? fault : { wwn: wwn.toLowerCase() } }];
}

/** Why a disk with these properties cannot have the others too. */
function contradiction(properties: Properties, wanted: Properties): string | undefined {
  if (properties.bus === 'virtio' && wanted.serial === undefined)
    return 'is not a property of a virtio disk, which deviceName names';
  if (properties.bus === 'virtio' && (wanted.serial ?? '').length > 20)
    return 'does not fit a virtio disk, which has up to 20 characters';
  return differs(properties.wwn, wanted.wwn) || differs(properties.serial, wanted.serial)
    ? 'is not the value in another hint'
    : undefined;
}

function differs(one: string | undefined, other: string | undefined): boolean {
  return one !== undefined && other !== undefined && one !== other;
}
