import { posix } from 'node:path';

import { namesSecret } from '../../core/secrets.js';
import { expandDocument } from '../table/expand-document.js';
import { withFleetVariables, type LoadedFleet } from '../table/check-fleet.js';
import { namesOfClasses } from '../table/class-variables.js';
import type { FleetText } from '../table/fleet-file.js';
import { yamlPathsBelow } from '../table/read-fleet.js';
import { secretFields } from '../../config/secret-fields.js';
import { siteClasses } from '../table/site-classes.js';
import { siteFiles, type FleetFiles } from '../table/site-files.js';
import type { SiteRow } from '../table/site-table.js';
import { scalarText, type Traced } from '../../formats/yaml/traced.js';
import { variableNamesIn, type SiteVariables } from '../../config/variables.js';
import { readYaml } from '../../formats/yaml/yaml.js';
import type { Inputs } from '../../graph/context.js';

/**
 * Variables whose values are secrets: because of their name, or because the base, an override or fleet.yaml uses them in a secret field.
 * A variable that may be secret is included, except `name`, which is also the name of a folder.
 */
export function secretVariables(read: LoadedFleet): ReadonlySet<string> {
  const { fleet, table } = read;
  const names = [
    ...new Set([...table.columns.keys(), ...fleet.variables.keys(), ...namesOfClasses(fleet.classVariables)]),
  ];
  const variables = asWritten(names);
  const boot = fleet.boot ? [expandDocument(fleet.boot, { file: '', text: '' }, variables).root] : [];
  const used = [...boot, ...documentsOf(read, variables)].flatMap((root) => namesBelow(root, variables));
  const secret = new Set([...names.filter(namesSecret), ...fleet.secrets.keys(), ...used]);
  secret.delete('name');
  return secret;
}

/** Variables whose value is their own placeholder `${…}`, to find the fields that use them in the generated files. */
function asWritten(names: readonly string[]): SiteVariables {
  const known = names.map((name) => {
    const text = `\${${name}}`;
    const span = { line: 1, col: 1, length: 0 };
    return [name, { value: { kind: 'scalar', value: text, text, span }, at: { file: '' } }] as const;
  });
  return { known: new Map(known), empty: new Map() };
}

const nothing: Pick<Inputs, 'read' | 'list'> = { read: () => ({ kind: 'absent' }), list: () => undefined };

/** Documents of the base and of each combination of classes, and the documents of each site that an override changes. */
function documentsOf(
  { fleet, table, files: sources }: LoadedFleet,
  variables: SiteVariables,
): readonly Traced[] {
  const { baseInputs, classInputs, overrideInputs } = sources;
  const below = (paths: readonly string[], name: string, own: Partial<FleetFiles>): readonly Traced[] => {
    const row: SiteRow = { name, at: { file: '' }, variables };
    const files = siteFiles({ ...sources, ...own }, row);
    return paths.flatMap((path) => files.documentsOf(path));
  };
  const classesOf = (row: SiteRow): readonly string[] =>
    sources.classes.length === 0 ? [] : siteClasses(sources, withFleetVariables(row, fleet).variables).names;
  const combinations = new Map(
    table.rows.map((row) => {
      const names = classesOf(row);
      return [names.join('/'), names];
    }),
  );
  const shared = [...combinations.values()].flatMap((names) => {
    const ofClasses = names.flatMap((name) => pathsIn(classInputs, name));
    const paths = [...new Set([...yamlPathsBelow(baseInputs), ...ofClasses])];
    const noOverride = { ...overrideInputs, ...nothing };
    return below(paths, '', { classes: names.map(asEntry), overrideInputs: noOverride });
  });
  const own = table.rows.flatMap((row) => {
    const paths = pathsIn(overrideInputs, row.name);
    return paths.length === 0 ? [] : below(paths, row.name, { classes: classesOf(row).map(asEntry) });
  });
  return [...shared, ...own];
}

/** The entry of a class whose name is known. */
function asEntry(name: string): FleetText {
  return { text: name.replaceAll('${', '$${'), at: { file: '' } };
}

/** Paths of the YAML files of a class or an override. */
function pathsIn(inputs: Inputs, folder: string): readonly string[] {
  return yamlPathsBelow(inputs, folder).map((path) => posix.relative(folder, path));
}

/** Variables that a document uses in secret fields. */
function namesBelow(node: Traced, variables: SiteVariables, isOfSecrets = false): readonly string[] {
  switch (node.kind) {
    case 'scalar':
      return namesInText(scalarText(node) ?? '', variables);
    case 'list':
      return node.items.flatMap((item) => namesBelow(item, variables, isOfSecrets));
    case 'map': {
      const places = secretFields(node, isOfSecrets);
      return node.entries.flatMap(({ key, value }) =>
        places.isSecret(key) ? allBelow(value) : namesBelow(value, variables, places.isOfSecrets(key)),
      );
    }
  }
}

function allBelow(node: Traced): readonly string[] {
  if (node.kind === 'scalar') return variableNamesIn(scalarText(node) ?? '');
  return (node.kind === 'list' ? node.items : node.entries.map(({ value }) => value)).flatMap(allBelow);
}

/** Variables in the user part of a URL, in a line that mentions a secret, or in secret fields of an embedded document. */
function namesInText(text: string, variables: SiteVariables): readonly string[] {
  if (!text.includes('${')) return [];
  if (/PRIVATE KEY|auths?\\*["']/.test(text)) return variableNamesIn(text);
  const users = text.match(/[^\s"'<>]*@(?!sha\d+:)/g) ?? [];
  const lines = text.split('\n').filter((line) => namesSecret(line.replaceAll(/\$\{[^}]*\}/g, '')));
  return [...[...users, ...lines].flatMap(variableNamesIn), ...namesInDocuments(text, variables)];
}

function namesInDocuments(text: string, variables: SiteVariables): readonly string[] {
  if (!/\n|^\s*[{[]/.test(text)) return [];
  const { documents, faults } = readYaml(text);
  if (faults.length > 0) return [];
  return documents
    .filter(({ kind }) => kind !== 'scalar')
    .flatMap((each) => namesBelow(expandDocument(each, { file: '', text }, variables).root, variables));
}
