import { mapRecord } from '../../../core/map-record.js';

/**
 * OUIs of makers of disks and of NVMe controllers, which identify a name as that of a disk and show the order of its bytes. Incomplete: an
 * OUI that is not here decides nothing. Source: IEEE registration authority, public listing of MA-L
 */
const makers = {
  Seagate: ['000c50', '0004cf', '0011c6', '0014c3', '001862', '001d38', '002037', '0024b6', 'b45253'],
  'Western Digital': ['0014ee', '0090a9', '000cca', '001b44', '001e82'],
  Toshiba: ['000039', '00080d'],
  Kioxia: ['8ce38e'],
  Samsung: ['002538', '0000f0', '18bfb3'],
  Micron: ['00a075'],
  'SK hynix': ['ace42e'],
  // Intel's disks became Solidigm's.
  Solidigm: ['5cd2e4', '001517', 'aca32f', 'c8d6b7'],
  Kingston: ['0026b7'],
  Phison: ['6479a7'],
  'Lite-On': ['002303', '38f601'],
  ADATA: ['707c18'],
  Transcend: ['7c3548'],
  Innodisk: ['24693e'],
  Apacer: ['dc663a'],
  ATP: ['141357'],
  Virtium: ['2c8d37'],
  Swissbit: ['8c6078'],
  Exascend: ['5030f4'],
  Greenliant: ['ac976c'],
  SMART: ['000516', '001173'],
  STEC: ['000a72'],
  DapuStor: ['38a9ea', 'd8bc59'],
  Memblaze: ['8c1553'],
  YMTC: ['a428b7'],
  ScaleFlux: ['80d266'],
  Shannon: ['18f292'],
  Ramaxel: ['044a50', '2cda3f', '8c2a8e', 'b04fa6'],
  Biwin: ['50c68e'],
  'Silicon Motion': ['486834'],
  Maxio: ['0c82d5', '78bb88', '40fe0d'],
  InnoGrit: ['a84397'],
  FADU: ['ec6f0b'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

type Maker = keyof typeof makers;

const makerByOui: ReadonlyMap<string, Maker> = new Map(
  Object.values(mapRecord(makers, (ouis, maker) => ouis.map((oui) => [oui, maker] as const))).flat(),
);

/** Controllers that show a mirror as an NVMe namespace, and machines with virtual NVMe disks: Marvell; QEMU, VMware. */
const otherNvmeOuis: ReadonlySet<string> = new Set(['005043', '525400', '000c29']);

/** `oui`: six lower-case hexadecimal digits. */
export function isDiskMaker(oui: string): boolean {
  return makerByOui.has(oui);
}

export function isNvmeMaker(oui: string): boolean {
  return isDiskMaker(oui) || otherNvmeOuis.has(oui);
}

/**
 * A SAS drive has four consecutive names: device, two ports, logical unit. Linux shows the logical unit. Its place among
 * them by maker, as published outputs of smartctl show it ("Logical Unit id" and "SAS address"). Source of the names: SAS-3 §4.2.5
 */
const placeOfUnit: Readonly<Partial<Record<Maker, number>>> = {
  Seagate: 3,
  'Western Digital': 0,
  Toshiba: 1,
  Samsung: 0,
};

/** Whether a NAA name of type 5, 16 lower-case digits, is that of the logical unit of a SAS drive. */
export function isSasUnit(digits: string): boolean {
  const maker = makerByOui.get(digits.slice(1, 7));
  return maker !== undefined && placeOfUnit[maker] === Number.parseInt(digits.slice(-1), 16) % 4;
}
