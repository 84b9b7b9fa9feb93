import { problem, type Place, type Problem } from '../../core/problem.js';
import { quoted, quotedName } from '../../core/quoted.js';
import { macOf, type NetworkInterface } from '../../remote/redfish/inventory/network-interfaces.js';
import type { MachineInventory } from '../../remote/redfish/inventory/read-inventory.js';
import type { SiteRow } from '../table/site-row.js';
import type { ColumnUse } from './column-uses.js';
import { eligibleDisks, visibleDisks, type DiskFilter } from './disk-choice.js';

/** A value for an empty cell or a missing column. */
export interface Proposal {
  readonly column: string;
  readonly value: string;
}

export interface InventoryComparison {
  readonly proposals: readonly Proposal[];
  readonly problems: readonly Problem[];
}

export interface TableContext {
  /** Path of the table. */
  readonly table: string;
  /** Variables of fleet.yaml and of the site's classes: they need no cell. */
  readonly fleetWide: ReadonlyMap<string, unknown>;
  readonly filter: DiskFilter;
}

/**
 * Compares the cells of a site with its machine, and proposes values for its empty cells. A site whose machine differs gets no
 * proposals, because its BMC address may belong to another machine. Problems: discover/different; warnings: discover/undecided.
 */
export function compareInventory(
  row: SiteRow,
  uses: readonly ColumnUse[],
  machine: MachineInventory,
  context: TableContext,
): InventoryComparison {
  const cells = uses.map((use) => ({ use, cell: cellOf(row, use.column) }));
  const different = cells.flatMap(({ use, cell }) =>
    cell === undefined || cell.text === '' ? [] : (differenceOf(use, cell, machine) ?? []),
  );
  if (different.length > 0) return { proposals: [], problems: different };
  const empty = cells.filter(
    ({ use, cell }) => cell === undefined && !use.hasDefault && !context.fleetWide.has(use.column),
  );
  const usedMacs = cells.flatMap(({ use, cell }) => (use.field === 'mac' ? (macOf(cell?.text) ?? []) : []));
  const macs = empty.filter(({ use }) => use.field === 'mac').length;
  const decided = empty.map(({ use }) => {
    const choice =
      use.field === 'mac'
        ? chooseMac(machine, { usedMacs, wanted: macs })
        : chooseDisk(use.field, machine, context.filter);
    return { use, choice };
  });
  return {
    proposals: decided.flatMap(({ use, choice }) =>
      'value' in choice ? [{ column: use.column, value: choice.value }] : [],
    ),
    problems: decided.flatMap(({ use, choice }) =>
      'value' in choice ? [] : [undecided(row, use, choice, context.table)],
    ),
  };
}

interface Cell {
  readonly text: string;
  readonly at: Place;
}

function cellOf({ variables }: SiteRow, column: string): Cell | undefined {
  const variable = variables.known.get(column);
  if (variable === undefined) return undefined;
  return { text: variable.value.kind === 'scalar' ? variable.value.text : '', at: variable.at };
}

/** A value, or why there is none: the end of a sentence. */
type Choice = { readonly value: string } | { readonly reason: string; readonly hint?: string };

function chooseMac(
  { networkInterfaces, unread }: MachineInventory,
  { usedMacs, wanted }: { readonly usedMacs: readonly string[]; readonly wanted: number },
): Choice {
  if (unread.some(({ part }) => part === 'network interfaces'))
    return { reason: 'the BMC did not return all of its network interfaces' };
  const free = networkInterfaces.filter(({ mac }) => !usedMacs.includes(mac));
  if (free.length === 0) return { reason: 'the BMC reports no MAC address' };
  const linked = free.filter(({ link }) => link === 'up');
  if (wanted > 1) return { reason: `${wanted} columns take a MAC address of this site` };
  const [first, second] = linked.length > 0 ? linked : free;
  if (first !== undefined && second === undefined) return { value: first.mac };
  const shown = linked.length > 0 ? linked : free;
  const state = linked.length > 0 ? 'have a link' : 'may be the right ones, and none has a link';
  return { reason: `${shown.length} network interfaces ${state}` };
}

/** Serial numbers that are safe in a table of any format. */
const plainSerial = /^[\w.-]{1,64}$/;

function chooseDisk(
  field: Exclude<ColumnUse['field'], 'mac'>,
  machine: MachineInventory,
  filter: DiskFilter,
): Choice {
  if (machine.unread.some(({ part }) => part === 'disks'))
    return { reason: 'the BMC did not return all of its disks' };
  const disks = eligibleDisks(machine.disks, filter);
  const [disk, second] = disks;
  if (disk === undefined) return { reason: 'the BMC reports no disk that matches the hints' };
  if (second !== undefined) return { reason: `${disks.length} disks match` };
  if (field === 'serialNumber') {
    const { serialNumber = '', kind } = disk;
    return kind === 'drive' && plainSerial.test(serialNumber)
      ? { value: serialNumber }
      : { reason: `the BMC reports no serial number of ${quoted(disk.id)}` };
  }
  const [link] = disk.links;
  if (link === undefined && disk.linkFault !== undefined)
    return { reason: `the BMC reports for ${quoted(disk.id)} ${disk.linkFault}`, hint: noLinkHint };
  if (link === undefined)
    return {
      reason: `the BMC reports no World Wide Name or EUI of ${quoted(disk.id)}`,
      hint: noLinkHint,
    };
  return { value: field === 'disk' ? link : wwnOf(link) };
}

