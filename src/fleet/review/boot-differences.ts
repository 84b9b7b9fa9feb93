import { variableNamesIn } from '../../config/variables.js';
import { scalarText, tracedAt } from '../../formats/yaml/traced.js';
import { nodeAt } from '../../formats/yaml/yaml-tree.js';
import type { Detail, Difference } from '../../review/diff/difference.js';
import { expandDocument } from '../table/expand-document.js';
import type { Fleet } from '../table/fleet-file.js';
import type { SiteRow } from '../table/site-row.js';

/** A site in one fleet. The row includes the fleet-wide variables. */
export interface BootedSite {
  readonly fleet: Pick<Fleet, 'boot' | 'secretMarks'>;
  readonly row: SiteRow;
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
 * Compares the `boot` settings of a site, which its outputs do not contain. They select the machine whose disk is erased. Values with
 * variables in `secret` are compared but not shown.
 */
export function bootDifferences(
  before: BootedSite,
  after: BootedSite,
  secret: ReadonlySet<string>,
): readonly Difference[] {
  const [earlier, later] = [settingsOf(before, secret), settingsOf(after, secret)];
  const details = [...labels].flatMap(([field, what]): readonly Detail[] => {
    const [left, right] = [earlier.get(field), later.get(field)];
    if (left?.key === right?.key) return [];
    if (left?.text === undefined && left !== undefined) return [{ what, hidden: true }];
    if (right?.text === undefined && right !== undefined) return [{ what, hidden: true }];
    return [{ what, before: left?.text ?? '', after: right?.text ?? '' }];
  });
  return details.length === 0
    ? []
    : [{ in: [''], kind: 'sheet', name: 'Machine', change: 'changed', details }];
}

interface BootSetting {
  /** Differs if the setting differs; never shown. */
  readonly key: string;
  /** Absent if the value may be a secret. */
  readonly text?: string;
}

function settingsOf(
  { fleet: { boot, secretMarks }, row }: BootedSite,
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
