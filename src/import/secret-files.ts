import { basename } from 'node:path/posix';

import { authSecretPattern, clearKeyPattern, urlPasswordPattern } from '../core/secrets.js';
import { secretFields } from '../config/secret-fields.js';
import { scalarText, tracedAt, type Traced } from '../formats/yaml/traced.js';
import { documentsIn } from './file-documents.js';
import { pullSecretName, type ImportedFile } from './imported-site.js';

/** A file with a secret, which should not be committed to a repository. */
export interface SecretFile {
  readonly path: string;
  readonly holds: 'the pull secret' | 'a secret';
}

type NamedText = Pick<ImportedFile, 'path' | 'text'>;

/** Finds files with plain-text secrets: pull secrets, logins in URLs, private keys, Secret objects, and files only their owner may read. */
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

/** Cheap test: files that do not match are not parsed as YAML. */
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
      const places = secretFields(node, isOfSecrets);
      return node.entries.some(({ key, value }) => {
        const isOfObject = places.isOfObject(key) && isContent.test(key);
        return (isOfObject || isPassword.test(key)) && isSaid(value)
          ? true
          : holdsSecret(value, places.isOfSecrets(key));
      });
    }
  }
}

/** Fields with contents: of a Secret (`data`, `stringData`), and of a file in Ignition or Butane (`contents`, `inline`). */
const isContent = /^(?:data|stringData|contents|inline)$/;

/** Fields that contain the secret itself rather than a reference to it. */
const isPassword = /(?:password|passwordHash|passwd|passphrase|token)$/i;

/** True if the value or a descendant is a non-empty text other than a `${variable}`. */
function isSaid(node: Traced | undefined): boolean {
  if (node === undefined) return false;
  if (node.kind !== 'scalar')
    return (node.kind === 'list' ? node.items : node.entries.map(({ value }) => value)).some(isSaid);
  const text = node.yaml.startsWith('"') ? (scalarText(node) ?? '') : '';
  return !/^(?:\$\{[^}]*\}|data:,)?$/.test(text);
}
