/** `error` stops the run before anything is written; `warning` is printed and the run continues. */
export type Severity = 'error' | 'warning';

/** Documentation of a problem code, printed by `explain CODE` and in docs/problems.md. */
interface CodeEntry {
  readonly severity: Severity;
  /** The violated rule, as one sentence. */
  readonly rule: string;
  /** Consequences on the node or for the user's files. */
  readonly why: string;
  readonly fix: string;
}

export type CodeTable = Readonly<Record<string, CodeEntry>>;
