import { toData } from '../../formats/yaml-tree.js';
import { readYaml, writeYaml } from '../../formats/yaml.js';
import { configMap } from '../../kube/core-objects.js';
import { fieldAt, isRecord } from '../../kube/fields.js';
import { installConfig, redactedInstallConfig } from '../config/install-config.js';
import { unmet } from './edited-values.js';
import { defineManifests } from './family.js';
import { hasCredentials } from './proxy.js';

/** install-config.yaml with its defaults and without its pull secret, for the steps on the node that read it. */
export const clusterConfig = defineManifests({
  name: 'manifests/cluster-config',
  needs: { install: installConfig, redacted: redactedInstallConfig },
  make: ({ install, redacted }) => {
    const description = 'The install-config.yaml of this cluster, without its pull secret';
    const metadata = {
      name: 'cluster-config-v1',
      namespace: 'kube-system',
      annotations: { 'kubernetes.io/description': description },
    };
    const object = configMap(metadata, { 'install-config': writeYaml(redacted) });
    // The proxy's URLs stay in it whole, since the cluster works with them.
    return [{ path: 'manifests/cluster-config.yaml', object, isSecret: hasCredentials(install.proxy) }];
  },
  check: (edited, { install }) =>
    unmet(edited, [
      {
        path: ['data', 'install-config'],
        expected: 'an install-config with controlPlane.replicas 1 and its bootstrapInPlace',
        isRight: (value) => isForOneNode(value, install.bootstrapInPlace !== undefined),
      },
    ]),
});

/** Etcd and cluster-bootstrap decide by these two fields that one node is all there is. Source: their `render` and `start`. */
function isForOneNode(text: unknown, isInPlace: boolean): boolean {
  const [root] = typeof text === 'string' ? readYaml(text).documents : [];
  const data = root && toData(root);
  if (fieldAt(data, ['controlPlane', 'replicas']) !== 1) return false;
  return !isInPlace || isRecord(fieldAt(data, ['bootstrapInPlace']));
}
