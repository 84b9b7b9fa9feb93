import { mayBeSecret } from '../../core/secrets.js';
import { isVariableName, cellToYaml } from '../../config/variables.js';
import type { FieldPath } from '../../formats/yaml/yaml-tree.js';

/** Values of one field, one per site, as single-line YAML. Undefined for a site without the field. */
export type Cells = readonly (string | undefined)[];

/** Builds the site table. Fields with the same values for all sites share a column. */
export class Columns {
  readonly #byCells = new Map<string, string>();
  readonly #cells = new Map<string, Cells>();

  /** `names` are the site names, which form the first column. */
  constructor(names: readonly string[]) {
    this.#put(
      'name',
      names.map((name) => JSON.stringify(name)),
    );
  }

  /** Returns the name of the column with these values. Adds a column named after the field if there is none. */
  named(path: FieldPath, cells: Cells): string {
    const known = this.#byCells.get(JSON.stringify(cells));
    return known ?? this.#put(this.#freeName(wishedName(path)), cells);
  }

  /** Serializes the table as comma-separated values with a header. `readSiteTable` reads the same values from it. */
  text(): string {
    const names = [...this.#cells.keys()];
    const count = this.#cells.get('name')?.length ?? 0;
    const rows = Array.from({ length: count }, (_, site) =>
      names.map((name) => csvCell(this.#cells.get(name)?.[site])).join(','),
    );
    return [names.join(','), ...rows].map((line) => `${line}\n`).join('');
  }

  #put(name: string, cells: Cells): string {
    this.#cells.set(name, cells);
    this.#byCells.set(JSON.stringify(cells), name);
    return name;
  }

  #freeName(wished: string): string {
    let free = wished;
    for (let count = 2; this.#cells.has(free); count += 1) free = `${wished}${count}`;
    return free;
  }
}

/** Column names for fields whose last part is not descriptive. */
const names: readonly (readonly [RegExp, string])[] = [
  [/machineNetwork\.cidr$/, 'machineNetwork'],
  [/clusterNetwork\.cidr$/, 'clusterNetwork'],
  [/serviceNetwork$/, 'serviceNetwork'],
  [/next-hop-address$/, 'gateway'],
  [/mac-address$/, 'mac'],
  [/prefix-length$/, 'prefix'],
  [/dns-resolver\.config\.server$/, 'dns'],
];

function wishedName(path: FieldPath): string {
  const keys = path.filter((step) => typeof step === 'string');
  const own = names.find(([field]) => field.test(keys.join('.')))?.[1] ?? keys.at(-1) ?? 'value';
  return isVariableName(own) && own !== 'name' ? own : 'value';
}

/** Returns whether a value can go in the table, which is committed to Git: one short line that does not look like a secret. */
export function fitsTable(yaml: string): boolean {
  if (!yaml.startsWith('"')) return cellToYaml(yaml) === yaml;
  const text = JSON.parse(yaml) as string;
  const isOneLine = text.length <= 200 && /^[\x20-\x7e]*$/.test(text) && text.trim() === text;
  return isOneLine && !mayBeSecret(text);
}

/** Quotes a value if it would be read differently without quotes. */
export function csvCell(yaml: string | undefined): string {
  if (yaml === undefined) return '';
  if (!yaml.startsWith('"')) return yaml;
  const text = JSON.parse(yaml) as string;
  const isPlain = cellToYaml(text) === yaml && text !== '' && !/[",;\t]/.test(text);
  return isPlain ? text : `"${text.replaceAll('"', '""')}"`;
}
