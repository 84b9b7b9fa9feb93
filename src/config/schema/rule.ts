import type { Place, ProblemCode } from '../../core/problem.js';
import type { FieldPath, Target } from '../../formats/yaml/yaml-tree.js';

/** A rule on the values of fields. Its number is used in the docs, in `explain` and in test names, and never reused. */
export interface Rule<Subject> {
  readonly number: number;
  /** The fields of the rule, with `[]` for list items; empty for rules on the whole file. */
  readonly fields: readonly string[];
  /** The rule as one sentence. */
  readonly text: string;
  /** `openshift-install` for rules that it also has. Their source: openshift/installer pkg/types/validation. */
  readonly origin: 'openshift-install' | 'sno-install';
  /** Absent for a rule that is enforced by reading the file or by its schema. */
  readonly check?: (subject: Subject) => readonly Finding[];
}

/** A violation of a rule. */
export interface Finding {
  readonly code: ProblemCode;
  readonly path: FieldPath;
  readonly target?: Target;
  readonly message: string;
  readonly hint?: string | undefined;
  /** Position of another value that contradicts this one. */
  readonly other?: Place;
  /** Other fields that the finding depends on. If one of them has a problem, the finding is dropped. */
  readonly with?: readonly FieldPath[];
}
