import { join } from 'node:path';

import type { InputRead, Inputs, Reference } from '../graph/context.js';

/**
 * What a field of a site names that is none of the files of a fleet: a variable, say, or of a revision a file that Git does not have, as
 * secrets should be. That is read as it is now, among the overrides of the site first.
 */
export function readNamedNow(
  reference: Reference,
  site: string,
  { baseInputs, overrideInputs }: { readonly baseInputs: Inputs; readonly overrideInputs: Inputs },
): InputRead {
  const { place } = reference;
  const own = place.kind === 'file' ? { ...place, path: join(site, place.path) } : undefined;
  const found = own && overrideInputs.readReference({ ...reference, place: own });
  return found === undefined || found.kind === 'absent' ? baseInputs.readReference(reference) : found;
}
