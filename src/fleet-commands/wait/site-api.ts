import { join } from 'node:path';

import { connect } from '../../cluster/kubernetes-client.js';
import type { ClusterReader } from '../../cluster/reader.js';
import { problem } from '../../core/problem.js';
import { failure, success, type Result } from '../../core/result.js';
import { fileSize } from '../../disk/file-size.js';
import { readRegularFile } from '../../disk/regular-file.js';
import { openFile } from '../../disk/state/open-state.js';
import { sealedName } from '../../disk/state/sealed-outputs.js';
import type { StateAccess } from '../../disk/state/state-access.js';

/** What is the same for the APIs of all sites. */
export interface ApiAccess {
  /** Opens encrypted kubeconfigs. */
  readonly access: StateAccess;
  /** Whether what a kubeconfig asks for is done whatever it is. */
  readonly isTrusted: boolean;
  readonly present: () => Date;
  readonly stop: AbortSignal;
}

const own = 'auth/kubeconfig';

/**
 * The API of a site, by the kubeconfig among its outputs. What is the matter with it is said without its address and the path of its
 * kubeconfig: sites with one cause have one message. Problems: fleet/not-made, fleet/output-unreadable, those of what is encrypted, those of
 * kubeconfigs.
 */
export async function siteApi(
  dir: string,
  { access, isTrusted, present, stop }: ApiAccess,
): Promise<Result<ClusterReader>> {
  const name = [own, sealedName(own)].find((each) => fileSize(join(dir, each)) !== undefined);
  if (name === undefined) {
    const hint = 'run `sno-install fleet create` first, or leave the site out by --only';
    return failure(problem('fleet/not-made', `there is no ${own} among the outputs`, { hint }));
  }
  const path = join(dir, name);
  const read = readRegularFile(path);
  if (read.kind !== 'file') {
    const reason = read.kind === 'absent' ? 'it does not exist' : read.reason;
    return failure(problem('fleet/output-unreadable', `${name} cannot be read: ${reason}`));
  }
  const opened = await openFile(read.bytes, name, access);
  if (!opened.ok) return opened;
  const text = Buffer.from(opened.value).toString('utf8');
  const reader = await connect({ path, text, isTrusted, present, stop });
  return reader.ok ? success({ ...reader.value, server: 'the API', kubeconfig: name }) : reader;
}
