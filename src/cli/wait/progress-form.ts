import type { GlobalOptions } from '../options.js';
import { isData } from '../output/data.js';
import { isLogged } from '../output/report.js';

/** The output format of progress. */
export type ProgressForm =
  /** A status line that is overwritten, for a terminal. */
  | 'line'
  /** One line per change, for a log. */
  | 'lines'
  /** One JSON object per change and line. */
  | 'json-lines'
  | 'silent';

/** Returns the format for the options and the terminal. */
export function progressForm(options: GlobalOptions): ProgressForm {
  if (!isLogged(options, 'info')) return 'silent';
  if (isData(options)) return 'json-lines';
  return process.stderr.isTTY ? 'line' : 'lines';
}

export interface Screen {
  readonly write: (text: string) => void;
  /** Width of the terminal. */
  readonly columns: number;
}

export function stderrScreen(): Screen {
  return { write: (text) => process.stderr.write(text), columns: process.stderr.columns };
}
