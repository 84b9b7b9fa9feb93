import { dirname } from 'node:path';

import { problem } from '../../core/problem.js';
import { failure, success, type Result } from '../../core/result.js';
import { openDirectory } from '../../disk/directory.js';
import type { StateAccess } from '../../disk/state/state-access.js';
import { drawTokenKey } from '../../run/effects/serving-draws.js';
import type { Seal } from '../../formats/age.js';
import { makeServingAuthority } from './server-certificate.js';
import {
  generationOf,
  readServingState,
  writeServingState,
  type ServingState,
  type StoredServing,
} from './serving-state.js';

/** What is to be done with a file of tokens before it is used. */
export interface TokenOrder {
  readonly path: string;
  readonly access: StateAccess;
  readonly now: Date;
  /** Sites whose tokens are taken back: the next ones are others. */
  readonly revoked: readonly string[];
  readonly isViewerRevoked: boolean;
}

/**
 * The tokens of a folder, made where there are none and changed as asked, one at a time. The file is encrypted to the recipients of the
 * command line, else as it was before. Problems: media/serve-state, dir/*, those of what is encrypted.
 */
export async function openServing(order: TokenOrder): Promise<Result<ServingState>> {
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
    const seal = named.value === undefined ? await lastingSeal(path, stored, access) : named;
    if (!seal.ok) return seal;
    const written = await writeServingState(path, after, seal.value);
    return written.ok ? success(after) : written;
  } finally {
    lock.value.release();
  }
}

async function freshState(now: Date): Promise<ServingState> {
  return {
    tokenKey: drawTokenKey(),
    generations: {},
    viewerGeneration: 0,
    authority: await makeServingAuthority(now),
  };
}

/** The same state where nothing is to change. */
function changed(before: ServingState, { revoked, isViewerRevoked }: TokenOrder): ServingState {
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

/** Whether a file is encrypted as the command line says it; it is where that says nothing. */
function isSealedSo({ state, sealedBy }: StoredServing, named: Seal | undefined): boolean {
  if (named === undefined) return true;
  if ('passphrase' in named) return sealedBy === 'passphrase';
  return sealedBy === 'recipients' && areSame(named.recipients, state.recipients ?? []);
}

/** In whatever order they are named. */
function areSame(some: readonly string[], others: readonly string[]): boolean {
  const [left, right] = [new Set(some), new Set(others)];
  return left.size === right.size && [...left].every((each) => right.has(each));
}

/**
 * How a file is encrypted that is written again, where the command line does not say: as it is. What is encrypted never becomes plain
 * text. Problems: media/serve-state, those of `access`.
 */
async function lastingSeal(
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
  const hint = 'name --recipient: it is encrypted, and nothing says to whom';
  return failure(problem('media/serve-state', `${path} cannot be written again`, { hint }));
}
