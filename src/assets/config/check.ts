import { problem, type Place, type Problem } from '../../core/problem.js';
import type { Misfit } from '../../formats/field-schema.js';
import { pathText, spanOf, type FieldPath, type Target, type YamlNode } from '../../formats/yaml-tree.js';
import type { Finding, Rule } from './rules/rule.js';

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

/**
 * Every problem of a config, in the order of the file. A rule says nothing of a field that does not even fit its
 * schema: it would only have judged what stands in for it.
 */
export function problemsOfConfig<Subject>(checked: Checked<Subject>): readonly Problem[] {
  const { misfits, rules, subject, writtenPath = (path: FieldPath) => path } = checked;
  const findings = rules
    .flatMap(({ check }) => check?.(subject) ?? [])
    .map((finding) => ({
      ...finding,
      path: writtenPath(finding.path),
      with: (finding.with ?? []).map(writtenPath),
    }))
    .filter((finding) => !isSaidAlready(finding, misfits));
  const all: readonly Finding[] = [
    ...misfits.map(({ kind, ...misfit }) => ({ ...misfit, code: `config/${kind}` as const })),
    ...findings,
  ];
  return all.map((finding) => problemOf(finding, checked)).toSorted(byPlace);
}

/** Where a field of a config stands, or would stand. */
export function placeIn(
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

function problemOf<Subject>(
  { code, path, target, message, hint }: Finding,
  checked: Checked<Subject>,
): Problem {
  return problem(code, message, { at: placeIn(checked, path, target), hint });
}

/** Warnings stand among errors: people go through a file from top to bottom. */
function byPlace(left: Problem, right: Problem): number {
  const lines = (left.at?.line ?? 0) - (right.at?.line ?? 0);
  return lines === 0 ? (left.at?.col ?? 0) - (right.at?.col ?? 0) : lines;
}
