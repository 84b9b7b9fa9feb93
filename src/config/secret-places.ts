import { namesSecret } from '../core/secrets.js';
import { scalarText, type Traced, type TracedMap } from '../formats/yaml/traced.js';

/** What a map says of its fields, whatever their values look like. */
export interface SecretPlaces {
  /** Whether all below a field is a secret. Rather once too often: a name may also be that of a reference. */
  readonly isSecret: (key: string) => boolean;
  /** The same where the object says so, whatever the field is called. */
  readonly isOfObject: (key: string) => boolean;
  /** Whether a field holds a list of Secrets. */
  readonly isOfSecrets: (key: string) => boolean;
}

/**
 * Where secrets stand in a map: under a name that says so, in a Secret, and in a file that its owner alone may read. What stands in a
 * list of Secrets need not say its kind.
 */
export function secretPlaces(map: TracedMap, isOfSecrets = false): SecretPlaces {
  const isFile = isPrivate(map);
  const isKind = isOfSecrets || /^Secret(?:List)?$/.test(fieldOf(map, 'kind') ?? '');
  const isOfObject = (key: string): boolean => isFile || (isKind && /^(?:data|stringData)$/.test(key));
  return {
    isSecret: (key) => namesSecret(key) || isOfObject(key),
    isOfObject,
    isOfSecrets: (key) => isKind && key === 'items',
  };
}

/** Whether what stands at a path of keys and positions is a secret by its place. */
export function isSecretPlace(
  node: Traced | undefined,
  [step, ...rest]: readonly (string | number)[],
  isOfSecrets = false,
): boolean {
  if (node?.kind === 'list' && typeof step === 'number')
    return isSecretPlace(node.items[step], rest, isOfSecrets);
  if (node?.kind !== 'map' || typeof step !== 'string') return false;
  const places = secretPlaces(node, isOfSecrets);
  const value = node.entries.find(({ key }) => key === step)?.value;
  return places.isSecret(step) || isSecretPlace(value, rest, places.isOfSecrets(step));
}

function fieldOf({ entries }: TracedMap, name: string): string | undefined {
  return scalarText(entries.find(({ key }) => key === name)?.value);
}

/** A file that its owner alone may read; YAML has modes in octal, Ignition in decimal numbers. */
function isPrivate(map: TracedMap): boolean {
  const mode = fieldOf(map, 'mode') ?? '';
  if (!/^(?:0o?)?\d{1,5}$/.test(mode)) return false;
  const bits = parseInt(mode.replace('o', ''), mode.startsWith('0') ? 8 : 10);
  return (bits & 0o077) === 0;
}
