import { dirname } from 'node:path';

import type { LoadedFleet } from '../table/check-fleet.js';
import { openFleet } from '../table/read-fleet.js';
import type { ReviewSource } from './review-source.js';

/** Outputs of sites in a folder, or a fleet that would generate them. */
export type OutputsPlace = Extract<ReviewSource, { readonly kind: 'outputs' | 'fleet' }>;

/** The compared fleet, or the fleet in the working directory or around the outputs. */
export function fleetAround(places: readonly OutputsPlace[], dir: string): LoadedFleet | undefined {
  const compared = places.find((place) => place.kind === 'fleet');
  if (compared !== undefined) return compared.read;
  const folders = [dir, ...places.flatMap((place) => (place.kind === 'outputs' ? [dirname(place.dir)] : []))];
  return folders
    .map((folder) => openFleet(folder))
    .flatMap((opened) => (opened.ok ? [opened.value] : []))
    .at(0);
}
