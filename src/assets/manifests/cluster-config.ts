import { isDeepStrictEqual } from 'node:util';

import { isRecord } from '../../core/is-record.js';
import type { InstallConfig, Networking } from '../../config/schema/install-config-schema.js';
import { writeYaml } from '../../formats/yaml/write-yaml.js';
import { configMap } from '../../kube/core-objects.js';
import { fieldAt } from '../../kube/fields.js';
import { networksOf, type ClusterNetworks } from '../../manifests/cluster-networks.js';
import { unmet } from '../../manifests/edits/edited-values.js';
import { forOneNode } from '../../manifests/edits/needed-values.js';
import { installConfigIn } from '../../manifests/install-config-in.js';
import { installConfig, redactedInstallConfig } from '../config/install-config.js';
import { defineManifests } from './family.js';
import { network } from './network.js';

/** install-config.yaml with its defaults and without its pull secret, for the steps on the node that read it. */
export const clusterConfig = defineManifests({
  name: 'manifests/cluster-config',
  needs: { install: installConfig, redacted: redactedInstallConfig, network },
  make: ({ install, redacted, network }) => {
    const description = 'The install-config.yaml of this cluster, without its pull secret';
    const metadata = {
      name: 'cluster-config-v1',
      namespace: 'kube-system',
      annotations: { 'kubernetes.io/description': description },
    };
    const withNetworks = { ...redacted, networking: networkingOf(install, networksOf(network)) };
    const object = configMap(metadata, { 'install-config': writeYaml(withNetworks) });
    // The proxy's URLs stay in it whole, since the cluster works with them.
    return [{ path: 'manifests/cluster-config.yaml', object }];
  },
  check: (edited, { install, network }) =>
    unmet(edited, [
      {
        path: ['data', 'install-config'],
        expected: forOneNode,
        isRight: (value) =>
          install.bootstrapInPlace === undefined ||
          isRecord(fieldAt(installConfigIn(value), ['bootstrapInPlace'])),
      },
      {
        path: ['data', 'install-config'],
        expected: 'the networks of install-config.yaml and of cluster-network-02-config.yml',
        isRight: (value) =>
          isDeepStrictEqual(networkingIn(value), networkingOf(install, networksOf(network))),
      },
    ]),
});

/** As the Network manifest has them, edited or not; programs on the node read some here and some there. */
function networkingOf({ networking }: InstallConfig, networks: ClusterNetworks): Networking {
  return { ...networking, ...networks };
}

function networkingIn(text: unknown): unknown {
  return fieldAt(installConfigIn(text), ['networking']);
}