const noLinkHint =
  'take the name from `ls /dev/disk/by-id` on the machine, or select the disk with rootDeviceHints.serialNumber';

/** The name of a link below /dev/disk/by-id without `wwn-` or `nvme-`, as lsblk prints it. */
function wwnOf(link: string): string {
  return link.replace(/^\/dev\/disk\/by-id\/(?:wwn|nvme)-/, '');
}

function undecided(
  row: SiteRow,
  { column, at }: ColumnUse,
  { reason, hint = chooseHint }: { readonly reason: string; readonly hint?: string },
  table: string,
): Problem {
  const message = `no value for the column ${quotedName(column)} of ${row.name}: ${reason}`;
  const cell = row.variables.empty.get(column);
  const found = problem('discover/undecided', message, { at: cell ?? { file: table }, hint });
  return { ...found, from: at };
}

const chooseHint = 'choose one from the lists of `fleet discover` and write it into the table';

function differenceOf(
  { field, at: from }: ColumnUse,
  cell: Cell,
  machine: MachineInventory,
): Problem | undefined {
  const found = field === 'mac' ? otherMac(cell.text, machine) : otherDisk(field, cell.text, machine);
  if (found === undefined) return undefined;
  const message = `${found.what} ${quoted(cell.text)} is not on the machine, which has ${listOf(found.has)}`;
  const hint = 'correct the cell, or the BMC address of the site if it leads to another machine';
  return { ...problem('discover/different', message, { at: cell.at, hint }), from };
}

interface Other {
  readonly what: string;
  readonly has: readonly string[];
}

/** Undefined if the machine has the address, or if the BMC may not report all of them. */
function otherMac(text: string, { networkInterfaces, unread }: MachineInventory): Other | undefined {
  const mac = macOf(text);
  const isPartial = unread.some(({ part }) => part === 'network interfaces');
  const has = networkInterfaces.map(({ mac: each }: NetworkInterface) => each);
  if (mac === undefined || isPartial || has.length === 0 || has.includes(mac)) return undefined;
  return { what: 'the MAC address', has };
}

/** Compares only values of the same kind, and only if all disks have one; a BMC often reports part of them. */
function otherDisk(
  field: Exclude<ColumnUse['field'], 'mac'>,
  text: string,
  { disks, unread }: MachineInventory,
): Other | undefined {
  const visible = visibleDisks(disks);
  if (visible.length === 0 || unread.some(({ part }) => part === 'disks')) return undefined;
  if (field === 'serialNumber') {
    const has = visible.flatMap(({ serialNumber }) => serialNumber ?? []);
    const isKnown = has.some((each) => each.toLowerCase() === text.trim().toLowerCase());
    return isKnown || has.length < visible.length ? undefined : { what: 'the serial number', has };
  }
  const name = nameOf(text);
  if (name === undefined) return undefined;
  const names = visible.map(({ links }) => links.map(wwnOf).filter((each) => isSameKind(each, name)));
  if (names.some((each) => each.length === 0)) return undefined;
  const has = names.flat();
  return has.some((each) => isSameName(each, name)) ? undefined : { what: 'the disk', has };
}

/** The World Wide Name or EUI in a link or a hint; undefined for other device names. */
function nameOf(text: string): string | undefined {
  const name = wwnOf(text.trim().toLowerCase());
  return /^(?:0x|eui\.)(?:[0-9a-f]{16}){1,2}$/.test(name) ? name : undefined;
}

function isSameKind(left: string, right: string): boolean {
  return left.length === right.length && left.startsWith('0x') === right.startsWith('0x');
}

/**
 * The name of a SAS drive and the names of its ports differ in the last digit, and BMCs report either. Source: SPC-6 §7.7.6.6, NAA
 * designators; SAS-3 §4.2.5
 */
function isSameName(left: string, right: string): boolean {
  const isLong = left.length > '0x0123456789abcdef'.length;
  return left === right || (left.startsWith('0x') && !isLong && left.slice(0, -1) === right.slice(0, -1));
}

const maxShown = 4;

function listOf(values: readonly string[]): string {
  const more = values.length > maxShown ? ` and ${values.length - maxShown} more` : '';
  return `${values.slice(0, maxShown).map(quoted).join(', ')}${more}`;
}
