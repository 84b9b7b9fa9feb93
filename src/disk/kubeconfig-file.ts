import { join, resolve } from 'node:path';

import { problem } from '../core/problem.js';
import { failure, success, type Result } from '../core/result.js';
import { loadState } from './directory.js';
import { fileSize } from './file-size.js';
import { readNamedFile } from './named-file.js';
import { cachedInputs } from './read-inputs.js';
import { isBelow } from './read-policy.js';
import { replaceFile } from './replace-file.js';
import { openFile } from './state/open-state.js';
import { isSealedName, sealedName } from './state/sealed-outputs.js';
import { chooseSeal } from './state/sealing.js';
import type { StateAccess } from './state/state-access.js';
import { stateSettings } from './state/state-settings.js';
import { encryptAge, type Seal } from '../formats/age.js';

/** Reads and writes a kubeconfig, decrypting and encrypting as needed. An encrypted file is never written as plain text. */
export interface KubeconfigFile {
  /** Problems: usage/unreadable-file, those of decryption. */
  readonly read: () => Promise<Result<string>>;
  /** Problems: dir/not-writable, those of decryption. */
  readonly write: (text: string) => Promise<Result<void>>;
}

/** The location of a kubeconfig, and the access to its encryption. */
export interface KubeconfigLocation {
  readonly path: string;
  readonly dir: string;
  readonly stateFile?: string;
  readonly access: StateAccess;
}

/** Path of the kubeconfig: the given one, or that of the directory, plain or encrypted. */
export function kubeconfigPath(dir: string, given: string | undefined): string {
  return given ?? existingOutputs(dir, own)[0] ?? join(dir, own);
}

const own = 'auth/kubeconfig';

/** Finds an output in the directory, plain or encrypted. */
export function existingOutputs(dir: string, path: string): readonly string[] {
  return [path, sealedName(path)]
    .map((each) => join(dir, each))
    .filter((each) => fileSize(each) !== undefined);
}

/** Reads a kubeconfig that may not exist. Problems: those of `KubeconfigFile.read`. */
export async function readKubeconfig(place: KubeconfigLocation): Promise<Result<string>> {
  const read = await kubeconfigFile(place).read();
  if (read.ok || fileSize(place.path) !== undefined) return read;
  const hint = `set the cluster directory with --dir (now ${place.dir}), or a file with --kubeconfig`;
  return failure(...read.problems.map((each) => ({ ...each, hint })));
}

export function kubeconfigFile(place: KubeconfigLocation): KubeconfigFile {
  const { path, access } = place;
  return {
    read: async () => {
      const file = readNamedFile('the kubeconfig', path);
      const opened = file.ok ? await openFile(file.value, path, access) : file;
      return opened.ok ? success(Buffer.from(opened.value).toString('utf8')) : opened;
    },
    write: async (text) => {
      // A --kubeconfig outside of the directory may be a symbolic link.
      const followsLink = !isBelow(resolve(place.dir), resolve(path));
      if (!isSealedName(path)) return replaceFile(path, text, { followsLink });
      const seal = await sealOf(place);
      return seal.ok ? replaceFile(path, await encryptAge(text, seal.value), { followsLink }) : seal;
    },
  };
}

/**
 * Returns the encryption that `create` would use. An age file does not contain its recipients, so they come from sno-config.yaml
 * or the state.
 */
async function sealOf({ dir, stateFile, access }: KubeconfigLocation): Promise<Result<Seal>> {
  const { recipients: configured } = stateSettings(cachedInputs(dir, {}));
  const loaded = await loadState(dir, stateFile, access);
  const stored = loaded.ok ? loaded.value.stored : [];
  const isKnown = configured.length > 0 || stored.length > 0;
  const seal = isKnown ? await chooseSeal({ access, configured, stored }) : success(undefined);
  if (!seal.ok) return seal;
  if (seal.value !== undefined) return success(seal.value);
  return failure(
    problem(
      'state/no-recipients',
      'the file is encrypted, but no recipient or passphrase is known to encrypt it again',
    ),
  );
}
