import { isAbsolute, join } from 'node:path';

import { servingStateName } from '../../serve/tokens/serving-state.js';
import type { LoadedFleet } from '../table/check-fleet.js';

/** The token file of `serve`. */
export function tokensPath(
  { dir, tokens }: { readonly dir: string; readonly tokens?: string },
  { fleet }: Pick<LoadedFleet, 'fleet'>,
): string {
  if (tokens !== undefined) return tokens;
  const file = fleet.serve.tokens ?? servingStateName;
  return isAbsolute(file) ? file : join(dir, file);
}
