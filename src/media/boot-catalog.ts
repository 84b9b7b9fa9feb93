import { isBlankStart, type DiskImage } from '../formats/disk-image.js';
import { sectorBytes, type IsoVolume } from './iso-volume.js';
import { machineOf } from './machine-of.js';

/** Source of the layout: El Torito specification §2.1 to §2.5; 0x88 marks a bootable entry */
const entryBytes = 32;
const validation = { id: 1, mark: 0xaa55, markAt: 30 } as const;
const entry = { bootable: 0x88, count: 6, sector: 8, countedBytes: 512 } as const;

/** GRUB's config on POWER, where the firmware boots without El Torito. Source: coreos-assembler, cmd-buildextend-live */
const powerConfig = 'boot/grub/grub.cfg';

/** The fault because of which firmware finds no boot loader on an image. */
export function bootLoaderFault(volume: IsoVolume): string | undefined {
  const { image, bootCatalog } = volume;
  if (bootCatalog === undefined) {
    if (machineOf(volume) !== 'ppc64le') return 'it has no boot loader: the El Torito boot record is missing';
    return volume.find(powerConfig) === undefined
      ? `it has no boot loader: ${powerConfig} is missing`
      : undefined;
  }
  const catalog = image.read(bootCatalog, sectorBytes);
  if (catalog === undefined) return 'its El Torito boot catalog is beyond its end';
  if (!isCatalog(catalog)) return 'its El Torito boot catalog is not valid';
  const loaders = bootableEntries(catalog);
  if (loaders.length === 0) return 'its El Torito boot catalog has no bootable entry';
  return loaders.map((loader) => loaderFault(image, loader)).find((fault) => fault !== undefined);
}

/** The 16-bit words of the first entry add up to zero. */
function isCatalog(catalog: Buffer): boolean {
  const words = Array.from({ length: entryBytes / 2 }, (_, index) => catalog.readUInt16LE(index * 2));
  const sum = words.reduce((total, word) => total + word, 0);
  return (
    catalog[0] === validation.id &&
    catalog.readUInt16LE(validation.markAt) === validation.mark &&
    sum % 65_536 === 0
  );
}

interface Loader {
  readonly offset: number;
  /** Zero if the firmware decides how much it loads. */
  readonly length: number;
}

function bootableEntries(catalog: Buffer): readonly Loader[] {
  const starts = Array.from(
    { length: catalog.length / entryBytes - 1 },
    (_, index) => (index + 1) * entryBytes,
  );
  return starts
    .filter((at) => catalog[at] === entry.bootable)
    .map((at) => ({
      offset: catalog.readUInt32LE(at + entry.sector) * sectorBytes,
      length: catalog.readUInt16LE(at + entry.count) * entry.countedBytes,
    }));
}

function loaderFault(image: DiskImage, { offset, length }: Loader): string | undefined {
  if (offset + Math.max(length, 1) > image.bytes) return 'its boot loader is beyond its end';
  return length > 0 && isBlankStart(image, { offset, length })
    ? 'its boot loader consists of zeros'
    : undefined;
}
