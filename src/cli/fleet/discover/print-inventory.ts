import type { DiscoveredSite } from '../../../fleet/discover/index.js';
import type { BootSite } from '../../../fleet/boot/index.js';
import { alignColumns } from '../../../core/align-columns.js';
import { isError, type Problem } from '../../../core/problem.js';
import type { Disk } from '../../../remote/redfish/inventory/disks.js';
import type { NetworkInterface } from '../../../remote/redfish/inventory/network-interfaces.js';
import type { MachineInventory } from '../../../remote/redfish/inventory/read-inventory.js';
import { count } from '../../../run/problem-text.js';
import type { GlobalOptions } from '../../options.js';
import { csvCell } from '../../../formats/table/csv-cell.js';
import { isData, printData } from '../../output/data.js';
import { firstOfEach } from '../boot/print-boots.js';
import { exitCodeOf, isLogged, machineReadable, printProblems } from '../../output/report.js';

interface Inventory {
  /** Path of the site table. */
  readonly table: string;
  /** In the order of the table. */
  readonly sites: readonly DiscoveredSite[];
  /** Problems that do not belong to a single site. */
  readonly problems: readonly Problem[];
  /** Number of filled cells, if the table was written. */
  readonly filled?: number;
}

/** Prints the inventory of the sites with their problems, and sets the exit code. */
export function printInventory(options: GlobalOptions, inventory: Inventory): void {
  const { sites, problems: ofFleet, filled } = inventory;
  const all = [
    ...sites.flatMap(({ site, problems }) => problems.map((each) => ({ problem: each, sites: [site.name] }))),
    ...ofFleet.map((each) => ({ problem: each, sites: [] as readonly string[] })),
  ];
  const problems = all.map(({ problem }) => problem);
  process.exitCode = exitCodeOf(problems);
  if (isData(options)) {
    printData(options, {
      ok: !problems.some(isError),
      problems: all.map((each) => ({ ...machineReadable(options.dir, each.problem), sites: each.sites })),
      sites: sites.map(dataOf),
      ...(filled !== undefined && { filled }),
    });
    return;
  }
  if (options.output === 'csv') process.stdout.write(csvOf(sites));
  else if (isLogged(options, 'info')) process.stdout.write(textOf(inventory));
  const shown = firstOfEach(problems);
  printProblems(options, shown);
  const omitted = problems.length - shown.length;
  if (omitted > 0)
    process.stderr.write(`${count(omitted, 'more problem')} of the same kinds; --output json lists all\n`);
}

function dataOf({ site, state, words, machine, proposals }: DiscoveredSite): object {
  return {
    name: site.name,
    bmc: hostOf(site),
    state,
    ...(words !== undefined && { message: words }),
    ...(machine !== undefined && { machine: machineData(machine) }),
    proposals,
  };
}

/** Values of JSON are written in lower case with hyphens. */
function machineData({ bootMode, unread, ...machine }: MachineInventory): object {
  return {
    ...machine,
    ...(bootMode !== undefined && { bootMode: bootMode.toLowerCase() }),
    unread: unread.map(({ part, reason }) => ({ part: part.replaceAll(' ', '-'), reason })),
  };
}

function hostOf({ address }: BootSite): string {
  return new URL(address.origin).host;
}

function textOf({ table, sites, filled }: Inventory): string {
  const parts = [
    [['SITE', 'BMC', 'STATE', 'MACHINE', 'SERIAL', 'BIOS', 'FIRMWARE', 'BOOT'], ...sites.map(siteRow)],
    [['SITE', 'INTERFACE', 'MAC', 'LINK'], ...sites.flatMap(interfaceRows)],
    [['SITE', 'DISK', 'SIZE', 'MEDIA', 'MODEL', 'SERIAL', 'DEVICE'], ...sites.flatMap(diskRows)],
    [['SITE', 'EMPTY COLUMN', 'VALUE'], ...sites.flatMap(proposalRows)],
  ].flatMap((rows) => (rows.length === 1 ? [] : [alignColumns(rows)]));
  return [
    ...parts.flatMap((lines) => [...lines, '']),
    summaryOf(sites),
    ...nextStep({ table, sites, filled }),
  ]
    .map((line) => `${line}\n`)
    .join('');
}

