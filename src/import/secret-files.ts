import { basename } from 'node:path/posix';

import { authSecretPattern, clearKeyPattern, urlPasswordPattern } from '../core/secrets.js';
import { secretPlaces } from '../config/secret-places.js';
import { scalarText, tracedAt, type Traced } from '../formats/yaml/traced.js';
import { documentsIn } from './file-documents.js';
import { pullSecretName, type ImportedFile } from './imported-site.js';

/** A file that is not to be shown to everybody who reads a repository. */
export interface SecretFile {
  readonly path: string;
  readonly holds: 'the pull secret' | 'a secret';
}

type NamedText = Pick<ImportedFile, 'path' | 'text'>;

/** The files that hold a secret in plain text: a pull secret, a login in a URL, a key, a Secret, a file for its owner alone. */
export function secretFiles(files: readonly NamedText[]): readonly SecretFile[] {
  return files.flatMap((file): readonly SecretFile[] => {
    const { path, text } = file;
    const documents = namesOne.test(text) ? (documentsIn({ ...file, origins: [] }) ?? []) : [];
    if (basename(path) === pullSecretName || documents.some(holdsPullSecret) || authSecretPattern.test(text))
      return [{ path, holds: 'the pull secret' }];
    const isSecret = [clearKeyPattern, urlPasswordPattern].some((form) => form.test(text));
    return isSecret || documents.some((root) => holdsSecret(root)) ? [{ path, holds: 'a secret' }] : [];
  });
}

/** What a file has to say to be worth reading as YAML. */
const namesOne = /secret|mode|pass|token/i;

function holdsPullSecret(root: Traced): boolean {
  return isSaid(tracedAt(root, ['pullSecret']));
}

function holdsSecret(node: Traced, isOfSecrets = false): boolean {
  switch (node.kind) {
    case 'scalar':
      return false;
    case 'list':
      return node.items.some((item) => holdsSecret(item, isOfSecrets));
    case 'map': {
      const places = secretPlaces(node, isOfSecrets);
      return node.entries.some(({ key, value }) => {
        const isOfObject = places.isOfObject(key) && isContent.test(key);
        return (isOfObject || isPassword.test(key)) && isSaid(value)
          ? true
          : holdsSecret(value, places.isOfSecrets(key));
      });
    }
  }
}

/** Of a Secret, of Ignition and of Butane; what else stands in an object of secrets is its name and kind. */
const isContent = /^(?:data|stringData|contents|inline)$/;

/** A field that is the secret itself and no reference to one. */
const isPassword = /(?:password|passwordHash|passwd|passphrase|token)$/i;

/** Whether a text stands somewhere below; a variable is none. */
function isSaid(node: Traced | undefined): boolean {
  if (node === undefined) return false;
  if (node.kind !== 'scalar')
    return (node.kind === 'list' ? node.items : node.entries.map(({ value }) => value)).some(isSaid);
  const text = node.yaml.startsWith('"') ? (scalarText(node) ?? '') : '';
  return !/^(?:\$\{[^}]*\}|data:,)?$/.test(text);
}
