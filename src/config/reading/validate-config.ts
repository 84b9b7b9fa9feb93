import { isError, problem, type Place, type Problem } from '../../core/problem.js';
import type { SchemaViolation } from '../../formats/field-schema.js';
import {
  nodeAt,
  pathText,
  scalarsIn,
  spanOf,
  type FieldPath,
  type Target,
  type YamlNode,
} from '../../formats/yaml/yaml-tree.js';
import { hasPlaceholder, isPlaceholder, placeholderHint } from '../placeholder.js';
import type { Finding, Rule } from '../schema/rule.js';

/** A parsed config with its rules. */
export interface ConfigCheck<Subject> {
  readonly file: string;
  readonly root: YamlNode;
  readonly misfits: readonly SchemaViolation[];
  readonly rules: readonly Rule<Subject>[];
  readonly subject: Subject;
  /** Whether a placeholder such as `${disk}` is an error. */
  readonly refusesPlaceholders?: true;
  /** Maps a path to the one in the file, if the user wrote the field under a deprecated name. */
  readonly writtenPath?: (path: FieldPath) => FieldPath;
  /** Fields with unknown values. Findings on them are dropped, because another problem reports the cause. */
  readonly silent?: readonly FieldPath[];
  /** Position of a value that is not in this file; undefined for all other values. */
  readonly placeElsewhere?: (path: FieldPath, target?: Target) => Place | undefined;
}

/** The problems of a config, and functions for further checks. */
export interface ValidatedConfig {
  /** In the order of the file. */
  readonly problems: readonly Problem[];
  /** Position of a field; for a missing field, the position where it would be added. */
  readonly placeOf: (path: FieldPath) => Place;
  /** Converts findings of other checks to problems. Drops findings on fields that are already rejected. */
  readonly judge: (findings: readonly Finding[]) => readonly Problem[];
  /** Whether a field such as `controlPlane.architecture`, its parents and its children are free of errors. */
  readonly isSound: (field: string) => boolean;
}

/**
 * Checks a config against its rules. Drops findings on fields that violate the schema, because the rules only see a replacement of
 * their value.
 */
export function validateConfig<Subject>(checked: ConfigCheck<Subject>): ValidatedConfig {
  const { misfits, rules, subject, silent = [] } = checked;
  const heeded = (findings: readonly Finding[]): readonly FieldProblem[] =>
    findings
      .map((finding) => asWritten(finding, checked))
      .filter((finding) => !isAlreadyReported(finding, [...silent, ...misfits.flatMap(refusedBy)]))
      .map((finding) => ({ field: pathText(finding.path), problem: problemOf(finding, checked) }));
  const ofSchema = misfits.map(({ kind, ...misfit }) => ({
    field: pathText(misfit.path),
    problem: problemOf({ ...misfit, code: `config/${kind}` as const }, checked),
  }));
  const judged = [...ofSchema, ...heeded(rules.flatMap(({ check }) => check?.(subject) ?? []))];
  const reported = [...judged, ...(checked.refusesPlaceholders === true ? unfilled(checked, judged) : [])];
  const faulty = [
    ...reported.filter((each) => isError(each.problem)).map(({ field }) => field),
    ...[...silent, ...misfits.flatMap(({ suggested }) => (suggested ? [suggested] : []))].map(pathText),
  ];
  return {
    problems: reported.map((each) => each.problem).toSorted(byPlaceIn(checked.file)),
    placeOf: (path) => placeIn(checked, path),
    judge: (findings) => heeded(findings).map((each) => each.problem),
    isSound: (field) => !faulty.some((path) => isPartOf(path, field) || isPartOf(field, path)),
  };
}

/** Placeholders in fields without another error. */
function unfilled(
  checked: Places & Pick<ConfigCheck<unknown>, 'silent'>,
  reported: readonly FieldProblem[],
): readonly FieldProblem[] {
  const faulty = reported.filter((each) => isError(each.problem)).map(({ field }) => field);
  const known = [...faulty, ...(checked.silent ?? []).map(pathText)];
  return scalarsIn(checked.root).flatMap(({ path, scalar }) => {
    const field = pathText(path);
    const isKnown = known.some((each) => isPartOf(field, each) || isPartOf(each, field));
    if (isKnown || !hasPlaceholder(scalar.text)) return [];
    const message = `${field} ${isPlaceholder(scalar.text) ? 'is' : 'contains'} a placeholder`;
    return [{ field, problem: problemOf({ code: 'config/placeholder', path, message }, checked) }];
  });
}

/** A problem with the path of its field. */
interface FieldProblem {
  readonly field: string;
  readonly problem: Problem;
}

/** Maps the paths of a finding to the user's field names. */
function asWritten(
  finding: Finding,
  { writtenPath = (path) => path }: Pick<ConfigCheck<unknown>, 'writtenPath'>,
): Finding {
  return { ...finding, path: writtenPath(finding.path), with: (finding.with ?? []).map(writtenPath) };
}

function isPartOf(field: string, whole: string): boolean {
  return field === whole || field.startsWith(`${whole}.`) || field.startsWith(`${whole}[`);
}

type Places = Pick<ConfigCheck<unknown>, 'file' | 'root' | 'placeElsewhere'>;

/** Position of a field; for a missing field, the position where it would be added. */
function placeIn({ file, root, placeElsewhere }: Places, path: FieldPath, target?: Target): Place {
  return placeElsewhere?.(path, target) ?? { file, path: pathText(path), ...spanOf(root, path, target) };
}

function refusedBy({ path, suggested }: SchemaViolation): readonly FieldPath[] {
  return suggested ? [path, suggested] : [path];
}

function isAlreadyReported(finding: Finding, refused: readonly FieldPath[]): boolean {
  const paths = [finding.path, ...(finding.with ?? [])];
  return refused.some((misfit) => paths.some((path) => isWithin(path, misfit) || isWithin(misfit, path)));
}

function isWithin(path: FieldPath, outer: FieldPath): boolean {
  return outer.every((step, depth) => path[depth] === step);
}

function problemOf({ code, path, target, message, other, hint }: Finding, checked: Places): Problem {
  const value = nodeAt(checked.root, path);
  return problem(code, message, {
    at: placeIn(checked, path, target),
    other,
    hint: (value?.kind === 'scalar' ? placeholderHint(value.text) : undefined) ?? hint,
  });
}

/** Sorts errors and warnings by position in the file, followed by problems of other files. */
function byPlaceIn(file: string): (left: Problem, right: Problem) => number {
  const rank = ({ at }: Problem): readonly number[] => [
    Number(at?.file !== file),
    at?.line ?? 0,
    at?.col ?? 0,
  ];
  return (left, right) => {
    const ranks = rank(right);
    return (
      rank(left)
        .map((each, index) => each - (ranks[index] ?? 0))
        .find((difference) => difference !== 0) ?? 0
    );
  };
}
