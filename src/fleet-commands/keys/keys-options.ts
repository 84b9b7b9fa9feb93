import type { AioOptions, GlobalOptions } from '../../command-line/options.js';
import type { FleetOptions } from '../../fleet-command-line/fleet-options.js';

/** What `fleet keys` is told on the command line. */
export interface KeysOptions extends GlobalOptions, AioOptions, FleetOptions {
  /** How many keys the pool is to hold; true for as many as the sites need. */
  readonly fill?: number | true;
  /** How many kits are drawn at a time. */
  readonly jobs?: number;
  /** Into how many parts the pool is taken apart. */
  readonly split?: number;
  readonly adopt?: true;
}
