import type { LoopInputs } from '../loops/loop-inputs.js';
import type { FlagValues } from '../shared/flag-list.js';

type AnonymousFacts = Pick<LoopInputs, 'versions' | 'featureGates' | 'extraArguments'>;

/** What the kubelet's probes ask for, which bring no certificate. */
const healthPaths = ['/healthz', '/livez', '/readyz'];

/**
 * The file that lets the unknown ask for health and for nothing else; undefined where kube-apiserver cannot read it, or
 * the user's arguments say who is let in. Source: kubernetes.io/docs/reference/config-api/apiserver-config.v1
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
 * Nobody unknown is let in where no file says to what. With a file of the user's the flag is left to it: the two exclude
 * each other where the file speaks of the unknown.
 */
export function anonymousArguments(facts: AnonymousFacts): FlagValues {
  const isLeftToFile =
    authenticationConfiguration(facts) !== undefined ||
    facts.extraArguments['kube-apiserver']['authentication-config'] !== undefined;
  return isLeftToFile ? {} : { 'anonymous-auth': ['false'] };
}

/** Source: k8s.io/apiserver pkg/features/kube_features.go, AnonymousAuthConfigurableEndpoints and StructuredAuthenticationConfiguration */
const firstMinorWithConditions = 32;

/** Both are generally available from here on, and no gate turns them off. */
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

/** Beside a file of ours kube-apiserver takes none of these. Source: k8s.io/kubernetes pkg/kubeapiserver/options/authentication.go */
function saysWhoIsLetIn({ extraArguments }: AnonymousFacts): boolean {
  return Object.keys(extraArguments['kube-apiserver']).some(
    (flag) => flag === 'anonymous-auth' || flag === 'authentication-config' || flag.startsWith('oidc-'),
  );
}
