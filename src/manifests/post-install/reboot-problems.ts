import { isRecord } from '../../core/is-record.js';
import { type Problem, problem } from '../../core/problem.js';
import { fieldAt, listAt, textAt } from '../../kube/fields.js';
import { describeIdentity, groupOf, identityOf } from '../../kube/identity.js';
import { manifestFieldPlace } from '../../kube/manifest-place.js';
import type { KubeObject } from '../../kube/object.js';
import type { PostInstallObject } from './post-install-objects.js';

/** Warns about an object that reboots or drains the node. Problems: post-install/reboot. */
export function rebootProblems({ object, source }: PostInstallObject): readonly Problem[] {
  const effect = effectOnNode(object);
  if (effect === undefined) return [];
  const message = `${describeIdentity(identityOf(object))} ${effect} the node after the installation`;
  return [
    problem('post-install/reboot', message, {
      at: manifestFieldPlace(source, ['kind']),
      hint: 'move it to manifests/, so that the first boot already has it',
    }),
  ];
}

/** The effect of an object on the node when it is created or changed. */
export type Effect = 'reboots' | 'drains';

/** Undefined if the node continues. */
export function effectOnNode(object: KubeObject): Effect | undefined {
  const key = `${object.kind}.${groupOf(object.apiVersion)}`;
  return Object.hasOwn(effects, key) ? effects[key]?.(object) : undefined;
}

const always = (): Effect => 'reboots';

/**
 * By `Kind.group`. ImageDigestMirrorSet and ImageContentSourcePolicy are not listed: mirrors for digests only reload CRI-O
 * (openshift/machine-config-operator pkg/daemon/drain.go, isSafeContainerRegistryConfChanges).
 */
const effects: Readonly<Record<string, (object: KubeObject) => Effect | undefined>> = {
  // Source: openshift/machine-config-operator, the controllers render, kubelet-config and container-runtime-config
  'MachineConfig.machineconfiguration.openshift.io': (object) =>
    isOnlyUsers(object) ? undefined : 'reboots',
  'KubeletConfig.machineconfiguration.openshift.io': always,
  'ContainerRuntimeConfig.machineconfiguration.openshift.io': always,
  // Source: openshift/cluster-node-tuning-operator; it renders a MachineConfig and a KubeletConfig
  'PerformanceProfile.performance.openshift.io': always,
  // Source: openshift/cluster-node-tuning-operator pkg/operator/controller.go, syncMachineConfig
  'Tuned.tuned.openshift.io': (object) => (hasBootloaderSection(object) ? 'reboots' : undefined),
  // Source: openshift/machine-config-operator templates/common/_base/files/etc-mco-proxy.yaml; no policy spares this file the reboot
  'Proxy.config.openshift.io': (object) =>
    textAt(object, ['spec', 'httpProxy']) !== undefined ||
    textAt(object, ['spec', 'httpsProxy']) !== undefined
      ? 'reboots'
      : undefined,
  // Source: openshift/machine-config-operator pkg/daemon/drain.go; mirrors for tags change the images that pods get
  'ImageTagMirrorSet.config.openshift.io': () => 'drains',
  'Image.config.openshift.io': imageEffect,
  // Source: openshift/machine-config-operator pkg/controller/kubelet-config; v2 is the default since 4.14
  'Node.config.openshift.io': (object) =>
    textAt(object, ['spec', 'cgroupMode']) === 'v1' ? 'reboots' : undefined,
  // Source: openshift/machine-config-operator pkg/controller/kubelet-config, features and APIServer
  'FeatureGate.config.openshift.io': (object) =>
    textAt(object, ['spec', 'featureSet']) === undefined ? undefined : 'reboots',
  'APIServer.config.openshift.io': (object) =>
    ['Old', 'Modern', 'Custom'].includes(textAt(object, ['spec', 'tlsSecurityProfile', 'type']) ?? '')
      ? 'reboots'
      : undefined,
};

/** SSH keys and passwords change without a reboot. Source: openshift/machine-config-operator pkg/daemon/update.go */
function isOnlyUsers(object: KubeObject): boolean {
  const spec = fieldAt(object, ['spec']);
  const config = fieldAt(spec, ['config']);
  if (!isRecord(spec) || !isRecord(config)) return false;
  return (
    Object.keys(spec).every((field) => field === 'config') &&
    Object.keys(config).every((field) => ['ignition', 'passwd'].includes(field)) &&
    'passwd' in config
  );
}

function hasBootloaderSection(object: KubeObject): boolean {
  return listAt(object, ['spec', 'profile']).some((profile) => {
    const data = fieldAt(profile, ['data']);
    return typeof data === 'string' && /^\s*\[bootloader\]/m.test(data);
  });
}

/**
 * Search registries are a separate file. A registry without mirrors in registries.conf drains; allowed registries only reload CRI-O.
 * Source: openshift/machine-config-operator pkg/controller/container-runtime-config, pkg/daemon/drain.go
 */
function imageEffect(object: KubeObject): Effect | undefined {
  const has = (field: string): boolean => listAt(object, ['spec', 'registrySources', field]).length > 0;
  if (has('containerRuntimeSearchRegistries')) return 'reboots';
  return has('insecureRegistries') || has('blockedRegistries') ? 'drains' : undefined;
}
