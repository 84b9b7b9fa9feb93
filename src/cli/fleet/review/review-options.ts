import type { AioOptions, GlobalOptions } from '../../options.js';
import type { FleetOptions } from '../fleet-options.js';
import type { JobsOption } from '../jobs-option.js';

/** Options of a fleet comparison, with the additional output format. */
export type ComparingFleet = Omit<GlobalOptions, 'output'> &
  AioOptions &
  FleetOptions &
  JobsOption & { readonly output: 'text' | 'json' | 'markdown' };

export interface FleetGoldenOptions {
  /** The folder of the tree. */
  readonly out: string;
  readonly check?: true;
}

export interface FleetDiffOptions {
  /** A Git revision. */
  readonly against?: string;
}

export interface FleetRenderOptions {
  /** The folder of the tree. */
  readonly out: string;
}
