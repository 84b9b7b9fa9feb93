import { posix } from 'node:path';

import { namesSecret } from '../../core/secrets.js';
import { expandDocument } from '../expand-document.js';
import type { LoadedFleet } from '../check-fleet.js';
import { yamlPathsBelow } from '../read-fleet.js';
import { secretFields } from '../../config/secret-fields.js';
import { siteFiles } from '../site-files.js';
import type { SiteRow } from '../site-table.js';
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
  const names = [...new Set([...table.columns.keys(), ...fleet.variables.keys()])];
  const variables = asWritten(names);
  const boot = fleet.boot ? [expandDocument(fleet.boot, { file: '', text: '' }, variables).root] : [];
  const used = [...boot, ...documentsOf(read, variables)].flatMap((root) => namesBelow(root, variables));
  const secret = new Set([...names.filter(namesSecret), ...used]);
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

/** Documents of the base, and the documents of each site that an override changes. */
function documentsOf(
  { fleet, table, baseInputs, overrideInputs }: LoadedFleet,
  variables: SiteVariables,
): readonly Traced[] {
  const { base, overrides } = fleet;
  const below = (paths: readonly string[], name: string, inputs: Inputs): readonly Traced[] => {
    const row: SiteRow = { name, at: { file: '' }, variables };
    const files = siteFiles({ base, overrides, baseInputs, overrideInputs: inputs }, row);
    return paths.flatMap((path) => files.documentsOf(path));
  };
  const own = table.rows.flatMap(({ name }) => {
    const paths = yamlPathsBelow(overrideInputs, name).map((path) => posix.relative(name, path));
    return paths.length === 0 ? [] : below(paths, name, overrideInputs);
  });
  return [...below(yamlPathsBelow(baseInputs), '', { ...overrideInputs, ...nothing }), ...own];
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
