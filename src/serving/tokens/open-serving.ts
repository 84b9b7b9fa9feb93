import { dirname } from 'node:path';

import { success, type Result } from '../../core/result.js';
import { openDirectory } from '../../disk/directory.js';
import type { StateAccess } from '../../disk/state/state-access.js';
import { drawTokenKey } from '../../effects/serving-draws.js';
import { makeServingAuthority } from './server-certificate.js';
import { readServingState, writeServingState, type ServingState } from './serving-state.js';

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
 * command line, else to those that it names. Problems: media/serve-state, dir/*, those of what is encrypted.
 */
export async function openServing(order: TokenOrder): Promise<Result<ServingState>> {
  const { path, access } = order;
  const lock = await openDirectory(dirname(path), 'sno-install serve');
  if (!lock.ok) return lock;
  try {
    const [read, seal] = [await readServingState(path, access), await access.seal()];
    if (!read.ok) return read;
    if (!seal.ok) return seal;
    const named = seal.value !== undefined && 'recipients' in seal.value ? seal.value.recipients : undefined;
    const before = read.value ?? (await freshState(order.now));
    const after = changed(before, order, named);
    if (after === read.value) return success(after);
    const written = await writeServingState(path, after);
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
function changed(
  before: ServingState,
  { revoked, isViewerRevoked }: TokenOrder,
  recipients: readonly string[] | undefined,
): ServingState {
  const isSealedAnew = recipients !== undefined && recipients.join() !== before.recipients?.join();
  if (revoked.length === 0 && !isViewerRevoked && !isSealedAnew) return before;
  const generations = Object.fromEntries(
    revoked.map((name) => [name, (before.generations[name] ?? 0) + 1] as const),
  );
  return {
    ...before,
    generations: { ...before.generations, ...generations },
    viewerGeneration: before.viewerGeneration + (isViewerRevoked ? 1 : 0),
    ...(recipients && { recipients }),
  };
}
