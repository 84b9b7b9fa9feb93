import { componentNames } from '../../kube/components.js';
import type { Secret } from '../../kube/core-objects.js';
import { secrets } from '../../loops/kinds.js';
import type { Loop } from '../../loops/loop.js';
import { combinedBundle } from '../../loops/resource-sync.js';
import type { Store } from '../../loops/store.js';
import { targetConfigLoop } from '../../loops/target-config-loop.js';
import { loopbackAccess, type LoopbackClient } from '../shared/loopback-access.js';
import { withProxy } from '../shared/proxy-environment.js';
import { podConfigMap } from '../shared/static-pod.js';
import { controllerManagerConfig } from './config.js';
import type { ControllerManagerDialect } from './dialect.js';

const { namespace, operatorNamespace } = componentNames['kube-controller-manager'];

/**
 * The target config loop: configuration, kubeconfig and static pod; the signer of certificate requests and the bundles by
 * which it is known. Source: cluster-kube-controller-manager-operator pkg/operator/targetconfigcontroller
 */
export function targetConfig(dialect: ControllerManagerDialect): Loop {
  return targetConfigLoop('kube-controller-manager', (store, inputs) => {
    const config = controllerManagerConfig(dialect, inputs, store);
    return [
      ...(config === undefined ? [] : dialect.files(config, inputs)),
      config && podConfigMap('kube-controller-manager', withProxy(dialect.pod(inputs, config), store)),
      ...dialect.companions(inputs, store),
      combinedBundle(store, { namespace: operatorNamespace, name: 'csr-controller-ca' }, [
        { namespace: operatorNamespace, name: 'csr-signer-ca' },
        { namespace: operatorNamespace, name: 'csr-controller-signer-ca' },
      ]),
      promotedSigner(store),
      ...loopbackAccess(store, access),
    ];
  });
}

const access: LoopbackClient = {
  component: 'kube-controller-manager',
  kubeconfig: 'controller-manager-kubeconfig',
  clientPair: 'kube-controller-manager-client-cert-key',
};

/** What signs requests, without its own signer: the controller takes one certificate, not a chain. */
function promotedSigner(store: Store): Secret | undefined {
  const signer = store.get(secrets, operatorNamespace, 'csr-signer');
  if (signer === undefined) return undefined;
  const chain = Buffer.from(signer.data['tls.crt'] ?? '', 'base64').toString();
  const certificate = chain.slice(0, chain.indexOf(endOfCertificate) + endOfCertificate.length);
  const { annotations } = signer.metadata;
  return {
    ...signer,
    metadata: { namespace, name: 'csr-signer', ...(annotations && { annotations }) },
    data: { ...signer.data, 'tls.crt': Buffer.from(certificate).toString('base64') },
  };
}

const endOfCertificate = '-----END CERTIFICATE-----\n';
