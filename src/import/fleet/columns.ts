import { mayBeSecret } from '../../core/secrets.js';
import { isVariableName, scalarOf } from '../../config/variables.js';
import type { FieldPath } from '../../formats/yaml/yaml-tree.js';

/** What the sites have under a field, as YAML in one line; undefined for a site without it. */
export type Cells = readonly (string | undefined)[];

/** The columns of a table that is being made: what differs among sites, the same values once. */
export class Columns {
  readonly #byCells = new Map<string, string>();
  readonly #cells = new Map<string, Cells>();

  /** The first column has the names of the sites. */
  constructor(names: readonly string[]) {
    this.#put(
      'name',
      names.map((name) => JSON.stringify(name)),
    );
  }

  /** The name of the column with these values, which is called after its field where it is new. */
  named(path: FieldPath, cells: Cells): string {
    const known = this.#byCells.get(JSON.stringify(cells));
    return known ?? this.#put(this.#freeName(wishedName(path)), cells);
  }

  /** Comma-separated values with a header, which `readSiteTable` reads as the same. */
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

/** Fields whose own name tells nothing. */
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

/** Whether a value that is no secret by its place can stand in a table that lies in Git: one line, and no secret by its looks. */
export function isTabular(yaml: string): boolean {
  if (!yaml.startsWith('"')) return scalarOf(yaml) === yaml;
  const text = JSON.parse(yaml) as string;
  const isOneLine = text.length <= 200 && /^[\x20-\x7e]*$/.test(text) && text.trim() === text;
  return isOneLine && !mayBeSecret(text);
}

/** In quotes where it would be another value without. */
function csvCell(yaml: string | undefined): string {
  if (yaml === undefined) return '';
  if (!yaml.startsWith('"')) return yaml;
  const text = JSON.parse(yaml) as string;
  const isPlain = scalarOf(text) === yaml && text !== '' && !/[",;\t]/.test(text);
  return isPlain ? text : `"${text.replaceAll('"', '""')}"`;
}
