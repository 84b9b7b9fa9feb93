import { dialects } from '../../src/control-plane/dialects.js';
import { etcdConfig } from '../../src/control-plane/etcd/config.js';
import type { ApiserverConfig } from '../../src/control-plane/kube-apiserver/config-model.js';
import { apiserverConfig } from '../../src/control-plane/kube-apiserver/kube-apiserver-loops.js';
import type { ControllerManagerConfig } from '../../src/control-plane/kube-controller-manager/config-model.js';
import { controllerManagerConfig } from '../../src/control-plane/kube-controller-manager/config.js';
import type { TlsProfile } from '../../src/control-plane/shared/tls-profile.js';
import type { Pod } from '../../src/kube/pod-object.js';
import type { ControlPlaneInputs } from '../../src/control-plane/loops/loop-inputs.js';
import type { Store } from '../../src/control-plane/loops/store.js';

/** The etcd pod for the OpenShift version of the inputs. */
export function etcdPod(inputs: ControlPlaneInputs, tls?: TlsProfile): Pod {
  const { etcd } = dialects[inputs.profile];
  return etcd.pod(inputs, etcdConfig(etcd, inputs, tls));
}

/** The kube-apiserver config after its config observers have run. */
export function apiserverConfigIn(inputs: ControlPlaneInputs, store: Store): ApiserverConfig {
  const config = apiserverConfig(dialects[inputs.profile].apiserver, inputs, store);
  if (config === undefined) throw new Error('the config is missing: no observer has run');
  return config;
}

/** The kube-apiserver pod for the OpenShift version of the inputs. */
export function kubeApiserverPod(inputs: ControlPlaneInputs, config: ApiserverConfig): Pod {
  return dialects[inputs.profile].apiserver.pod(inputs, config);
}

/** The kube-controller-manager config after its config observers have run. */
export function controllerManagerConfigIn(inputs: ControlPlaneInputs, store: Store): ControllerManagerConfig {
  const config = controllerManagerConfig(dialects[inputs.profile].controllerManager, inputs, store);
  if (config === undefined) throw new Error('the config is missing: no observer has run');
  return config;
}
