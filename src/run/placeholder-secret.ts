import { byCodeUnit } from '../core/compare.js';
import { problem, type Problem } from '../core/problem.js';
import { quoted } from '../core/quoted.js';
import { success, type Result } from '../core/result.js';
import { examplePullSecret } from '../config/rules/install/pull-secret.js';
import { referenceFields } from '../config/reading/referenced-texts.js';
import type { Inputs, Reference } from '../graph/context.js';

/** Inputs whose missing pull secret is replaced. */
interface ReplacedInputs {
  readonly inputs: Inputs;
  /** Adds the warning. Warning: review/placeholder-secret. */
  readonly withWarning: <T>(made: Result<T>) => Result<T>;
}

/**
 * Replaces a pull secret whose file or variable is missing, as in a clone of a repository that ignores it: reviews do not need it.
 * `registries` are those of the secret, if they are known.
 */
export function withPlaceholderSecret(given: Inputs, registries: readonly string[] = []): ReplacedInputs {
  let missing: Reference | undefined;
  const text = registries.length === 0 ? examplePullSecret : pullSecretOf(registries);
  const readReference: Inputs['readReference'] = (reference) => {
    const read = given.readReference(reference);
    if (read.kind !== 'absent' || reference.field !== referenceFields.pullSecret) return read;
    missing = reference;
    return { kind: 'file', bytes: Buffer.from(text) };
  };
  const inputs = { ...given, readReference };
  return {
    inputs,
    withWarning: (made) =>
      missing === undefined || !made.ok ? made : success(made.value, [...made.warnings, warningOf(missing)]),
  };
}

function pullSecretOf(registries: readonly string[]): string {
  const auth = Buffer.from('placeholder:placeholder').toString('base64');
  return JSON.stringify({ auths: Object.fromEntries(registries.map((name) => [name, { auth }])) });
}

function warningOf({ field, place }: Reference): Problem {
  const what =
    place.kind === 'file' ? place.path : place.kind === 'variable' ? `env:${place.name}` : 'standard input';
  const message = `the ${field} ${quoted(what)} is missing; a placeholder replaces the pull secret in this review`;
  const hint = 'nothing to do for a review; `create` and `validate` need the secret';
  return problem('review/placeholder-secret', message, {
    at: { file: 'sno-config.yaml', path: field },
    hint,
  });
}

/** The registries of the pull secrets in the texts of a golden tree. Source: render-manifest.ts, `<pull secret of …>` */
export function registriesInTree(texts: Iterable<string>): readonly string[] {
  const found = [...texts].flatMap((text) =>
    [...text.matchAll(/<pull secret of ([^<>]+)>/g)].flatMap(([, names = '']) => names.split(', ')),
  );
  return [...new Set(found)].toSorted(byCodeUnit);
}

/** Names the way to write a golden tree without the pull secret. */
export function withGoldenHint(found: Problem): Problem {
  if (found.code !== 'config/reference' || found.at?.path !== referenceFields.pullSecret) return found;
  const hint =
    'a golden tree names only the registries of the secret: write a file with the same registries and throwaway logins, such as {"auths":{"quay.io":{"auth":"dGVzdDp0ZXN0"}}}';
  return { ...found, hint };
}
