import { quoted } from '../../core/quoted.js';
import type { FieldPath } from '../../formats/yaml/yaml-tree.js';
import { refused, type Fault } from './ignition-fault.js';
import { entriesAt, type FoundEntry } from './plain-config.js';
import { parseUnit } from '../unit-text.js';

/** Units that cannot be read, that begin nowhere, and drop-ins of one name. */
export function unitTextFaults(config: unknown): readonly Fault[] {
  return entriesAt(config, ['systemd', 'units']).flatMap((unit) => [
    ...textFaults(unit.entry['contents'], [...unit.path, 'contents']),
    ...enablingFaults(unit),
    ...dropinFaults(entriesAt(unit.entry, ['dropins']), unit.path),
  ]);
}

/** Ignition refuses what its own reader stops at; systemd leaves out what else it does not understand. */
function textFaults(text: unknown, path: FieldPath): readonly Fault[] {
  if (typeof text !== 'string') return [];
  const { sections, faultyLine } = parseUnit(text);
  if (faultyLine === undefined) return [];
  const line = text.split('\n')[faultyLine - 1] ?? '';
  if (/^\s*\[/.test(line) || (sections.length > 0 && !line.includes('=')))
    return [refused(path, `the text of a unit cannot be read at its line ${faultyLine}`)];
  const message = `systemd leaves out what it does not understand, as line ${faultyLine} of this text`;
  return [{ kind: 'idle', path, target: 'value', message }];
}

function dropinFaults(dropins: readonly FoundEntry[], unit: FieldPath): readonly Fault[] {
  const seen = new Set<unknown>();
  return dropins.flatMap(({ path, entry }) => {
    const { name, contents } = entry;
    const here = [...unit, ...path];
    const isAgain = typeof name === 'string' && seen.has(name);
    seen.add(name);
    return [
      ...(isAgain ? [refused([...here, 'name'], `drop-in ${quoted(name)} stands in its unit twice`)] : []),
      ...textFaults(contents, [...here, 'contents']),
    ];
  });
}

function enablingFaults({ path, entry }: FoundEntry): readonly Fault[] {
  const { enabled, contents } = entry;
  if (enabled !== true || typeof contents !== 'string' || contents === '') return [];
  const texts = [contents, ...entriesAt(entry, ['dropins']).map((dropin) => dropin.entry['contents'])];
  if (texts.some(saysWhere)) return [];
  const message = 'a unit without an [Install] section is enabled, which does nothing';
  return [{ kind: 'idle', path: [...path, 'enabled'], target: 'value', message }];
}

function saysWhere(text: unknown): boolean {
  return typeof text === 'string' && parseUnit(text).sections.includes('Install');
}
