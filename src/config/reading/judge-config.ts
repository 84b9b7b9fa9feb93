import { isError, problem, type Place, type Problem } from '../../core/problem.js';
import type { Misfit } from '../../formats/field-schema.js';
import {
  nodeAt,
  pathText,
  spanOf,
  type FieldPath,
  type Target,
  type YamlNode,
} from '../../formats/yaml/yaml-tree.js';
import type { Finding, Rule } from '../../fields/rule.js';

/** A config with everything that is known about it. */
export interface Checked<Subject> {
  readonly file: string;
  readonly root: YamlNode;
  readonly misfits: readonly Misfit[];
  readonly rules: readonly Rule<Subject>[];
  readonly subject: Subject;
  /** Where a field stands that the user wrote under an older name. */
  readonly writtenPath?: (path: FieldPath) => FieldPath;
}

/** A config that was judged by its rules, and what those need who judge it further. */
export interface Judged {
  /** In the order of the file. */
  readonly problems: readonly Problem[];
  /** Where a field stands, or would stand. */
  readonly placeOf: (path: FieldPath) => Place;
  /** Findings of others as problems, without those about fields that were refused already. */
  readonly judge: (findings: readonly Finding[]) => readonly Problem[];
  /** Whether no error is about a field such as `controlPlane.architecture`, what holds it or what it holds. */
  readonly isSound: (field: string) => boolean;
}

/**
 * Judges a config by its rules. A rule says nothing of a field that does not even fit its schema: it would only have
 * judged what stands in for it.
 */
export function judgeConfig<Subject>(checked: Checked<Subject>): Judged {
  const { file, root, misfits, rules, subject } = checked;
  const judge = (findings: readonly Finding[]): readonly Problem[] =>
    findings
      .map((finding) => asWritten(finding, checked))
      .filter((finding) => !isSaidAlready(finding, misfits))
      .map((finding) => problemOf(finding, checked));
  const ofSchema = misfits.map(({ kind, ...misfit }) =>
    problemOf({ ...misfit, code: `config/${kind}` as const }, checked),
  );
  const ofRules = judge(rules.flatMap(({ check }) => check?.(subject) ?? []));
  const problems = [...ofSchema, ...ofRules].toSorted(byPlace);
  const faulty = [
    ...problems.filter(isError).map(({ at }) => at?.path ?? ''),
    ...misfits.flatMap(({ meant }) => (meant ? [pathText(meant)] : [])),
  ];
  return {
    problems,
    placeOf: (path) => placeIn({ file, root }, path),
    judge,
    isSound: (field) => !faulty.some((path) => isPartOf(path, field) || isPartOf(field, path)),
  };
}

/** A finding with its fields under the names that the user wrote. */
function asWritten(
  finding: Finding,
  { writtenPath = (path) => path }: Pick<Checked<unknown>, 'writtenPath'>,
): Finding {
  return { ...finding, path: writtenPath(finding.path), with: (finding.with ?? []).map(writtenPath) };
}

function isPartOf(field: string, whole: string): boolean {
  return field === whole || field.startsWith(`${whole}.`) || field.startsWith(`${whole}[`);
}

/** Where a field of a config stands, or would stand. */
function placeIn(
  { file, root }: Pick<Checked<unknown>, 'file' | 'root'>,
  path: FieldPath,
  target?: Target,
): Place {
  return { file, path: pathText(path), ...spanOf(root, path, target) };
}

function isSaidAlready(finding: Finding, misfits: readonly Misfit[]): boolean {
  const paths = [finding.path, ...(finding.with ?? [])];
  const refused = misfits.flatMap(({ path, meant }) => (meant ? [path, meant] : [path]));
  return refused.some((misfit) => paths.some((path) => isWithin(path, misfit) || isWithin(misfit, path)));
}

function isWithin(path: FieldPath, outer: FieldPath): boolean {
  return outer.every((step, depth) => path[depth] === step);
}

function problemOf(
  { code, path, target, message, hint }: Finding,
  checked: Pick<Checked<unknown>, 'file' | 'root'>,
): Problem {
  const value = nodeAt(checked.root, path);
  // A value that a template engine was to fill in: whatever else is wrong with it follows from that.
  const isTemplate = value?.kind === 'scalar' && /\{\{.*\}\}/.test(value.text);
  const isMark = value?.kind === 'scalar' && /^<.*>$/.test(value.text);
  return problem(code, message, {
    at: placeIn(checked, path, target),
    hint: isTemplate ? 'fill in the template: "{{ … }}" is still there' : isMark ? 'fill it in' : hint,
  });
}

/** Warnings stand among errors: people go through a file from top to bottom. */
function byPlace(left: Problem, right: Problem): number {
  const lines = (left.at?.line ?? 0) - (right.at?.line ?? 0);
  return lines === 0 ? (left.at?.col ?? 0) - (right.at?.col ?? 0) : lines;
}
