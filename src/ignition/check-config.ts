import type { Problem } from '../core/problem.js';
import { decodeDataUrl, isDataUrl } from '../formats/data-url.js';
import { schemaCheck } from '../formats/json-schema.js';
import { checkPaths } from './check-paths.js';
import { containsPrivateMaterial } from './private-material.js';
import type { IgnitionConfig, IgnitionFile, IgnitionUnit, IgnitionUser } from './types.js';
import { unitTypes } from './unit-names.js';
import { parseUnit } from './unit-text.js';
import { conflict, invalid, duplicatesIn } from './violation.js';
import { validate } from './written-check.generated.js';

/**
 * Validates a generated config beyond Ignition's own checks: later Ignition versions check more than early ones, and none
 * checks the contents of files.
 * Problems: ignition/conflict, ignition/invalid. Throws if the config does not match the schema.
 */
export function checkConfig(config: IgnitionConfig): readonly Problem[] {
  checkForm(config);
  return [
    ...checkPaths(config),
    ...(config.storage?.files ?? []).flatMap(checkContents),
    ...checkUnits(config.systemd?.units ?? []),
    ...checkUsers(config.passwd?.users ?? []),
  ];
}

const checkSchema = schemaCheck(validate);

/** A mismatch is a bug: the types of this program guarantee the schema for every input. */
function checkForm(config: IgnitionConfig): void {
  const [first] = checkSchema(config);
  if (!first) return;
  throw new Error(`internal error: the Ignition config breaks its schema at ${first.pointer}: ${first.rule}`);
}

function checkContents(file: IgnitionFile): readonly Problem[] {
  const { contents, append = [] } = file;
  const problems: Problem[] = [];
  for (const { source } of contents === undefined ? append : [contents, ...append]) {
    if (source.startsWith('data:')) problems.push(...checkSource(file, source));
  }
  return problems;
}

function checkSource({ path, mode }: IgnitionFile, source: string): readonly Problem[] {
  const isPrivate = (mode & 0o077) === 0;
  if (isPrivate && isDataUrl(source)) return [];
  const bytes = decodeDataUrl(source);
  if (!bytes) return [invalid(`the contents of ${path} cannot be decoded`)];
  if (!containsPrivateMaterial(bytes.toString('latin1'))) return [];
  const octal = mode.toString(8).padStart(4, '0');
  return [invalid(`${path} contains a secret and has mode ${octal}, expected 0600`)];
}

function checkUsers(users: readonly IgnitionUser[]): readonly Problem[] {
  return [
    ...duplicatesIn(users.map(({ name }) => name)).map((name) =>
      conflict(`user ${name} is in the config twice`),
    ),
    ...users
      .filter(({ sshAuthorizedKeys }) => duplicatesIn(sshAuthorizedKeys).length > 0)
      .map(({ name }) => conflict(`user ${name} has the same SSH key twice`)),
  ];
}

/** Units must have valid names, contents that systemd can parse, and no duplicates. Problems: ignition/conflict, ignition/invalid. */
function checkUnits(units: readonly IgnitionUnit[]): readonly Problem[] {
  return [
    ...duplicatesIn(units.map(({ name }) => name)).map((name) =>
      conflict(`unit ${name} is in the config twice`),
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
    ...duplicatesIn(names).map((dropin) =>
      conflict(`drop-in ${dropin} of unit ${name} is in the config twice`),
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

/** An enabled unit with contents requires an [Install] section, or it never starts. Units of the system have their own. */
function checkEnabling({ name, enabled, contents, dropins = [] }: IgnitionUnit): readonly Problem[] {
  if (enabled !== true || contents === undefined || contents === '') return [];
  const texts = [contents, ...dropins.map((dropin) => dropin.contents)];
  const saysWhere = texts.some((text) => parseUnit(text).sections.includes('Install'));
  return saysWhere ? [] : [invalid(`unit ${name} is enabled and has no [Install] section`)];
}
