import type { Span } from '../yaml/yaml-tree.js';

/** A cell of a table with its place. */
export interface CsvCell {
  /** Without the quotes it may have; where it has none, without the blanks around it. */
  readonly text: string;
  readonly isQuoted: boolean;
  readonly span: Span;
}

/** Cells one after the other, in a few lists for all of them: ten thousand lines of objects would take thrice the memory. */
export class PackedCells {
  readonly #texts: string[] = [];
  /** Of each cell its line, its column, and its length, which is below zero where it has quotes. */
  readonly #places: number[] = [];

  get length(): number {
    return this.#texts.length;
  }

  push({ text, isQuoted, span }: CsvCell): void {
    this.#texts.push(text);
    this.#places.push(span.line, span.col, isQuoted ? -span.length : span.length);
  }

  slice(from: number, to: number): readonly CsvCell[] {
    return this.#texts.slice(from, to).map((text, index) => {
      const [line = 0, col = 0, length = 0] = this.#places.slice((from + index) * 3, (from + index) * 3 + 3);
      return { text, isQuoted: length < 0, span: { line, col, length: Math.abs(length) } };
    });
  }
}

/** A line of a table. Its cells are made whenever they are asked for. */
export class CsvRecord {
  readonly #cells: PackedCells;
  readonly #from: number;
  readonly #to: number;

  constructor(cells: PackedCells, from: number, to: number) {
    [this.#cells, this.#from, this.#to] = [cells, from, to];
  }

  cells(): readonly CsvCell[] {
    return this.#cells.slice(this.#from, this.#to);
  }
}
