import { problem } from '../../core/problem.js';
import { quotedName } from '../../core/quoted.js';
import { failure, success, type Result } from '../../core/result.js';

/** Sites that a confirmation must name, and the selected ones, of which some may be reinstalled already. */
export interface ConfirmedSites {
  readonly needed: readonly string[];
  readonly allowed: readonly string[];
}

/** Checks the exact names in a confirmation, in any order, separated by commas. Problems: reinstall/not-confirmed. */
export function checkConfirmation(text: string, { needed, allowed }: ConfirmedSites): Result<void> {
  const named = new Set(text.split(/[,\s]+/).filter((name) => name !== ''));
  const missing = needed.find((name) => !named.has(name));
  const other = [...named].find((name) => !allowed.includes(name));
  if (missing === undefined && other === undefined) return success(undefined);
  const fault =
    other === undefined
      ? `does not name ${quotedName(missing ?? '')}`
      : `names ${quotedName(other)}, which is not a selected site`;
  return notConfirmed(`the confirmation ${fault}`, needed);
}

/** Problem of a confirmation that is missing or wrong. */
export function notConfirmed(message: string, needed: readonly string[]): Result<never> {
  const hint = `to destroy these clusters and install them again: --confirm ${needed.join(',')}`;
  return failure(problem('reinstall/not-confirmed', message, { hint }));
}
