import type { LoopInputs } from '../../loops/loop-inputs.js';
import type { Store } from '../../loops/store.js';
import { featureGateFlags } from '../shared/flag-list.js';
import { defaultArguments } from './arguments.js';
import type { ApiserverConfig } from './config-model.js';
import type { ApiserverDialect } from './dialect.js';
import { kubeApiserverOperators } from './operator-config.js';

/** ConfigMaps with the keys that verify tokens: those kube-controller-manager signs, and those kube-apiserver does. */
const publicKeyConfigMaps = ['sa-token-signing-certs', 'bound-sa-token-signing-certs'] as const;

/** What was observed over the defaults, and the user's own arguments over both; undefined before anything was observed. */
export function apiserverConfig(
  dialect: Pick<ApiserverDialect, 'arguments' | 'authentication' | 'publicKeys'>,
  inputs: LoopInputs,
  store: Store,
): ApiserverConfig | undefined {
  const observed = store.get(kubeApiserverOperators, '', 'cluster')?.spec.observedConfig;
  if (observed === undefined) return undefined;
  const authentication = dialect.authentication(inputs);
  return {
    arguments: {
      ...defaultArguments(dialect, inputs),
      ...observed.apiServerArguments,
      ...featureGateFlags(inputs),
      ...inputs.extraArguments['kube-apiserver'],
    },
    admission: observed.admission.pluginConfig,
    ...(authentication && { authentication }),
    serving: observed.servingInfo,
    ...(observed.openShift && { openShift: observed.openShift }),
    servicesSubnet: observed.servicesSubnet,
    serviceAccountPublicKeys: publicKeyConfigMaps.flatMap((name) => dialect.publicKeys(name, store)),
  };
}
