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
    // The event at the end of a request contains everything that the first one does.
    omitStages: ['RequestReceived'],
    rules,
  };
}

/** Probes and discovery: many per second and the same for every client. */
const unwatched: AuditRule = {
  level: 'None',
  userGroups: ['system:authenticated', 'system:unauthenticated'],
  nonResourceURLs: ['/api*', '/version', '/healthz*', '/livez*', '/readyz*'],
};

const everythingElse: AuditRule = { level: 'Metadata' };

/** kube-apiserver's own updates of APIRequestCount. */
const requestCounts: AuditRule = {
  level: 'None',
  users: ['system:apiserver'],
  namespaces: [''],
  resources: [{ group: 'apiserver.openshift.io', resources: ['apirequestcounts', 'apirequestcounts/*'] }],
};

/**
 * The audit rules of APIServer/cluster: the custom rules of groups first, then the profile for everyone else. The first
 * matching rule applies. Source: openshift/library-go pkg/operator/apiserver/audit
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

/** The rules of an audit profile by its name in APIServer. */
function auditProfile(name = 'Default'): readonly AuditRule[] {
  return auditProfiles.get(name) ?? [];
}

/** Bodies of these resources contain tokens, keys or passwords and are never logged. */
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

/** The profile names that APIServer accepts. */
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

/** Omits the periodic requests of the control plane, which would fill the log and hide those of users. */
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

/** Logs the metadata of every request except probes, discovery, events and the control plane's leases. */
export const upstreamRules: readonly AuditRule[] = [unwatched, ...kubernetesRules, everythingElse];
