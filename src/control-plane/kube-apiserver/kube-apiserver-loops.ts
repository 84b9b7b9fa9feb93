import { payloadOf, type ControlPlaneInputs } from '../../loops/loop-inputs.js';
import type { ComponentLoops, Loop } from '../../loops/loop.js';
import { resourceSync } from '../../loops/resource-sync.js';
import type { RevisionedObject, RevisionedObjects } from '../../loops/revision.js';
import { certRotation } from '../../loops/rotation.js';
import { staticResources } from '../../loops/static-resources.js';
import { auditPolicy } from './audit-policy.js';
import { boundTokens } from './bound-tokens.js';
import { encryption } from './encryption.js';
import { nodeKubeconfigs } from './node-kubeconfigs.js';
import { configObservation } from './observation.js';
import { kubernetesObjects, networkPolicies, openShiftObjects } from './static-objects.js';
import { kubeApiserverSyncRules } from './sync.js';
import { targetConfig } from './target-config.js';

const ofOperator = staticResources('kube-apiserver', openShiftObjects);

const staticResourcesOfProfile: Loop = {
  ...ofOperator,
  run: (store, inputs) => {
    if (inputs.profile !== 'OpenShift')
      return kubernetesObjects.reduce((each, object) => each.put(object), store);
    const policies = payloadOf(inputs).hasNetworkPolicies ? networkPolicies() : [];
    return policies.reduce((each, object) => each.put(object), ofOperator.run(store, inputs));
  },
};

/** Source: cluster-kube-apiserver-operator pkg/operator/starter.go */
export const kubeApiserverLoops: ComponentLoops = {
  component: 'kube-apiserver',
  first: [certRotation('kube-apiserver'), encryption, boundTokens, auditPolicy, staticResourcesOfProfile],
  settling: [
    configObservation,
    targetConfig,
    resourceSync('kube-apiserver', kubeApiserverSyncRules),
    nodeKubeconfigs,
  ],
};

/** What kube-apiserver's static pod reads: with OpenShift the operator's lists, else only what its flags name. */
export function kubeApiserverRevision({ profile }: Pick<ControlPlaneInputs, 'profile'>): RevisionedObjects {
  const own = profile === 'OpenShift' ? openShiftOnly : nothingMore;
  return {
    component: 'kube-apiserver',
    configMaps: [...named(revisioned.configMaps), ...own.configMaps],
    secrets: [...named(revisioned.secrets), { name: 'encryption-config', isOptional: true }, ...own.secrets],
    certConfigMaps: [...named(renewable.configMaps), ...own.certConfigMaps],
    certSecrets: [...named(renewable.secrets), ...own.certSecrets],
  };
}

/** What kube-apiserver reads once, when it starts. */
const revisioned = {
  configMaps: [
    'kube-apiserver-pod',
    'config',
    'bound-sa-token-signing-certs',
    'etcd-serving-ca',
    'kube-apiserver-audit-policies',
    'kubelet-serving-ca',
    'sa-token-signing-certs',
  ],
  secrets: ['etcd-client'],
};

/** What kube-apiserver reads again when it changes. */
const renewable = {
  configMaps: ['aggregator-client-ca', 'client-ca'],
  secrets: [
    'aggregator-client',
    'bound-service-account-signing-key',
    'external-loadbalancer-serving-certkey',
    'internal-loadbalancer-serving-certkey',
    'kubelet-client',
    'localhost-serving-cert-certkey',
    'service-network-serving-certkey',
  ],
};

type Lists = Omit<RevisionedObjects, 'component'>;

const nothingMore: Lists = { configMaps: [], secrets: [], certConfigMaps: [], certSecrets: [] };

/** Read by the sidecars and by OpenShift's kube-apiserver. The token is there only once the API is. */
const openShiftOnly: Lists = {
  configMaps: [
    ...named(['kube-apiserver-cert-syncer-kubeconfig', 'kube-apiserver-server-ca']),
    ...optional(['auth-config', 'cloud-config', 'oauth-metadata']),
  ],
  secrets: [
    ...named(['localhost-recovery-serving-certkey']),
    ...optional(['localhost-recovery-client-token', 'webhook-authenticator']),
  ],
  certConfigMaps: [
    ...named(['check-endpoints-kubeconfig', 'control-plane-node-kubeconfig']),
    ...optional(['trusted-ca-bundle']),
  ],
  certSecrets: named([
    'check-endpoints-client-cert-key',
    'control-plane-node-admin-client-cert-key',
    'node-kubeconfigs',
  ]),
};

function named(names: readonly string[]): readonly RevisionedObject[] {
  return names.map((name) => ({ name }));
}

function optional(names: readonly string[]): readonly RevisionedObject[] {
  return names.map((name) => ({ name, isOptional: true }));
}