function siteRow({ site, state, words = '', machine }: DiscoveredSite): readonly string[] {
  const head = [site.name, hostOf(site), state === 'not-started' ? 'not started' : state];
  if (machine === undefined) return [...head, state === 'not-started' ? '' : words];
  const { manufacturer, model, serialNumber, biosVersion, bmcVersion, bootMode } = machine;
  const name = [manufacturer, model].filter((each) => each !== undefined).join(' ');
  return [...head, ...[name, serialNumber, biosVersion, bmcVersion, bootMode].map(cellOf)];
}

function cellOf(text: string | undefined): string {
  return text === undefined || text === '' ? '-' : text;
}

function interfaceRows({ site, machine }: DiscoveredSite): readonly (readonly string[])[] {
  return (machine?.networkInterfaces ?? []).map(({ id, mac, link }) => [site.name, cellOf(id), mac, link]);
}

function diskRows({ site, machine }: DiscoveredSite): readonly (readonly string[])[] {
  return (machine?.disks ?? []).map((disk) => [
    site.name,
    disk.id,
    sizeOf(disk),
    cellOf(disk.kind === 'volume' ? 'volume' : disk.media),
    cellOf(disk.model),
    cellOf(disk.serialNumber),
    disk.isMember ? '(part of a volume)' : cellOf(disk.links[0]),
  ]);
}

/** In units of 10^9 bytes, as printed on the disk. */
function sizeOf({ bytes }: Disk): string {
  return bytes === undefined ? '-' : `${Math.round(bytes / 1e9)} GB`;
}

function proposalRows({ site, proposals }: DiscoveredSite): readonly (readonly string[])[] {
  return proposals.map(({ column, value }) => [site.name, column, value]);
}

const stateWords = {
  read: 'read',
  different: 'different from the table',
  failed: 'failed',
  stopped: 'stopped',
  'not-started': 'not started',
} as const;

function summaryOf(sites: readonly DiscoveredSite[]): string {
  const parts = Object.entries(stateWords).flatMap(([state, words]) => {
    const number = sites.filter((each) => each.state === state).length;
    return number === 0 ? [] : [`${number} ${words}`];
  });
  return `${count(sites.length, 'site')}: ${parts.join(', ')}`;
}

function nextStep({
  table,
  sites,
  filled,
}: Pick<Inventory, 'table' | 'sites'> & { readonly filled: number | undefined }): readonly string[] {
  if (filled !== undefined) return [`filled ${count(filled, 'cell')} of ${table}`];
  const { length } = sites.flatMap(({ proposals }) => proposals);
  return length === 0 ? [] : [`--write fills ${count(length, 'cell')} of ${table}`];
}

const csvColumns = [
  'name',
  'bmc',
  'state',
  'manufacturer',
  'model',
  'serialNumber',
  'sku',
  'biosVersion',
  'bmcModel',
  'bmcVersion',
  'bootMode',
  'power',
  'networkInterfaces',
  'disks',
] as const;

/** One line per site (RFC 4180). Lists are in one cell, with ` | ` between their items. */
function csvOf(sites: readonly DiscoveredSite[]): string {
  const lines = sites.map(({ site, state, machine }) => {
    const values = { ...machine, name: site.name, bmc: hostOf(site), state };
    const lists = {
      networkInterfaces: (machine?.networkInterfaces ?? []).map(interfaceText).join(' | '),
      disks: (machine?.disks ?? []).map(diskText).join(' | '),
    };
    return csvColumns.map((name) => csvCell({ ...values, ...lists }[name] ?? '')).join(',');
  });
  return [csvColumns.join(','), ...lines].map((line) => `${line}\n`).join('');
}

function interfaceText({ id, mac, link }: NetworkInterface): string {
  return [id, mac, link].join(' ').trim();
}

function diskText(disk: Disk): string {
  const { id, media, serialNumber, links } = disk;
  return [id, sizeOf(disk), media, serialNumber, ...links].filter((each) => each !== undefined).join(' ');
}
