/** `error` stops the run before it writes anything; `warning` is printed and the run continues. */
export type Severity = 'error' | 'warning';

/** One problem code, as `explain CODE`, docs/problems.md and SARIF describe it. */
export interface CodeEntry {
  readonly severity: Severity;
  /** What is wrong: a clause in lower case, without a full stop. */
  readonly fault: string;
  /** What would happen on the node or to the user's files. */
  readonly why: string;
  /** What to type or change. Never advice that loses data or keys. */
  readonly fix: string;
  /** Lines of YAML, CSV or DNS records, or commands after `$ `. */
  readonly example?: string;
}

/** The problem codes of one area. */
export type CodeTable = Readonly<Record<string, CodeEntry>>;
