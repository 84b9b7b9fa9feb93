import { printable } from '../../../core/printable.js';
import { objectsAt, textAt, type JsonObject } from '../resource.js';
import { isDiskMaker, isNvmeMaker, isSasUnit } from './disk-makers.js';

/** Bus of a disk in the kernel. A volume of NVMe drives may be on either bus: `unknown`. */
export type DiskBus = 'nvme' | 'sas' | 'sata' | 'scsi' | 'unknown';

/** A resource with identifiers. */
export interface NamedDevice {
  readonly kind: 'drive' | 'volume';
  readonly bus: DiskBus;
}

export interface DiskLinks {
  /** Paths below /dev/disk/by-id, the one of the kernel's choice first. */
  readonly links: readonly string[];
  /** Why an identifier leads to no link, if there is none: `the name "…", which …`. */
  readonly fault?: string;
}

/**
 * Links that the identifiers of a drive or a volume lead to. udev names SCSI and ATA disks `wwn-0x…` after their NAA name (systemd
 * rules.d/60-persistent-storage.rules, scsi_id and ata_id: ID_WWN_WITH_EXTENSION), and NVMe namespaces `nvme-` with the attribute wwid:
 * UUID, NGUID or EUI-64, in this order (Linux drivers/nvme/host/sysfs.c, wwid_show). Identifiers of other formats, such as NQN, belong to no
 * such link.
 */
export function diskLinks(data: JsonObject, device: NamedDevice): DiskLinks {
  const names = objectsAt(data, 'Identifiers').flatMap((each) => {
    const text = (textAt(each, 'DurableName') ?? '').slice(0, maxName).trim();
    const format = (textAt(each, 'DurableNameFormat') ?? '').slice(0, maxName).trim();
    return text === '' ? [] : [nameOf(format.toUpperCase(), text, device)];
  });
  const links = names.flatMap((name) => ('link' in name ? [`/dev/disk/by-id/${name.link}`] : []));
  const [fault] = names.flatMap((name) => ('fault' in name ? [name.fault] : []));
  return {
    links: [...new Set(links)].toSorted((left, right) => rank(left) - rank(right)),
    ...(links.length === 0 && fault !== undefined && { fault }),
  };
}

const maxName = 80;

type Name = { readonly link: string } | { readonly fault: string };

function nameOf(format: string, text: string, device: NamedDevice): Name {
  const digits = text
    .toLowerCase()
    .replace(/^(?:naa\.|eui\.|uuid\.|urn:uuid:|0x)/, '')
    .replaceAll(/[:\s-]/g, '');
  const { bus } = device;
  const isHex = /^[0-9a-f]+$/.test(digits) && !/^0+$/.test(digits);
  const found = ((): Name => {
    switch (format) {
      case 'NAA':
        if (bus === 'nvme') return { fault: 'a NAA name, which Linux shows only for SCSI and ATA disks' };
        return isHex ? naaName(digits, device) : { fault: 'which is not a NAA name' };
      case 'EUI':
      case 'NGUID':
        if (bus !== 'nvme' && bus !== 'unknown')
          return { fault: `a name of the format ${format}, which Linux shows only for NVMe disks` };
        return isHex ? nvmeName(digits) : { fault: 'which is not an EUI-64 or NGUID' };
      case 'UUID':
        return uuidName(digits, device);
      default:
        return { fault: 'which is no World Wide Name or EUI' };
    }
  })();
  return 'fault' in found ? { fault: `the name "${printable(text)}", ${found.fault}` } : found;
}

/** Types of NAA names: 2, 3 and 5 have 8 bytes, 6 has 16. Source: SPC-6 §7.7.6.6 */
function naaName(digits: string, { kind, bus }: NamedDevice): Name {
  const type = digits.slice(0, 1);
  const isLong = digits.length === 32;
  if (digits.length !== 16 && !isLong) return { fault: 'which is not a NAA name of 16 or 32 digits' };
  if ((type === '6') !== isLong) return { fault: `which is incomplete or no name of NAA type ${type}` };
  if (kind === 'volume')
    return /[2356]/.test(type)
      ? { link: `wwn-0x${digits}` }
      : { fault: `whose NAA type ${type} does not name a disk` };
  if (type === '3')
    return { fault: 'a locally assigned name (NAA type 3), such as that of a port of the controller' };
  if (type === '6') return { fault: 'whose NAA type 6 names a volume' };
  // ATA disks and SAS drives have no other type. Source: ACS-4, IDENTIFY DEVICE, words 108 to 111; SAS-3 §4.2.5
  if (type !== '5') return { fault: `whose NAA type ${type} does not name a drive` };
  if (!isDiskMaker(digits.slice(1, 7)))
    return {
      fault: 'whose OUI is not that of a known disk maker: it may be the name of a port of the controller',
    };
  if (bus === 'sas' && !isSasUnit(digits))
    return { fault: 'which may be the name of a SAS port instead of the drive' };
  return { link: `wwn-0x${digits}` };
}

/**
 * EUI-64 and NGUID are big-endian, but some BMCs report their bytes in reverse order. The OUI of the maker shows the order: the first three
 * bytes of an EUI-64, bytes 8 to 10 of an NGUID. Source: NVM Express base specification, Identify Namespace, EUI64 and NGUID
 */
function nvmeName(digits: string): Name {
  if (digits.length !== 16 && digits.length !== 32) return { fault: 'which has neither 16 nor 32 digits' };
  const at = digits.length === 16 ? 0 : 16;
  const reversed = (digits.match(/../g) ?? []).toReversed().join('');
  const known = [digits, reversed].filter((each) => isNvmeMaker(each.slice(at, at + 6)));
  const [name, other] = known;
  if (name === undefined)
    return {
      fault: 'which contains no OUI of a known disk maker, so that the order of its bytes is unknown',
    };
  if (other !== undefined && other !== name)
    return {
      fault:
        'which contains OUIs of disk makers in both directions, so that the order of its bytes is unknown',
    };
  return { link: `nvme-eui.${name}` };
}

/** A link of the UUID of a namespace. A drive has another UUID, without a link. Source: RFC 9562 §4.1, §4.2 for version and variant */
function uuidName(digits: string, { kind, bus }: NamedDevice): Name {
  if (kind !== 'volume' || bus !== 'nvme') return { fault: 'a UUID, which names no disk in Linux' };
  const [, ...parts] =
    /^([0-9a-f]{8})([0-9a-f]{4})([1-8][0-9a-f]{3})([89ab][0-9a-f]{3})([0-9a-f]{12})$/.exec(digits) ?? [];
  return parts.length === 0 ? { fault: 'which is not a UUID' } : { link: `nvme-uuid.${parts.join('-')}` };
}

function rank(link: string): number {
  if (link.includes('/wwn-') || link.includes('/nvme-uuid.')) return 0;
  return 1 / link.length;
}
