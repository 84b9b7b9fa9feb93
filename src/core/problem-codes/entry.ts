/** `error` stops the run and nothing is written; `warning` is shown and the run goes on. */
export type Severity = 'error' | 'warning';

/** What `explain CODE` and docs/problems.md say of one problem code. */
interface CodeEntry {
  readonly severity: Severity;
  /** The rule that is broken, as one sentence. */
  readonly rule: string;
  /** Why it matters: what would happen on the node, or to the user's files. */
  readonly why: string;
  /** What to do about it. */
  readonly fix: string;
}

/** The codes of an area, each with what docs/problems.md says of it. */
export type CodeTable = Readonly<Record<string, CodeEntry>>;
