import type { CodeTable } from './entry.js';

/** Problems of the rendered control plane: etcd, kube-apiserver, kube-controller-manager, kube-scheduler, kube-proxy and kubelet. */
export const controlPlaneCodes = {
  'control-plane/unknown-flag': {
    severity: 'error',
    rule: 'every argument of a rendered program is a flag of its version',
    why: 'A program with a flag that it does not know ends at once, and the node never gets its control plane.',
    fix: 'Take the suggestion, or leave the argument out; the message says which versions have it.',
  },
  'control-plane/unknown-feature-gate': {
    severity: 'error',
    rule: 'every feature gate of a rendered program is one of its version',
    why: 'Upstream programs end at a gate that they do not know, and gates go away some versions after they are always on.',
    fix: 'Leave the gate out, or take one that the version has; the message says which versions have it.',
  },
  'control-plane/unknown-admission-plugin': {
    severity: 'error',
    rule: 'admission plugins and authorization modes are those that kube-apiserver of this version has',
    why: 'kube-apiserver ends at a name that it does not know.',
    fix: 'Take the suggestion, or leave the name out. Those of OpenShift exist in its own kube-apiserver only.',
  },
  'control-plane/unobserved-field': {
    severity: 'error',
    rule: 'what manifests ask of the control plane is rendered, where sno-install renders it',
    why: 'The field would reach the control plane only with a later revision of its operator, if at all, and nobody would be told.',
    fix: 'Have the release render (`controlPlane.render: Release`), or set the field when the cluster is up.',
  },
  'control-plane/unsettled': {
    severity: 'error',
    rule: 'the control loops come to rest: a further round changes no object',
    why: 'Two loops that undo each other would give another control plane with every round, and none of them is right.',
    fix: 'Report it with install-config.yaml and sno-config.yaml, secrets taken out: it is a fault of sno-install.',
  },
} as const satisfies CodeTable;
