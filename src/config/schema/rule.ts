import type { ProblemCode } from '../../core/problem.js';
import type { FieldPath, Target } from '../../formats/yaml/yaml-tree.js';

/** A rule on what fields may hold. Its number is in the docs, in `explain` and in the names of tests, and never used again. */
export interface Rule<Subject> {
  readonly number: number;
  /** The fields it is about, with `[]` for the items of a list; empty for rules on the file as a whole. */
  readonly fields: readonly string[];
  /** The rule as one sentence. */
  readonly text: string;
  /** Whether openshift-install has it too. Source of those: openshift/installer pkg/types/validation. */
  readonly origin: 'openshift-install' | 'sno-install';
  /** Absent for a rule that reading the file or its schema enforces. */
  readonly check?: (subject: Subject) => readonly Finding[];
}

/** A place where a rule is broken. */
export interface Finding {
  readonly code: ProblemCode;
  readonly path: FieldPath;
  readonly target?: Target;
  readonly message: string;
  readonly hint?: string | undefined;
  /** Other fields that had a part in it: when one of them has a problem of its own, this finding says nothing new. */
  readonly with?: readonly FieldPath[];
}
