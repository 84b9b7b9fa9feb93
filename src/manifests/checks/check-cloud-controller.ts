import type { InstallDraft } from '../../config/reading/install-config.js';
import { problem, type Problem } from '../../core/problem.js';
import { fieldAt, listAt, textAt } from '../../kube/fields.js';
import type { KubeObject } from '../../kube/object.js';
import type { Manifest } from '../../kube/manifest.js';

/**
 * Reports platform external with a cloud controller manager that no manifest contains. The kubelet taints the node until such a program
 * has initialized it, so a manager tolerates this taint. Problems: manifest/no-cloud-controller.
 * Source: k8s.io/cloud-provider api TaintExternalCloudProvider
 */
export function cloudControllerProblems(
  manifests: readonly Manifest[],
  install: InstallDraft | undefined,
): readonly Problem[] {
  const isExternal = install?.config.platform.external?.cloudControllerManager === 'External';
  if (!isExternal || !install.isSound('platform')) return [];
  if (manifests.some(({ source, object }) => source !== undefined && toleratesTaint(object))) return [];
  const message =
    'platform external waits for a cloud controller manager, and no manifest has pods that tolerate the taint of the new node';
  return [
    problem('manifest/no-cloud-controller', message, {
      at: install.placeOf(['platform', 'external', 'cloudControllerManager']),
      hint: `add the manifests of the manager to manifests/, with a toleration of ${taint}, or remove cloudControllerManager`,
    }),
  ];
}

const taint = 'node.cloudprovider.kubernetes.io/uninitialized';

/** Whether pods of the object run on a node with the taint. A toleration without a key is one of all taints. */
function toleratesTaint(object: KubeObject): boolean {
  const spec = object.kind === 'Pod' ? ['spec'] : ['spec', 'template', 'spec'];
  return listAt(object, [...spec, 'tolerations']).some((each) => {
    const key = textAt(each, ['key']) ?? '';
    return key === taint || (key === '' && fieldAt(each, ['operator']) === 'Exists');
  });
}
