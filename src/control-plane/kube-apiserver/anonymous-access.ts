import type { LoopInputs } from '../loops/loop-inputs.js';
import type { FlagValues } from '../shared/flag-list.js';

type AnonymousFacts = Pick<LoopInputs, 'versions' | 'featureGates' | 'extraArguments'>;

/** Paths of the kubelet's probes, which send no credentials. */
const healthPaths = ['/healthz', '/livez', '/readyz'];

/**
 * The AuthenticationConfiguration that allows anonymous requests for health endpoints only. Undefined if this kube-apiserver
 * does not support it or the user's arguments configure authentication. Source: kubernetes.io/docs/reference/config-api/apiserver-config.v1
 */
export function authenticationConfiguration(
  facts: AnonymousFacts,
): Readonly<Record<string, unknown>> | undefined {
  if (!hasAnonymousConditions(facts) || saysWhoIsLetIn(facts)) return undefined;
  const { kubernetesMinor } = facts.versions;
  return {
    apiVersion: `apiserver.config.k8s.io/${kubernetesMinor >= firstMinorWithV1 ? 'v1' : 'v1beta1'}`,
    kind: 'AuthenticationConfiguration',
    jwt: [],
    anonymous: { enabled: true, conditions: healthPaths.map((path) => ({ path })) },
  };
}

/**
 * Disables anonymous requests unless an AuthenticationConfiguration governs them. The flag is also omitted with a file of the
 * user: kube-apiserver rejects the flag together with a file that configures anonymous access.
 */
export function anonymousArguments(facts: AnonymousFacts): FlagValues {
  const isLeftToFile =
    authenticationConfiguration(facts) !== undefined ||
    facts.extraArguments['kube-apiserver']['authentication-config'] !== undefined;
  return isLeftToFile ? {} : { 'anonymous-auth': ['false'] };
}

/** Source: k8s.io/apiserver pkg/features/kube_features.go, AnonymousAuthConfigurableEndpoints and StructuredAuthenticationConfiguration */
const firstMinorWithConditions = 32;

/** Both features are generally available from this minor on and cannot be turned off. */
const firstMinorWithV1 = 34;
const neededGates = [
  'AllBeta',
  'AnonymousAuthConfigurableEndpoints',
  'StructuredAuthenticationConfiguration',
];

function hasAnonymousConditions({ versions, featureGates }: AnonymousFacts): boolean {
  return (
    versions.kubernetesMinor >= firstMinorWithConditions &&
    (versions.kubernetesMinor >= firstMinorWithV1 ||
      !neededGates.some((gate) => featureGates[gate] === false))
  );
}

/** kube-apiserver rejects each of these flags together with our file. Source: k8s.io/kubernetes pkg/kubeapiserver/options/authentication.go */
function saysWhoIsLetIn({ extraArguments }: AnonymousFacts): boolean {
  return Object.keys(extraArguments['kube-apiserver']).some(
    (flag) => flag === 'anonymous-auth' || flag === 'authentication-config' || flag.startsWith('oidc-'),
  );
}
