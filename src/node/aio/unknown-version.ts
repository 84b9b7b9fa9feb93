import { type Problem, problem } from '../../core/problem.js';
import { defaultKubernetesVersion } from '../../release/kubernetes.js';

/** Problem config/kubernetes-version: the Kubernetes version cannot be determined. */
export function unknownVersion(at: Problem['at']): Problem {
  const message = 'the Kubernetes version is unknown: neither kubernetesVersion nor the release specifies it';
  return problem('config/kubernetes-version', message, {
    at,
    hint: `add "kubernetesVersion: ${defaultKubernetesVersion}", or set releaseVersion`,
  });
}
