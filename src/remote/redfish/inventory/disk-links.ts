import { objectsAt, textAt, type JsonObject } from '../resource.js';

/** Subsystem of the kernel that names a disk; `scsi` includes ATA. */
export type DiskBus = 'nvme' | 'scsi' | 'unknown';

/**
 * Links below /dev/disk/by-id that the identifiers of a drive or a volume lead to; World Wide Names first.
 * udev names SCSI and ATA disks `wwn-0x…` after their NAA name (systemd rules.d/60-persistent-storage.rules, scsi_id and ata_id:
 * ID_WWN_WITH_EXTENSION), and NVMe namespaces `nvme-` with the attribute wwid: `eui.` with NGUID or EUI-64 (Linux
 * drivers/nvme/host/sysfs.c, wwid_show). Identifiers of other formats, such as NQN, belong to no such link.
 */
export function diskLinks(data: JsonObject, bus: DiskBus): readonly string[] {
  const links = objectsAt(data, 'Identifiers').flatMap((each) => {
    const format = textAt(each, 'DurableNameFormat') ?? '';
    return linkOf(format.toUpperCase(), textAt(each, 'DurableName') ?? '', bus) ?? [];
  });
  return [...new Set(links)].toSorted((left, right) => rank(left) - rank(right));
}

function linkOf(format: string, name: string, bus: DiskBus): string | undefined {
  const digits = name
    .trim()
    .toLowerCase()
    .replace(/^(?:naa\.|eui\.|0x)/, '')
    .replaceAll(/[:\s-]/g, '');
  switch (format) {
    // NAA types 2, 3 and 5 have 8 bytes, type 6 has 16. Source: SPC-6 §7.7.6.6
    case 'NAA':
      return bus !== 'nvme' && /^(?:[235][0-9a-f]{15}|6[0-9a-f]{31})$/.test(digits)
        ? `/dev/disk/by-id/wwn-0x${digits}`
        : undefined;
    case 'EUI':
    case 'NGUID':
      return bus !== 'scsi' && /^(?:[0-9a-f]{16}){1,2}$/.test(digits) && !/^0+$/.test(digits)
        ? `/dev/disk/by-id/nvme-eui.${digits}`
        : undefined;
    default:
      return undefined;
  }
}

/** The kernel prefers the NGUID, which has 32 digits. */
function rank(link: string): number {
  return link.includes('/wwn-') ? 0 : 1 / link.length;
}
