/** The progress of work on many sites. */
export interface SiteProgress {
  /** Called with the number of finished sites. */
  readonly onSite: (finished: number) => void;
  done(): void;
}

/** Shows the progress of `total` sites; `doing` names the work. */
export type ShowProgress = (total: number, doing?: string) => SiteProgress;
