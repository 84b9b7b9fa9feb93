import { join } from 'node:path';

import type { InputRead, Inputs, Reference } from '../graph/context.js';

/**
 * What stands at a path of a site in the base, and over it among the overrides of the site. Where a field names the file (`named`), a
 * revision has what Git does not have as it is now, as it should be with secrets.
 */
export function baseAndOverride(
  { baseInputs, overrideInputs }: { readonly baseInputs: Inputs; readonly overrideInputs: Inputs },
  site: string,
  { path, named }: { readonly path: string; readonly named: Reference | undefined },
): readonly [base: InputRead, patch: InputRead] {
  const readAt = (inputs: Inputs, place: string): InputRead => {
    const found = inputs.read(place);
    return found.kind === 'absent' && named !== undefined
      ? inputs.readReference({ ...named, place: { kind: 'file', path: place } })
      : found;
  };
  return [readAt(baseInputs, path), readAt(overrideInputs, join(site, path))];
}
