import type { Severity } from '../../src/core/problem-codes/entry.js';

/** The text of the generated module with the codes of warnings, by path. */
export function warningModule(
  catalog: Readonly<Record<string, { readonly severity: Severity }>>,
): Promise<Readonly<Record<string, string>>>;
