import { type Problem, problem } from '../../core/problem.js';
import { defaultKubernetesVersion } from '../../release/kubernetes.js';

/** Problem config/kubernetes-version: the Kubernetes version cannot be determined. */
export function unknownVersion(at: Problem['at']): Problem {
  const message = 'the version of Kubernetes is not known: neither kubernetesVersion nor the release says it';
  return problem('config/kubernetes-version', message, {
    at,
    hint: `add "kubernetesVersion: ${defaultKubernetesVersion}", or give releaseVersion`,
  });
}
