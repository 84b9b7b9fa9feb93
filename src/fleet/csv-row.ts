import type { Place } from '../core/problem.js';
import type { CsvCell, CsvRecord } from '../formats/table/csv.js';
import { readYaml } from '../formats/yaml/yaml.js';
import type { YamlNode } from '../formats/yaml/yaml-tree.js';
import type { DraftRow } from './site-row.js';
import { scalarOf, type Variable } from './variables.js';

/** A column of a table, with its place but for the line. */
export interface CsvColumn {
  readonly name: string;
  readonly place: Place;
}

/** A line of a table of comma-separated values; its variables are made whenever they are asked for. */
export class CsvRow implements DraftRow {
  readonly #columns: readonly CsvColumn[];
  readonly #record: CsvRecord;

  constructor(columns: readonly CsvColumn[], record: CsvRecord) {
    [this.#columns, this.#record] = [columns, record];
  }

  get at(): Place {
    const [first] = this.#record;
    return { file: this.#columns[0]?.place.file ?? '', ...first?.span };
  }

  get known(): ReadonlyMap<string, Variable> {
    const placed = this.#placed();
    return new Map(
      placed.flatMap(({ name, at, cell }) => (cell ? [[name, { value: cellValue(cell), at }]] : [])),
    );
  }

  get empty(): ReadonlyMap<string, Place> {
    return new Map(this.#placed().flatMap(({ name, at, cell }) => (cell ? [] : [[name, at]])));
  }

  /** A cell that has no value is none. */
  #placed(): readonly { readonly name: string; readonly at: Place; readonly cell: CsvCell | undefined }[] {
    const cells = this.#record;
    const line = cells[0] && { line: cells[0].span.line };
    return this.#columns.map(({ name, place }, index) => {
      const cell = cells[index];
      const hasValue = cell !== undefined && (cell.text !== '' || cell.isQuoted);
      return { name, at: { ...place, ...(cell?.span ?? line) }, cell: hasValue ? cell : undefined };
    });
  }
}

/** A cell as YAML would have it; in quotes it is a text, whatever stands there. */
function cellValue({ text, isQuoted, span }: CsvCell): YamlNode {
  const written = isQuoted ? undefined : scalarOf(text);
  // Of thousands of cells nearly all are texts.
  if (written === undefined || written.startsWith('"')) return { kind: 'scalar', value: text, text, span };
  const [document] = readYaml(written).documents;
  return document?.kind === 'scalar' ? { ...document, span } : { kind: 'scalar', value: text, text, span };
}
