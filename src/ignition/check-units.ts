import type { Problem } from '../core/problem.js';
import type { IgnitionUnit } from './types.js';
import { unitTypes } from './unit-names.js';
import { parseUnit } from './unit-text.js';
import { conflict, invalid, repeated } from './violation.js';

/** Units with names and text that systemd takes, each once. Problems: ignition/conflict, ignition/invalid. */
export function checkUnits(units: readonly IgnitionUnit[]): readonly Problem[] {
  return [
    ...repeated(units.map(({ name }) => name)).map((name) =>
      conflict(`unit ${name} stands in the config twice`),
    ),
    ...units.flatMap((unit) => [
      ...checkName(unit),
      ...checkText(`unit ${unit.name}`, unit.contents ?? ''),
      ...checkDropins(unit),
      ...checkEnabling(unit),
    ]),
  ];
}

function checkName({ name }: IgnitionUnit): readonly Problem[] {
  const type = name.slice(name.lastIndexOf('.') + 1);
  return unitTypes.includes(type) ? [] : [invalid(`unit ${name} has no type of unit for an ending`)];
}

function checkDropins({ name, dropins = [] }: IgnitionUnit): readonly Problem[] {
  const names = dropins.map((dropin) => dropin.name);
  return [
    ...repeated(names).map((dropin) =>
      conflict(`drop-in ${dropin} of unit ${name} stands in the config twice`),
    ),
    ...names
      .filter((dropin) => !dropin.endsWith('.conf'))
      .map((dropin) => invalid(`drop-in ${dropin} of unit ${name} does not end in .conf`)),
    ...dropins.flatMap((dropin) => checkText(`drop-in ${dropin.name} of unit ${name}`, dropin.contents)),
  ];
}

function checkText(what: string, text: string): readonly Problem[] {
  const { faultyLine } = parseUnit(text);
  return faultyLine === undefined ? [] : [invalid(`${what} cannot be read at its line ${faultyLine}`)];
}

/** A unit of ours that is enabled and says nowhere for what would never start; one of the system says so itself. */
function checkEnabling({ name, enabled, contents, dropins = [] }: IgnitionUnit): readonly Problem[] {
  if (enabled !== true || contents === undefined || contents === '') return [];
  const texts = [contents, ...dropins.map((dropin) => dropin.contents)];
  const saysWhere = texts.some((text) => parseUnit(text).sections.includes('Install'));
  return saysWhere ? [] : [invalid(`unit ${name} is enabled and has no [Install] section`)];
}
