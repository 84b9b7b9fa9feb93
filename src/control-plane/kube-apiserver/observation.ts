import { componentNames } from '../../kube/components.js';
import { clusterResource } from '../loops/cluster-resources.js';
import { secrets } from '../loops/kinds.js';
import type { LoopInputs } from '../loops/loop-inputs.js';
import type { Loop } from '../loops/loop.js';
import type { Store } from '../loops/store.js';
import type { FlagValues } from '../shared/flag-list.js';
import { revisionedSecret } from '../shared/mounted-paths.js';
import { observedServing } from '../shared/tls-profile.js';
import type { ApiserverDialect } from './dialect.js';
import {
  kubeApiserverOperators,
  type KubeApiserverOperator,
  type ObservedConfig,
} from './operator-config.js';

/** Default issuer and default audience of service-account tokens. */
export const defaultIssuer = 'https://kubernetes.default.svc';

/** Time for kube-apiserver to stop. Short, because no other server has to take over first. */
export const gracefulTerminationSeconds = 15;

/**
 * The config observation loop: writes the settings that follow from the cluster to `KubeAPIServer/cluster`. For OpenShift
 * the values are those of the operator's observers for one node.
 * Source: cluster-kube-apiserver-operator pkg/operator/configobservation
 */
export function configObservation({ observation }: Observing): Loop {
  return {
    name: 'config observation',
    component: 'kube-apiserver',
    run: (store, inputs) => {
      const present = store.get(kubeApiserverOperators, '', 'cluster');
      const operator = present ?? untouchedOperator;
      return store.put({
        ...operator,
        spec: { ...operator.spec, observedConfig: observe(observation, store, inputs) },
      });
    },
  };
}

type Observing = Pick<ApiserverDialect, 'observation'>;

/** Initial state of the operator's resource. Source: cluster-kube-apiserver-operator manifests/0000_20_…_01_operator.cr.yaml */
const untouchedOperator: KubeApiserverOperator = {
  apiVersion: 'operator.openshift.io/v1',
  kind: 'KubeAPIServer',
  metadata: { name: 'cluster' },
  spec: { managementState: 'Managed' },
};

function observe(dialect: ApiserverDialect['observation'], store: Store, inputs: LoopInputs): ObservedConfig {
  const { networks } = inputs;
  const issuer =
    clusterResource(store, 'Authentication').text('spec', 'serviceAccountIssuer') ?? defaultIssuer;
  return {
    admission: { pluginConfig: dialect.admission(inputs) },
    apiServerArguments: {
      'api-audiences': [issuer],
      'etcd-servers': dialect.etcdServers(store, inputs),
      ...encryptionArguments(store),
      // GOAWAY rebalances clients between several servers; with one server it only breaks connections.
      'goaway-chance': ['0'],
      'service-account-issuer': [issuer],
      ...jwksUri(issuer === defaultIssuer ? dialect.issuerUrl(inputs) : issuer),
      ...nodePorts(store),
      'shutdown-delay-duration': ['0s'],
      // The operator's send-retry-after-while-not-ready-once must not be in a first configuration: until the server was ready once,
      // it answers 503 to all clients except loopback. On an empty etcd, readiness waits for a CRD that a client must create.
    },
    ...(dialect.openShift && { openShift: dialect.openShift(store) }),
    gracefulTerminationDuration: String(gracefulTerminationSeconds),
    servicesSubnet: networks.serviceNetwork.join(','),
    servingInfo: {
      ...bindingOf(networks),
      ...observedServing(store),
      namedCertificates: dialect.namedCertificates,
    },
  };
}

/** Set once the Secret has been copied to the component's namespace and is part of the revision. */
function encryptionArguments(store: Store): Readonly<Record<string, readonly string[]>> {
  const present = store.get(secrets, componentNames['kube-apiserver'].namespace, 'encryption-config');
  if (present === undefined) return {};
  return { 'encryption-provider-config': [revisionedSecret('encryption-config', 'encryption-config')] };
}

/**
 * URL of the keys that verify tokens. Its host is a name in a serving certificate, never an address. A user's own issuer
 * publishes its keys itself; an issuer that is not an https URL publishes none.
 * Source: cluster-kube-apiserver-operator pkg/operator/configobservation/auth/auth_serviceaccountissuer.go
 */
function jwksUri(server: string): FlagValues {
  return server.startsWith('https://') ? { 'service-account-jwks-uri': [`${server}/openid/v1/jwks`] } : {};
}

/** Source: ObserveServicesNodePortRange in the file of the network observer below */
function nodePorts(store: Store): FlagValues {
  const range = clusterResource(store, 'Network').text('spec', 'serviceNodePortRange');
  return range === undefined ? {} : { 'service-node-port-range': [range] };
}

/** Source: cluster-kube-apiserver-operator pkg/operator/configobservation/network/observe_network.go */
function bindingOf({ family, isDualStack }: LoopInputs['networks']): {
  readonly bindAddress: string;
  readonly bindNetwork: 'tcp' | 'tcp4' | 'tcp6';
} {
  if (isDualStack) return { bindAddress: '[::]:6443', bindNetwork: 'tcp' };
  return family === 'IPv4'
    ? { bindAddress: '0.0.0.0:6443', bindNetwork: 'tcp4' }
    : { bindAddress: '[::]:6443', bindNetwork: 'tcp6' };
}
