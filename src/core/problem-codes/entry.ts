/** `error` stops the run before it writes anything; `warning` is printed and the run continues. */
export type Severity = 'error' | 'warning';

/** One problem code, as `explain CODE`, docs/problems.md and SARIF describe it. */
export interface CodeEntry {
  readonly severity: Severity;
  /** The error itself: a clause in lower case, without a full stop. */
  readonly fault: string;
  /** The consequences on the node or for the files of the user. */
  readonly why: string;
  /** The text to type or the change to make. It must not lose data or keys. */
  readonly fix: string;
  /** Lines of YAML, CSV or DNS records, or commands after `$ `. */
  readonly example?: string;
}

/** The problem codes of one area. */
export type CodeTable = Readonly<Record<string, CodeEntry>>;
