import { writeYaml } from '../../formats/yaml/write-yaml.js';
import { componentNames } from '../../kube/components.js';
import { configMap } from '../../kube/core-objects.js';
import { textAt } from '../../kube/fields.js';
import { clusterResource } from '../loops/cluster-resources.js';
import type { Loop } from '../loops/loop.js';
import type { Store } from '../loops/store.js';
import type { AuditRule } from './audit-rule.js';
import type { ApiserverDialect } from './dialect.js';

/** The audit policy loop. Source: openshift/library-go pkg/operator/apiserver/controller/auditpolicy */
export function auditPolicy({ auditRules }: Pick<ApiserverDialect, 'auditRules'>): Loop {
  return {
    name: 'audit policy',
    component: 'kube-apiserver',
    run: (store) =>
      store.put(
        configMap(
          { namespace: componentNames['kube-apiserver'].namespace, name: 'kube-apiserver-audit-policies' },
          { 'policy.yaml': writeYaml(policyOf(auditRules(store))) },
        ),
      ),
  };
}

function policyOf(rules: readonly AuditRule[]): Readonly<Record<string, unknown>> {
  return {
    apiVersion: 'audit.k8s.io/v1',
    kind: 'Policy',
    metadata: { name: 'policy' },
    omitManagedFields: true,
    // An event at the beginning of a request says nothing that the one at its end does not.
    omitStages: ['RequestReceived'],
    rules,
  };
}

/** Probes and discovery: many a second, and the same for everybody. */
const unwatched: AuditRule = {
  level: 'None',
  userGroups: ['system:authenticated', 'system:unauthenticated'],
  nonResourceURLs: ['/api*', '/version', '/healthz*', '/livez*', '/readyz*'],
};

const everythingElse: AuditRule = { level: 'Metadata' };

/** What OpenShift's own API server counts of requests; it would count these too. */
const requestCounts: AuditRule = {
  level: 'None',
  users: ['system:apiserver'],
  namespaces: [''],
  resources: [{ group: 'apiserver.openshift.io', resources: ['apirequestcounts', 'apirequestcounts/*'] }],
};

/**
 * What APIServer/cluster asks for: a profile for everybody, and before it others for the members of a group, of which the
 * first counts. Source: openshift/library-go pkg/operator/apiserver/audit
 */
export function openShiftRules(store: Store): readonly AuditRule[] {
  const apiServer = clusterResource(store, 'APIServer');
  const ofGroups = apiServer.list('spec', 'audit', 'customRules').flatMap((rule) => {
    const group = textAt(rule, ['group']);
    const rules = group === undefined ? [] : auditProfile(textAt(rule, ['profile']));
    return rules.map((each) => ({ ...each, userGroups: [group ?? ''] }));
  });
  return [unwatched, requestCounts, ...ofGroups, ...auditProfile(apiServer.text('spec', 'audit', 'profile'))];
}

/** The rules of a profile by its name in APIServer. */
function auditProfile(name = 'Default'): readonly AuditRule[] {
  return auditProfiles.get(name) ?? [];
}

/** Never with bodies: they would hold tokens, keys or passwords. */
const withoutBodies: AuditRule = {
  level: 'Metadata',
  resources: [
    { group: 'route.openshift.io', resources: ['routes', 'routes/status'] },
    { group: '', resources: ['secrets', 'serviceaccounts/token'] },
    { group: 'authentication.k8s.io', resources: ['tokenreviews', 'tokenrequests'] },
    { group: 'oauth.openshift.io', resources: ['oauthclients', 'tokenreviews'] },
    { group: 'machineconfiguration.openshift.io' },
  ],
};

/** The names that APIServer may give. */
const auditProfiles: ReadonlyMap<string, readonly AuditRule[]> = new Map([
  [
    'Default',
    [
      {
        level: 'RequestResponse',
        verbs: ['create', 'update', 'patch', 'delete'],
        resources: [
          { group: 'user.openshift.io', resources: ['identities'] },
          { group: 'oauth.openshift.io', resources: ['oauthaccesstokens', 'oauthauthorizetokens'] },
        ],
      },
      everythingElse,
    ],
  ],
  [
    'WriteRequestBodies',
    [
      withoutBodies,
      { level: 'RequestResponse', verbs: ['update', 'patch', 'create', 'delete', 'deletecollection'] },
      everythingElse,
    ],
  ],
  ['AllRequestBodies', [withoutBodies, { level: 'RequestResponse' }]],
  ['None', [{ level: 'None' }]],
]);

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

/** Everything but what the control plane itself watches, for a cluster that nobody else audits. */
export const upstreamRules: readonly AuditRule[] = [unwatched, ...kubernetesRules, everythingElse];
