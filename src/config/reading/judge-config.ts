import { isError, problem, type Place, type Problem } from '../../core/problem.js';
import type { Misfit } from '../../formats/field-schema.js';
import { fillInBraces } from '../../formats/yaml/yaml-faults.js';
import {
  nodeAt,
  pathText,
  spanOf,
  type FieldPath,
  type Target,
  type YamlNode,
} from '../../formats/yaml/yaml-tree.js';
import type { Finding, Rule } from '../schema/rule.js';

/** A config with everything that is known about it. */
export interface Checked<Subject> {
  readonly file: string;
  readonly root: YamlNode;
  readonly misfits: readonly Misfit[];
  readonly rules: readonly Rule<Subject>[];
  readonly subject: Subject;
  /** Where a field stands that the user wrote under an older name. */
  readonly writtenPath?: (path: FieldPath) => FieldPath;
  /** Fields whose value is not known: others say why, and rules on them say nothing. */
  readonly silent?: readonly FieldPath[];
  /** Where a value stands that is not in the file; undefined of all others. */
  readonly placeElsewhere?: (path: FieldPath, target?: Target) => Place | undefined;
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
  const { misfits, rules, subject, silent = [] } = checked;
  const heeded = (findings: readonly Finding[]): readonly Told[] =>
    findings
      .map((finding) => asWritten(finding, checked))
      .filter((finding) => !isSaidAlready(finding, [...silent, ...misfits.flatMap(refusedBy)]))
      .map((finding) => ({ field: pathText(finding.path), problem: problemOf(finding, checked) }));
  const ofSchema = misfits.map(({ kind, ...misfit }) => ({
    field: pathText(misfit.path),
    problem: problemOf({ ...misfit, code: `config/${kind}` as const }, checked),
  }));
  const told = [...ofSchema, ...heeded(rules.flatMap(({ check }) => check?.(subject) ?? []))];
  const faulty = [
    ...told.filter((each) => isError(each.problem)).map(({ field }) => field),
    ...[...silent, ...misfits.flatMap(({ meant }) => (meant ? [meant] : []))].map(pathText),
  ];
  return {
    problems: told.map((each) => each.problem).toSorted(byPlaceIn(checked.file)),
    placeOf: (path) => placeIn(checked, path),
    judge: (findings) => heeded(findings).map((each) => each.problem),
    isSound: (field) => !faulty.some((path) => isPartOf(path, field) || isPartOf(field, path)),
  };
}

/** A problem, and the field that it is about. */
interface Told {
  readonly field: string;
  readonly problem: Problem;
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

type Places = Pick<Checked<unknown>, 'file' | 'root' | 'placeElsewhere'>;

/** Where a field of a config stands, or would stand. */
function placeIn({ file, root, placeElsewhere }: Places, path: FieldPath, target?: Target): Place {
  return placeElsewhere?.(path, target) ?? { file, path: pathText(path), ...spanOf(root, path, target) };
}

function refusedBy({ path, meant }: Misfit): readonly FieldPath[] {
  return meant ? [path, meant] : [path];
}

function isSaidAlready(finding: Finding, refused: readonly FieldPath[]): boolean {
  const paths = [finding.path, ...(finding.with ?? [])];
  return refused.some((misfit) => paths.some((path) => isWithin(path, misfit) || isWithin(misfit, path)));
}

function isWithin(path: FieldPath, outer: FieldPath): boolean {
  return outer.every((step, depth) => path[depth] === step);
}

function problemOf({ code, path, target, message, hint }: Finding, checked: Places): Problem {
  const value = nodeAt(checked.root, path);
  return problem(code, message, {
    at: placeIn(checked, path, target),
    hint: (value?.kind === 'scalar' ? placeholderHint(value.text) : undefined) ?? hint,
  });
}

/**
 * The hint for a value that was never filled in, which explains every other fault of it. Does not repeat the text, which may be a
 * secret. Undefined for any other text.
 */
export function placeholderHint(text: string): string | undefined {
  if (/\{\{.*\}\}/.test(text)) return fillInBraces;
  if (/\$\{[A-Za-z_][\w.]*\}/.test(text)) return 'fill in the template: "${…}" is still there';
  if (/(?:.[/.:@-]|^[/.:@-])<[\w -]+>/.test(text)) return 'fill it in: "<…>" is still there';
  if (placeholders.some((pattern) => pattern.test(text.trim()))) return 'fill it in';
  // It may be meant.
  return /^[A-Z]{2,}(?:_[A-Z]{2,})+$/.test(text.trim()) ? 'fill it in, if it stands for a value' : undefined;
}

/** `<domain>`, `changeme`. */
const placeholders = [/^<.*>$/, /^(?:change|replace)[ _-]?me$/i];

/** Warnings stand among errors: people go through a file from top to bottom. What is not in the file comes after it. */
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
