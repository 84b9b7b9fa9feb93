import type { StateAccess } from '../../disk/state/state-access.js';
import type { Surroundings } from '../../run/effects/surroundings.js';
import type { ShownProblems } from '../problems/grouped-problems.js';
import type { ShowProgress } from '../table/site-progress.js';
import type { SiteSelection } from '../table/site-selection.js';

/** Options of a comparison of fleets, trees or outputs. */
export interface ComparisonOptions extends SiteSelection {
  /** The folder of the command, in which fleet.yaml is looked for. */
  readonly dir: string;
  /** Leaves out all differences but those of the sheets. */
  readonly isOfSheets?: boolean;
  readonly offlineFiles?: string;
  readonly allowCommands?: true;
  readonly access: StateAccess;
  readonly surroundings: Surroundings;
  /** Threads. */
  readonly jobs: number;
  readonly shown: ShownProblems;
  readonly showProgress: ShowProgress;
}
