import { byCodeUnit } from '../../core/compare.js';
import { componentNames } from '../../kube/components.js';
import { clusterResource } from '../../loops/cluster-resources.js';
import { configMaps, secrets } from '../../loops/kinds.js';
import type { ControlPlaneInputs } from '../../loops/loop-inputs.js';
import type { Loop } from '../../loops/loop.js';
import type { Store } from '../../loops/store.js';
import { etcdHosts } from '../etcd/config.js';
import type { FlagValues } from '../shared/flag-list.js';
import { renewablePair, revisionedPair, revisionedSecret } from '../shared/mounted-paths.js';
import { observedServing } from '../shared/tls-profile.js';
import { observedAdmission } from './admission.js';
import {
  kubeApiserverOperators,
  type KubeApiserverOperator,
  type NamedCertificate,
  type ObservedConfig,
  type OpenShiftSettings,
} from './operator-config.js';

/** Whom tokens of service accounts say they are from, and the audience they are for unless asked for another. */
const defaultIssuer = 'https://kubernetes.default.svc';

/** Seconds in which a stopping kube-apiserver ends; its one node need not wait for others to take over. */
export const gracefulTerminationSeconds = 15;

/**
 * The config observation loop: `KubeAPIServer/cluster` says what the cluster's own facts ask of kube-apiserver. With
 * OpenShift these are the values of the operator's observers for one node.
 * Source: cluster-kube-apiserver-operator pkg/operator/configobservation
 */
export const configObservation: Loop = {
  name: 'config observation',
  component: 'kube-apiserver',
  run: (store, inputs) => {
    const present = store.get(kubeApiserverOperators, '', 'cluster');
    const operator = present ?? untouchedOperator;
    return store.put({ ...operator, spec: { ...operator.spec, observedConfig: observe(store, inputs) } });
  },
};

/** As its operator's manifest has it. Source: cluster-kube-apiserver-operator manifests/0000_20_…_01_operator.cr.yaml */
const untouchedOperator: KubeApiserverOperator = {
  apiVersion: 'operator.openshift.io/v1',
  kind: 'KubeAPIServer',
  metadata: { name: 'cluster' },
  spec: { managementState: 'Managed' },
};

function observe(store: Store, inputs: ControlPlaneInputs): ObservedConfig {
  const { networks, profile } = inputs;
  const issuer =
    clusterResource(store, 'Authentication').text('spec', 'serviceAccountIssuer') ?? defaultIssuer;
  return {
    admission: { pluginConfig: observedAdmission(inputs) },
    apiServerArguments: {
      'api-audiences': [issuer],
      'etcd-servers': etcdServers(store, inputs),
      ...encryptionArguments(store),
      // Sending clients away with GOAWAY balances several servers; with one it only breaks connections.
      'goaway-chance': ['0'],
      'service-account-issuer': [issuer],
      ...jwksUri(issuer, inputs),
      ...nodePorts(store),
      'shutdown-delay-duration': ['0s'],
      // The operator's send-retry-after-while-not-ready-once never stands in a first configuration: it answers 503 to all but
      // loopback until the server was ready once, which on an empty etcd waits for a definition that a client must create.
    },
    ...(profile === 'OpenShift' && { openShift: openShiftOnly(store) }),
    gracefulTerminationDuration: String(gracefulTerminationSeconds),
    servicesSubnet: networks.serviceNetwork.join(','),
    servingInfo: {
      ...bindingOf(networks),
      ...observedServing(store),
      namedCertificates: namedCertificates(profile),
    },
  };
}

/**
 * With OpenShift the operator's order: by name, localhost always among them. Without operators etcd listens on one
 * loopback address only, which `localhost` need not mean.
 */
function etcdServers(store: Store, inputs: ControlPlaneInputs): readonly string[] {
  if (inputs.profile === 'Kubernetes') return [etcdServer(etcdHosts(inputs).loopback)];
  const { node } = inputs;
  const endpoints = store.get(configMaps, componentNames.etcd.namespace, 'etcd-endpoints')?.data ?? {};
  const hosts = Object.values(endpoints).map((address) => (address === node.ip ? node.urlHost : address));
  return ['localhost', ...hosts].map(etcdServer).toSorted(byCodeUnit);
}

