import type { CodeTable } from './entry.js';

/** Problems of the rendered control plane: etcd, kube-apiserver, kube-controller-manager, kube-scheduler, kube-proxy and kubelet. */
export const controlPlaneCodes = {
  'control-plane/unknown-flag': {
    severity: 'error',
    fault: 'an argument of a rendered program is not a flag in this version of the program',
    why: 'A program exits at an unknown flag, so the control plane does not start.',
    fix: 'Use the suggested flag, or remove the argument; the message lists the versions that have it.',
  },
  'control-plane/unknown-feature-gate': {
    severity: 'error',
    fault: 'a feature gate does not exist in this version of the program',
    why: 'Kubernetes programs exit at an unknown gate. Kubernetes removes a gate some versions after its feature becomes permanent.',
    fix: 'Remove the gate, or use one that this version has; the message lists the versions that have it.',
  },
  'control-plane/unknown-admission-plugin': {
    severity: 'error',
    fault: 'kube-apiserver of this version does not have this admission plugin or authorization mode',
    why: 'kube-apiserver exits at an unknown name.',
    fix: 'Use the suggested name, or remove it. Plugins of OpenShift exist only in the kube-apiserver of OpenShift.',
  },
  'control-plane/unobserved-field': {
    severity: 'error',
    fault: 'a manifest sets a field that `controlPlane.render: Installer` ignores',
    why: 'The field takes effect only when its operator rolls out a new revision, or never.',
    fix: 'Set `controlPlane.render: Release`, or set the field when the cluster is up.',
  },
  'control-plane/unsettled': {
    severity: 'error',
    fault: 'the rendering of the control plane does not converge',
    why: "Two control loops undo each other's changes, so no result is stable.",
    fix: 'Report it as a bug in sno-install. Attach install-config.yaml and sno-config.yaml without secrets.',
  },
} as const satisfies CodeTable;
