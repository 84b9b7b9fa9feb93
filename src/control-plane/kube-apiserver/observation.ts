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

/** Whom tokens of service accounts say they are from, and the audience they are for unless asked for another. */
export const defaultIssuer = 'https://kubernetes.default.svc';

/** Seconds in which a stopping kube-apiserver ends; its one node need not wait for others to take over. */
export const gracefulTerminationSeconds = 15;

/**
 * The config observation loop: `KubeAPIServer/cluster` says what the cluster's own facts ask of kube-apiserver. With
 * OpenShift these are the values of the operator's observers for one node.
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

/** As its operator's manifest has it. Source: cluster-kube-apiserver-operator manifests/0000_20_…_01_operator.cr.yaml */
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
      // Sending clients away with GOAWAY balances several servers; with one it only breaks connections.
      'goaway-chance': ['0'],
      'service-account-issuer': [issuer],
      ...jwksUri(issuer === defaultIssuer ? dialect.issuerUrl(inputs) : issuer),
      ...nodePorts(store),
      'shutdown-delay-duration': ['0s'],
      // The operator's send-retry-after-while-not-ready-once never stands in a first configuration: it answers 503 to all but
      // loopback until the server was ready once, which on an empty etcd waits for a definition that a client must create.
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

/** The file counts once its Secret has come to the component's namespace, with the revision. */
function encryptionArguments(store: Store): Readonly<Record<string, readonly string[]>> {
  const present = store.get(secrets, componentNames['kube-apiserver'].namespace, 'encryption-config');
  if (present === undefined) return {};
  return { 'encryption-provider-config': [revisionedSecret('encryption-config', 'encryption-config')] };
}

/**
 * Where the keys that verify tokens are published: under a name that a serving certificate holds, never the address. An issuer
 * of the user's own publishes them itself; one that is no https URL publishes none.
 * Source: cluster-kube-apiserver-operator pkg/operator/configobservation/auth/auth_serviceaccountissuer.go
 */
function jwksUri(server: string): FlagValues {
  return server.startsWith('https://') ? { 'service-account-jwks-uri': [`${server}/openid/v1/jwks`] } : {};
}

/** Source: as the networks' observer below, ObserveServicesNodePortRange */
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
