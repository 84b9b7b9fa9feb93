import type { Disk } from '../../remote/redfish/inventory/disks.js';
import { scalarText, tracedAt, type Traced } from '../../formats/yaml/traced.js';

/** Root device hints that are the same for all machines of a class and narrow the choice of the disk. */
export interface DiskFilter {
  readonly minBytes?: number;
  readonly isRotational?: boolean;
  readonly model?: string;
  readonly vendor?: string;
}

/** Reads the filter from a site's sno-config.yaml; see disk-schema.ts for the meaning of the hints. */
export function diskFilter(sno: Traced | undefined): DiskFilter {
  const hint = (name: string): string | undefined =>
    sno && scalarText(tracedAt(sno, ['rootDeviceHints', name]));
  const [size, rotational] = [Number(hint('minSizeGigabytes')), hint('rotational')];
  const [model, vendor] = [hint('model'), hint('vendor')];
  return {
    ...(size > 0 && { minBytes: size * 1e9 }),
    ...((rotational === 'true' || rotational === 'false') && { isRotational: rotational === 'true' }),
    ...(model !== undefined && { model }),
    ...(vendor !== undefined && { vendor }),
  };
}

/** Disks that the operating system sees and that no filter excludes. An unknown property excludes no disk. */
export function eligibleDisks(disks: readonly Disk[], filter: DiskFilter): readonly Disk[] {
  const { minBytes = 0, isRotational, model, vendor } = filter;
  return visibleDisks(disks).filter(
    (disk) =>
      (disk.bytes === undefined || disk.bytes >= minBytes) &&
      (isRotational === undefined || isHdd(disk) === undefined || isHdd(disk) === isRotational) &&
      mayContain(disk.model, model) &&
      mayContain(disk.manufacturer, vendor),
  );
}

export function visibleDisks(disks: readonly Disk[]): readonly Disk[] {
  return disks.filter(({ isMember }) => !isMember);
}

function isHdd({ media }: Disk): boolean | undefined {
  if (media === 'HDD' || media === 'SMR') return true;
  return media === 'SSD' ? false : undefined;
}

function mayContain(text: string | undefined, part: string | undefined): boolean {
  return text === undefined || part === undefined || text.toLowerCase().includes(part.toLowerCase());
}
