import type { AioOptions, GlobalOptions } from '../../options.js';
import type { FleetOptions } from '../fleet-options.js';
import type { JobsOption } from '../jobs-option.js';

/** A command that compares has a further form of its results. */
export type ComparingFleet = Omit<GlobalOptions, 'output'> &
  AioOptions &
  FleetOptions &
  JobsOption & { readonly output: 'text' | 'json' | 'markdown' };

/** What `fleet golden` is told on the command line. */
export interface FleetGoldenOptions {
  /** The folder of the tree. */
  readonly out: string;
  readonly check?: true;
}

/** What `fleet diff` is told on the command line. */
export interface FleetDiffOptions {
  /** A Git revision. */
  readonly against?: string;
}

/** What `fleet render` is told on the command line. */
export interface FleetRenderOptions {
  /** The folder of the tree. */
  readonly out: string;
}
