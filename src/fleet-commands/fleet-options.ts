/** What commands of `fleet` are told on the command line. */
export interface FleetOptions {
  /** Names of sites, with `*` for any part of one; all sites when empty. */
  readonly only: readonly string[];
}
