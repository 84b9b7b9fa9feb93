import type { CodeTable } from './entry.js';

/** Problems of the rendered control plane: etcd, kube-apiserver, kube-controller-manager, kube-scheduler, kube-proxy and kubelet. */
export const controlPlaneCodes = {
  'control-plane/unknown-flag': {
    severity: 'error',
    fault: 'an argument of a rendered program is not a flag of its version',
    why: 'A program exits when it gets an unknown flag, and the node never gets its control plane.',
    fix: 'Use the suggested flag, or remove the argument; the message lists the versions that have it.',
  },
  'control-plane/unknown-feature-gate': {
    severity: 'error',
    fault: 'a feature gate does not exist in this version of the program',
    why: 'Kubernetes programs exit when they get an unknown gate. Kubernetes removes a gate some versions after its feature is always on.',
    fix: 'Remove the gate, or use one that this version has; the message lists the versions that have it.',
  },
  'control-plane/unknown-admission-plugin': {
    severity: 'error',
    fault: 'kube-apiserver of this version does not have this admission plugin or authorization mode',
    why: 'kube-apiserver exits when it gets an unknown name.',
    fix: 'Use the suggested name, or remove it. Plugins of OpenShift exist only in the kube-apiserver of OpenShift.',
  },
  'control-plane/unobserved-field': {
    severity: 'error',
    fault:
      'a manifest sets a field that `controlPlane.render: Installer` does not apply to the control plane',
    why: 'The field would take effect only with a later revision from its operator, or never, without any message.',
    fix: 'Let the release render the control plane (`controlPlane.render: Release`), or set the field when the cluster is up.',
  },
  'control-plane/unsettled': {
    severity: 'error',
    fault: 'the rendering of the control plane does not converge',
    why: 'Two control loops undo each other, so every round gives another control plane and none is correct.',
    fix: 'Report it as a defect of sno-install, with install-config.yaml and sno-config.yaml and all secrets removed from both.',
  },
} as const satisfies CodeTable;
