import { variableNamesIn } from '../../config/variables.js';
import { scalarText, tracedAt } from '../../formats/yaml/traced.js';
import { sha256 } from '../../formats/sha256.js';
import { nodeAt } from '../../formats/yaml/yaml-tree.js';
import type { Detail, Difference } from '../../review/diff/difference.js';
import { row } from '../../review/sheet/rows.js';
import { machineTitle, type Sheet } from '../../review/sheet/sheet.js';
import type { LoadedFleet } from '../table/check-fleet.js';
import { expandDocument } from '../table/expand-document.js';
import type { Fleet } from '../table/fleet-file.js';
import type { SiteRow } from '../table/site-row.js';
import { secretVariables } from './secret-variables.js';

/** A site in one fleet. The row includes the fleet-wide variables. */
export interface BootedSite {
  readonly fleet: Pick<Fleet, 'boot' | 'secretMarks'>;
  readonly row: SiteRow;
  /** Digests of the files that `boot` names. */
  readonly digests: BootFileDigests;
}

/** Fields of `boot` that name a file. */
const fileFields = ['authorities', 'credentials'] as const;

type BootFileDigests = ReadonlyMap<string, string>;

/** Digests of the files that `boot` names, by field, for comparisons only. Without files that cannot be read. */
export function bootFileDigests(read: LoadedFleet | undefined): BootFileDigests {
  const boot = read?.fleet.boot;
  if (read === undefined || boot === undefined) return new Map();
  return new Map(
    fileFields.flatMap((field): readonly (readonly [string, string])[] => {
      const named = nodeAt(boot, [field]);
      const file = named?.kind === 'scalar' ? read.fleetInputs.read(named.text) : undefined;
      return file?.kind === 'file' ? [[field, sha256(file.bytes)]] : [];
    }),
  );
}

/** Labels of the fields of `boot`, in the order of the screen. */
const labels: ReadonlyMap<string, string> = new Map([
  ['address', 'BMC'],
  ['certificate', 'BMC certificate'],
  ['authorities', 'BMC authorities'],
  ['credentials', 'BMC logins'],
  ['username', 'BMC user'],
  ['password', 'BMC password'],
  ['plainHttp', 'BMC without TLS'],
]);

/**
 * Compares the `boot` settings of a site and the files that they name, which its outputs do not contain. They select the machine whose disk is erased. Values with
 * variables in `secret` are compared but not shown.
 */
export function bootDifferences(
  before: BootedSite,
  after: BootedSite,
  secret: ReadonlySet<string>,
): readonly Difference[] {
  const [earlier, later] = [settingsOf(before, secret), settingsOf(after, secret)];
  const isOtherFile = (field: string): boolean => {
    const [one, other] = [before.digests.get(field), after.digests.get(field)];
    // Git may ignore the file, so that a revision does not have it.
    return one !== undefined && other !== undefined && one !== other;
  };
  const details = [...labels].flatMap(([field, what]): readonly Detail[] => {
    const [left, right] = [earlier.get(field), later.get(field)];
    if (left?.key === right?.key) return isOtherFile(field) ? [changedFile(what, right)] : [];
    if (left?.text === undefined && left !== undefined) return [{ what, hidden: true }];
    if (right?.text === undefined && right !== undefined) return [{ what, hidden: true }];
    return [{ what, before: left?.text ?? '', after: right?.text ?? '' }];
  });
  return details.length === 0
    ? []
    : [{ in: [''], kind: 'sheet', name: machineTitle, change: 'changed', details }];
}

/** Returns a function that adds the BMC to the sheet of a site: its address and the kind of its virtual media, never the password. */
export function withMachine(read: LoadedFleet): (sheet: Sheet, site: SiteRow) => Sheet {
  const secret = secretVariables(read);
  return (sheet, site) => {
    const settings = settingsOf({ fleet: read.fleet, row: site }, secret);
    const address = settings.get('address');
    if (address === undefined) return sheet;
    const { text } = address;
    // Source: metal3-io/baremetal-operator, docs/api.md, BMC address formats
    const [, kind = 'redfish'] = /^((?!https?:)[a-z0-9-]+)(?:\+https?)?:\/\//i.exec(text ?? '') ?? [];
    const rows = [
      ...row('bmc-address', 'BMC', [text ?? 'not shown: it may contain a password']),
      ...row('virtual-media', 'Virtual media', [text === undefined ? undefined : kind.toLowerCase()]),
      ...row('bmc-certificate', 'BMC certificate', [settings.get('certificate')?.text]),
    ];
    return [{ name: 'machine', title: machineTitle, rows }, ...sheet];
  };
}

function changedFile(what: string, named: BootSetting | undefined): Detail {
  const name = named?.text ?? '';
  return { what, before: name, after: `${name} (changed)` };
}

interface BootSetting {
  /** Differs if the setting differs; never shown. */
  readonly key: string;
  /** Absent if the value may be a secret. */
  readonly text?: string;
}

function settingsOf(
  { fleet: { boot, secretMarks }, row }: Pick<BootedSite, 'fleet' | 'row'>,
  secret: ReadonlySet<string>,
): ReadonlyMap<string, BootSetting> {
  // Without `boot`, the address of a ClusterInstance is the only one.
  if (boot === undefined)
    return new Map(row.bmc === undefined ? [] : [['address', { key: row.bmc.text, ...shown(row.bmc.text) }]]);
  const { root } = expandDocument(boot, { file: '', text: '' }, row.variables);
  const settings = new Map<string, BootSetting>();
  for (const field of labels.keys()) {
    const text = scalarText(tracedAt(root, [field]));
    if (text === undefined || text === '') continue;
    const written = nodeAt(boot, [field]);
    const names = written?.kind === 'scalar' ? variableNamesIn(written.text) : [];
    const isSecret = field === 'password' || names.some((name) => secret.has(name));
    const marks = names.map((name) => [name, secretMarks[name] ?? '']);
    settings.set(field, isSecret ? { key: JSON.stringify([text, marks]) } : { key: text, ...shown(text) });
  }
  return settings;
}

/** An address that contains a user is not shown, since a password may follow it. */
function shown(text: string): Pick<BootSetting, 'text'> {
  return text.includes('@') ? {} : { text };
}
