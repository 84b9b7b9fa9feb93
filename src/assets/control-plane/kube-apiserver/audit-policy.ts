import { writeYaml } from '../../../formats/yaml.js';
import { configMap } from '../../../kube/core-objects.js';
import { componentNames } from '../components.js';
import type { ControlPlaneInputs } from '../inputs.js';
import type { Loop } from '../loop.js';

/** The audit policy loop. Source: openshift/library-go pkg/operator/apiserver/controller/auditpolicy */
export const auditPolicy: Loop = {
  name: 'audit policy',
  component: 'kube-apiserver',
  run: (store, { profile }) =>
    store.put(
      configMap(
        { namespace: componentNames['kube-apiserver'].namespace, name: 'kube-apiserver-audit-policies' },
        { 'policy.yaml': writeYaml(policyOf(profile)) },
      ),
    ),
};

/** Source: kubernetes.io/docs/reference/config-api/apiserver-audit.v1 */
interface AuditRule {
  readonly level: 'None' | 'Metadata' | 'RequestResponse';
  readonly users?: readonly string[];
  readonly userGroups?: readonly string[];
  readonly verbs?: readonly string[];
  readonly namespaces?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
  readonly resources?: readonly { readonly group: string; readonly resources: readonly string[] }[];
}

/** The first rule that fits decides. Bodies are never written where they could hold a secret of the cluster's users. */
function policyOf(profile: ControlPlaneInputs['profile']): Readonly<Record<string, unknown>> {
  const ofProfile = profile === 'OpenShift' ? openShiftRules : kubernetesRules;
  return {
    apiVersion: 'audit.k8s.io/v1',
    kind: 'Policy',
    metadata: { name: 'policy' },
    omitManagedFields: true,
    // An event at the beginning of a request says nothing that the one at its end does not.
    omitStages: ['RequestReceived'],
    rules: [unwatched, ...ofProfile, everythingElse],
  };
}

/** Probes and discovery: many a second, and the same for everybody. */
const unwatched: AuditRule = {
  level: 'None',
  userGroups: ['system:authenticated', 'system:unauthenticated'],
  nonResourceURLs: ['/api*', '/version', '/healthz*', '/livez*', '/readyz*'],
};

const everythingElse: AuditRule = { level: 'Metadata' };

/** The profile Default. Source: openshift/library-go pkg/operator/apiserver/audit/manifests */
const openShiftRules: readonly AuditRule[] = [
  {
    level: 'None',
    users: ['system:apiserver'],
    namespaces: [''],
    resources: [{ group: 'apiserver.openshift.io', resources: ['apirequestcounts', 'apirequestcounts/*'] }],
  },
  {
    level: 'RequestResponse',
    verbs: ['create', 'update', 'patch', 'delete'],
    resources: [
      { group: 'user.openshift.io', resources: ['identities'] },
      { group: 'oauth.openshift.io', resources: ['oauthaccesstokens', 'oauthauthorizetokens'] },
    ],
  },
];

/** What the cluster does for itself every few seconds would fill the log, and hide who did what. */
const kubernetesRules: readonly AuditRule[] = [
  {
    level: 'None',
    userGroups: ['system:nodes', 'system:serviceaccounts:kube-system'],
    resources: [{ group: 'coordination.k8s.io', resources: ['leases'] }],
  },
  {
    level: 'None',
    users: ['system:apiserver', 'system:kube-controller-manager', 'system:kube-scheduler'],
    resources: [{ group: 'coordination.k8s.io', resources: ['leases'] }],
  },
  {
    level: 'None',
    resources: [
      { group: '', resources: ['events'] },
      { group: 'events.k8s.io', resources: ['events'] },
    ],
  },
];