function etcdServer(host: string): string {
  return `https://${host}:2379`;
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
function jwksUri(issuer: string, { apiServer, profile }: ControlPlaneInputs): FlagValues {
  const ours = profile === 'OpenShift' ? `https://${apiServer.externalHost}:6443` : defaultIssuer;
  const server = issuer === defaultIssuer ? ours : issuer;
  return server.startsWith('https://') ? { 'service-account-jwks-uri': [`${server}/openid/v1/jwks`] } : {};
}

/** Source: as the networks' observer below, ObserveServicesNodePortRange */
function nodePorts(store: Store): FlagValues {
  const range = clusterResource(store, 'Network').text('spec', 'serviceNodePortRange');
  return range === undefined ? {} : { 'service-node-port-range': [range] };
}

/** What only OpenShift's configuration can say. Source: as above, apiserver, images and scheduler */
function openShiftOnly(store: Store): OpenShiftSettings {
  const image = clusterResource(store, 'Image');
  const registries = image.texts('spec', 'externalRegistryHostnames');
  const allowed = image.list('spec', 'allowedRegistriesForImport');
  const origins = clusterResource(store, 'APIServer').texts('spec', 'additionalCORSAllowedOrigins');
  return {
    corsAllowedOrigins: [...new Set([...loopbackOrigins, ...origins])].toSorted(byCodeUnit),
    ...(registries.length + allowed.length > 0 && {
      imagePolicyConfig: {
        ...(allowed.length > 0 && { allowedRegistriesForImport: allowed }),
        ...(registries.length > 0 && { externalRegistryHostnames: registries }),
      },
    }),
    projectConfig: {
      defaultNodeSelector: clusterResource(store, 'Scheduler').text('spec', 'defaultNodeSelector') ?? '',
    },
  };
}

/** Expressions over origins. Source: as above, apiserver/observe_cors.go */
const loopbackOrigins = [String.raw`//127\.0\.0\.1(:|$)`, '//localhost(:|$)'];

/** Source: cluster-kube-apiserver-operator pkg/operator/configobservation/network/observe_network.go */
function bindingOf({ family, isDualStack }: ControlPlaneInputs['networks']): {
  readonly bindAddress: string;
  readonly bindNetwork: 'tcp' | 'tcp4' | 'tcp6';
} {
  if (isDualStack) return { bindAddress: '[::]:6443', bindNetwork: 'tcp' };
  return family === 'IPv4'
    ? { bindAddress: '0.0.0.0:6443', bindNetwork: 'tcp4' }
    : { bindAddress: '[::]:6443', bindNetwork: 'tcp6' };
}

/**
 * Which certificate answers whom. A client that asks for a host gets the one that holds the name. One that asks for an
 * address names nothing in its hello, and kube-apiserver then looks only at names given here, never at the addresses in
 * a certificate (k8s.io/apiserver pkg/server/dynamiccertificates). It cannot tell the service's address from the node's
 * either, since kube-proxy has rewritten it by then. So the default certificate, that of the service network, holds the
 * service's addresses and the extra names; loopback, which is never rewritten, is named here. The operator names no
 * host, and what it would write is left as it is.
 */
function namedCertificates(profile: ControlPlaneInputs['profile']): readonly NamedCertificate[] {
  const localhost = renewablePair('localhost-serving-cert-certkey');
  const others = [
    'service-network-serving-certkey',
    'external-loadbalancer-serving-certkey',
    'internal-loadbalancer-serving-certkey',
  ].map(renewablePair);
  return profile === 'OpenShift'
    ? [localhost, ...others, revisionedPair('localhost-recovery-serving-certkey')]
    : [{ ...localhost, names: ['localhost', '127.0.0.1', '::1'] }, ...others];
}
