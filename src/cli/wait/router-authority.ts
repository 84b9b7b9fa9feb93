import { withAuthority } from '../../cluster/router-authority.js';
import { problem, type Problem } from '../../core/problem.js';
import { kubeconfigFile, type KubeconfigPlace } from './own-kubeconfig.js';

/** What became of the router's authority in the directory's own kubeconfig. */
export interface KeptAuthority {
  /** Whether the file was changed. */
  readonly isAdded: boolean;
  readonly warnings: readonly Problem[];
}

/** Adds the router's authority to the kubeconfig that `create` wrote, where it is missing. Problems: cluster/router-authority. */
export async function keepAuthority(
  place: KubeconfigPlace,
  authorityPem: string | undefined,
): Promise<KeptAuthority> {
  if (authorityPem === undefined) return { isAdded: false, warnings: [] };
  const kubeconfig = kubeconfigFile(place);
  const text = await kubeconfig.read();
  const trusting = text.ok ? withAuthority(text.value, authorityPem) : undefined;
  if (text.ok && trusting === undefined) return { isAdded: false, warnings: [] };
  const replaced = trusting === undefined ? text : await kubeconfig.write(trusting);
  if (replaced.ok) return { isAdded: true, warnings: [] };
  const reasons = replaced.problems.map(({ message }) => message).join('; ');
  const hint = 'mend that and wait again, which ends at once, or trust the router in another way';
  const message = `the authority of the router is not in ${place.path}: ${reasons}`;
  return { isAdded: false, warnings: [problem('cluster/router-authority', message, { hint })] };
}
