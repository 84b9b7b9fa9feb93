/** What commands of `fleet` are told on the command line. */
export interface FleetOptions {
  /** Names of sites, with `*` for any part of one; all sites when empty. */
  readonly only: readonly string[];
}

/** What `fleet create` is told on the command line. */
export interface CreateFleetOptions extends FleetOptions {
  /** How many sites are made at a time. */
  readonly jobs?: string;
  readonly failFast?: true;
}
