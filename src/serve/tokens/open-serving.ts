import { dirname } from 'node:path';

import { problem } from '../../core/problem.js';
import { failure, success, type Result } from '../../core/result.js';
import { openDirectory } from '../../disk/directory.js';
import type { StateAccess } from '../../disk/state/state-access.js';
import { generateTokenKey } from '../../run/effects/token-key.js';
import type { Seal } from '../../formats/age.js';
import { makeServingAuthority } from './server-certificate.js';
import {
  generationOf,
  readServingState,
  writeServingState,
  type ServingState,
  type StoredServing,
} from './serving-state.js';

/** The token file, and the changes to make before it is used. */
export interface TokenOptions {
  readonly path: string;
  readonly access: StateAccess;
  readonly now: Date;
  /** Sites whose tokens are revoked; they get new tokens. */
  readonly revoked: readonly string[];
  readonly isViewerRevoked: boolean;
}

/**
 * Loads the token file of a folder under its lock. Creates the file if missing and applies the changes. Encrypts it to the
 * recipients of the command line, or keeps its current encryption. Problems: media/serve-state, dir/*, and those of decryption.
 */
export async function openServingState(order: TokenOptions): Promise<Result<ServingState>> {
  const { path, access } = order;
  const lock = await openDirectory(dirname(path), 'sno-install serve');
  if (!lock.ok) return lock;
  try {
    const [read, named] = [await readServingState(path, access), await access.seal()];
    if (!read.ok) return read;
    if (!named.ok) return named;
    const stored = read.value;
    const before = stored?.state ?? (await freshState(order.now));
    const after = changed(before, order);
    if (after === stored?.state && isSealedSo(stored, named.value)) return success(after);
    const seal = named.value === undefined ? await currentSeal(path, stored, access) : named;
    if (!seal.ok) return seal;
    const written = await writeServingState(path, after, seal.value);
    return written.ok ? success(after) : written;
  } finally {
    lock.value.release();
  }
}

async function freshState(now: Date): Promise<ServingState> {
  return {
    tokenKey: generateTokenKey(),
    generations: {},
    viewerGeneration: 0,
    authority: await makeServingAuthority(now),
  };
}

/** Returns the same object if nothing changes. */
function changed(before: ServingState, { revoked, isViewerRevoked }: TokenOptions): ServingState {
  if (revoked.length === 0 && !isViewerRevoked) return before;
  const generations = Object.fromEntries(
    revoked.map((name) => [name, generationOf(before, name) + 1] as const),
  );
  return {
    ...before,
    generations: { ...before.generations, ...generations },
    viewerGeneration: before.viewerGeneration + (isViewerRevoked ? 1 : 0),
  };
}

/** Whether the file is encrypted as the command line requests. True if it requests nothing. */
function isSealedSo({ state, sealedBy }: StoredServing, named: Seal | undefined): boolean {
  if (named === undefined) return true;
  if ('passphrase' in named) return sealedBy === 'passphrase';
  return sealedBy === 'recipients' && areSame(named.recipients, state.recipients ?? []);
}

/** The order does not matter. */
function areSame(some: readonly string[], others: readonly string[]): boolean {
  const [left, right] = [new Set(some), new Set(others)];
  return left.size === right.size && [...left].every((each) => right.has(each));
}

/**
 * Returns the encryption to keep if the command line sets none. An encrypted file never becomes plain text. Problems:
 * media/serve-state, those of `access`.
 */
async function currentSeal(
  path: string,
  stored: StoredServing | undefined,
  access: StateAccess,
): Promise<Result<Seal | undefined>> {
  const recipients = stored?.state.recipients ?? [];
  if (recipients.length > 0) return success({ recipients });
  if (stored?.sealedBy === undefined) return success(undefined);
  const opener = stored.sealedBy === 'passphrase' ? await access.passphrase() : success(undefined);
  if (!opener.ok) return opener;
  if (opener.value !== undefined) return success({ passphrase: opener.value });
  const hint = 'name recipients with --recipient: the file is encrypted, but no recipients are set';
  return failure(problem('media/serve-state', `${path} cannot be updated`, { hint }));
}
