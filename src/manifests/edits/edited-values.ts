import { isDeepStrictEqual } from 'node:util';

import { type Place, problem, type Problem } from '../../core/problem.js';
import { parseCidr } from '../../formats/cidr.js';
import { fieldAt, isList } from '../../kube/fields.js';
import { identityKey, identityOf } from '../../kube/identity.js';
import { manifestFieldPlace } from '../../kube/manifest-place.js';
import type { Manifest } from '../../kube/manifest.js';
import type { KubeObject } from '../../kube/object.js';

/** A requirement on a field of an edited manifest. */
export interface FieldRequirement {
  readonly path: readonly string[];
  /** Completes the message after "expected". */
  readonly expected: string;
  readonly isRight: (value: unknown) => boolean;
}

/**
 * Reports the requirements that an edited manifest does not meet. Generated manifests are not checked.
 * Problems: manifest/edited-value.
 */
export function requirementProblems(
  { object, source }: Manifest,
  expectations: readonly FieldRequirement[],
): readonly Problem[] {
  if (source === undefined) return [];
  const broken = expectations.filter(({ path, isRight }) => !isRight(fieldAt(object, path)));
  return broken.map(({ path, expected }) => {
    const message = `${path.join('.')} is not what the installation reads there, expected ${expected}`;
    return problem('manifest/edited-value', message, { at: manifestFieldPlace(source, path) });
  });
}

/** Removes schema faults at and below fields that have a problem manifest/edited-value. */
export function withoutRepeats(problems: readonly Problem[]): readonly Problem[] {
  const edited = problems.filter(({ code }) => code === 'manifest/edited-value');
  return problems.filter(
    ({ code, at }) => code !== 'manifest/schema' || !edited.some((each) => isInside(at, each.at)),
  );
}

function isInside(at: Place | undefined, above: Place | undefined): boolean {
  const [path, start] = [at?.path ?? '', above?.path ?? ''];
  return (
    at?.file === above?.file &&
    (path === start || path.startsWith(`${start}.`) || path.startsWith(`${start}[`))
  );
}

/** A field whose input also determines other outputs. */
export interface SharedField {
  readonly path: readonly string[];
  /** The input to change instead. */
  readonly input: string;
}

/** Reports the shared fields that differ between an edited manifest and the generated one. Problems: manifest/edited-value. */
export function sharedFieldProblems(
  { object, source }: Manifest,
  ours: KubeObject,
  fields: readonly SharedField[],
): readonly Problem[] {
  if (source === undefined || identityKey(identityOf(object)) !== identityKey(identityOf(ours))) return [];
  const changed = fields.filter(({ path }) => !isDeepStrictEqual(fieldAt(object, path), fieldAt(ours, path)));
  return changed.map(({ path, input }) => {
    const message = `${path.join('.')} has another value than ${input}, from which other files are created too`;
    return problem('manifest/edited-value', message, {
      at: manifestFieldPlace(source, path),
      hint: `change ${input} instead`,
    });
  });
}

/** Whether a value is a non-empty list of valid items. */
export function isListOf(value: unknown, isRight: (item: unknown) => boolean): boolean {
  return isList(value) && value.length > 0 && value.every(isRight);
}

/** Whether a value is an IPv4 or IPv6 CIDR string. */
export function isCidr(value: unknown): boolean {
  return typeof value === 'string' && parseCidr(value) !== undefined;
}

/** Whether a value is absent, or one line of printable characters. */
export function isLineOrAbsent(value: unknown): boolean {
  return value === undefined || (typeof value === 'string' && /^[^\p{Cc}]*$/u.test(value));
}
