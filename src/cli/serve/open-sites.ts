import type { Problem } from '../../core/problem.js';
import type { StateAccess } from '../../disk/state/state-access.js';
import type { ServingState } from '../../serve/tokens/serving-state.js';
import type { SiteFolder } from '../../serve/site-folders.js';
import type { SiteCatalogue } from '../../serve/site-catalogue.js';
import type { ServeConfig, StorePlace } from './serve-options.js';
import type { ServeSettings } from './serve-settings.js';

/** The served sites and their tokens. */
export interface OpenSites {
  readonly settings: ServeSettings;
  readonly folders: readonly string[];
  readonly tokensPath: string;
  readonly access: StateAccess;
  readonly state: ServingState;
  readonly catalogue: SiteCatalogue;
  /** All sites in the table of a fleet, with or without outputs. */
  readonly awaited?: readonly SiteFolder[];
  /** Sites of a store, which have no folders. */
  readonly listed?: readonly SiteFolder[];
  readonly store?: StorePlace;
  readonly payloadsFor?: ServeConfig['payloadsFor'];
  readonly warnings: readonly Problem[];
}
