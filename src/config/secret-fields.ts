import { namesSecret } from '../core/secrets.js';
import { scalarText, type Traced, type TracedMap } from '../formats/yaml/traced.js';

/** Finds the secret fields of a map by their names and by the kind of the object, not by their values. */
export interface SecretFields {
  /** Whether everything below a field is secret. Has false positives, such as the name of a reference. */
  readonly isSecret: (key: string) => boolean;
  /** Whether the object makes the field secret, whatever its name. */
  readonly isOfObject: (key: string) => boolean;
  /** Whether a field is a list of Secrets. */
  readonly isOfSecrets: (key: string) => boolean;
}

/**
 * Classifies the fields of a map: secret are fields with a secret's name, the data of a Secret, and the contents of a file that only its
 * owner may read. With `isOfSecrets`, the map is an item of a list of Secrets and may have no kind.
 */
export function secretFields(map: TracedMap, isOfSecrets = false): SecretFields {
  const isFile = isPrivate(map);
  const isKind = isOfSecrets || /^Secret(?:List)?$/.test(fieldOf(map, 'kind') ?? '');
  const isOfObject = (key: string): boolean => isFile || (isKind && /^(?:data|stringData)$/.test(key));
  return {
    isSecret: (key) => namesSecret(key) || isOfObject(key),
    isOfObject,
    isOfSecrets: (key) => isKind && key === 'items',
  };
}

/** Whether the value at a path of keys and indexes is secret because of its place. */
export function isSecretPath(
  node: Traced | undefined,
  [step, ...rest]: readonly (string | number)[],
  isOfSecrets = false,
): boolean {
  if (node?.kind === 'list' && typeof step === 'number')
    return isSecretPath(node.items[step], rest, isOfSecrets);
  if (node?.kind !== 'map' || typeof step !== 'string') return false;
  const places = secretFields(node, isOfSecrets);
  const value = node.entries.find(({ key }) => key === step)?.value;
  return places.isSecret(step) || isSecretPath(value, rest, places.isOfSecrets(step));
}

function fieldOf({ entries }: TracedMap, name: string): string | undefined {
  return scalarText(entries.find(({ key }) => key === name)?.value);
}

/** Whether a map is a file that only its owner may read. Modes are octal in YAML and decimal in Ignition. */
function isPrivate(map: TracedMap): boolean {
  const mode = fieldOf(map, 'mode') ?? '';
  if (!/^(?:0o?)?\d{1,5}$/.test(mode)) return false;
  const bits = parseInt(mode.replace('o', ''), mode.startsWith('0') ? 8 : 10);
  return (bits & 0o077) === 0;
}
