import type { Container, Pod } from '../../kube/pod-object.js';
import type { LoopInputs } from '../../loops/loop-inputs.js';
import { flagArguments } from '../shared/flag-list.js';
import { renewableConfigMap, revisionedConfigMap } from '../shared/mounted-paths.js';
import { openShiftPod } from '../shared/static-pod.js';
import type { ApiserverConfig } from './config-model.js';
import { endingGracefully, fromField, mainContainer, probesAt, volumes } from './container.js';
import { logFolder } from './log-folder.js';
import { gracefulTerminationSeconds } from './observation.js';

/** OpenShift's static pod. Source: cluster-kube-apiserver-operator bindata/assets/kube-apiserver/pod.yaml */
export function openShiftApiserverPod(inputs: LoopInputs, config: ApiserverConfig): Pod {
  return endingGracefully(
    openShiftPod({
      component: 'kube-apiserver',
      name: 'kube-apiserver',
      labels: { app: 'openshift-kube-apiserver', apiserver: 'true' },
      mainContainer: 'kube-apiserver',
      containers: [openShiftContainer(inputs, config), insecureReadyz(inputs)],
      volumes,
    }),
  );
}

/**
 * OpenShift's program below one that writes an event when it is stopped: that takes the kubeconfig of the node, since the
 * token of the operator's choice does not exist before the API does. The lock keeps a later revision from starting beside
 * this one; the folder of the audit log is for root alone.
 */
function openShiftContainer(inputs: LoopInputs, { arguments: given }: ApiserverConfig): Container {
  const own = { 'advertise-address': ['"${HOST_IP}"'], 'permit-address-sharing': ['true'], v: ['2'] };
  const flags = Object.entries(own).filter(([flag]) => given[flag] === undefined);
  const termination = {
    'graceful-termination-duration': [`${gracefulTerminationSeconds}s`],
    kubeconfig: [renewableConfigMap('control-plane-node-kubeconfig', 'kubeconfig')],
    'termination-log-file': [`${logFolder}/termination.log`],
    'termination-touch-file': [`${logFolder}/.terminating`],
  };
  const server = {
    ...Object.fromEntries(flags),
    'openshift-config': [revisionedConfigMap('config', 'config.yaml')],
  };
  const script = [
    `chmod 0700 ${logFolder}`,
    `exec {lock}>${logFolder}/.lock`,
    // Longer than a stopping one takes. Source: terminationGracePeriodSeconds
    'flock --wait 30 "${lock}"',
    `exec watch-termination ${flagArguments(termination).join(' ')} -- hyperkube kube-apiserver ${flagArguments(server).join(' ')}`,
  ];
  return {
    ...mainContainer,
    image: inputs.images.hyperkube,
    command: ['/bin/bash', '-ec'],
    args: [script.map((line) => `${line}\n`).join('')],
    env: [
      fromField('POD_NAME', 'metadata.name'),
      fromField('POD_NAMESPACE', 'metadata.namespace'),
      { name: 'STATIC_POD_VERSION', value: 'REVISION' },
      fromField('HOST_IP', 'status.hostIP'),
    ],
    securityContext: { privileged: true, readOnlyRootFilesystem: true },
    ...probesAt(undefined),
  };
}

/** Answers load balancers that cannot speak TLS. */
function insecureReadyz({ images }: LoopInputs): Container {
  return {
    name: 'kube-apiserver-insecure-readyz',
    image: images['cluster-kube-apiserver-operator'],
    imagePullPolicy: 'IfNotPresent',
    terminationMessagePolicy: 'FallbackToLogsOnError',
    command: ['cluster-kube-apiserver-operator', 'insecure-readyz'],
    args: ['--insecure-port=6080', '--delegate-url=https://localhost:6443/readyz'],
    ports: [{ containerPort: 6080, protocol: 'TCP' }],
    resources: { requests: { cpu: '5m', memory: '50Mi' } },
    securityContext: { readOnlyRootFilesystem: true },
    volumeMounts: [],
  };
}
