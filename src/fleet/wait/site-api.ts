import { join } from 'node:path';

import { problem, type Problem } from '../../core/problem.js';
import { failure, success, type Result } from '../../core/result.js';
import { fileSize } from '../../disk/file-size.js';
import { readBelow } from '../../disk/regular-file.js';
import { openFile } from '../../disk/state/open-state.js';
import { sealedName } from '../../disk/state/sealed-outputs.js';
import type { StateAccess } from '../../disk/state/state-access.js';
import { connect } from '../../remote/kubernetes/kubernetes-client.js';
import type { ClusterClient } from '../../remote/kubernetes/reader.js';

export interface ApiAccess {
  /** Opens encrypted kubeconfigs. */
  readonly access: StateAccess;
  /** Whether to follow kubeconfig settings that run programs or skip TLS verification. */
  readonly isTrusted: boolean;
  readonly present: () => Date;
  readonly stop: AbortSignal;
}

const own = 'auth/kubeconfig';

/**
 * Connects to the API of a site with the kubeconfig in its outputs. Messages omit the address and the kubeconfig path, so that
 * sites with the same cause get the same message. Problems: fleet/not-made, fleet/output-unreadable, those of decryption and of
 * kubeconfigs.
 */
export async function siteApi(
  dir: string,
  { access, isTrusted, present, stop }: ApiAccess,
): Promise<Result<ClusterClient>> {
  const name = kubeconfigName(dir);
  if (name === undefined) return failure(noKubeconfig());
  const path = join(dir, name);
  const read = readBelow(dir, name);
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

/** Name of the kubeconfig in the outputs of a site; undefined if there is none. */
export function kubeconfigName(dir: string): string | undefined {
  return [own, sealedName(own)].find((each) => fileSize(join(dir, each)) !== undefined);
}

export function noKubeconfig(): Problem {
  const hint = 'run `sno-install fleet create` first, or select other sites with --only';
  return problem('fleet/not-made', `${own} is missing in the outputs`, { hint });
}
