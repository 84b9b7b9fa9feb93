import { isDeepStrictEqual } from 'node:util';

import { isRecord } from '../../core/is-record.js';
import type { InstallConfig, Networking } from '../../config/schema/install-config-schema.js';
import { writeYaml } from '../../formats/yaml/write-yaml.js';
import { configMap } from '../../kube/core-objects.js';
import { fieldAt } from '../../kube/fields.js';
import { networksOf, type ClusterNetworks } from '../../manifests/cluster-networks.js';
import { requirementProblems } from '../../manifests/edits/edited-values.js';
import { forOneNode } from '../../manifests/edits/field-requirements.js';
import { installConfigIn } from '../../manifests/install-config-in.js';
import { installConfig, redactedInstallConfig } from '../config/install-config.js';
import { defineManifests } from './family.js';
import { network } from './network.js';

/** install-config.yaml with defaults and without the pull secret, for programs on the node that read it. */
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
    // Proxy URLs keep their credentials, since the cluster uses them.
    return [{ path: 'manifests/cluster-config.yaml', object }];
  },
  check: (edited, { install, redacted, network }) =>
    requirementProblems(edited, [
      {
        path: ['data', 'install-config'],
        expected: forOneNode,
        isRight: (value) =>
          fieldAt(redacted, ['bootstrapInPlace']) === undefined ||
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

/** The networks of the Network manifest, including edits by the user: programs on the node read one or the other. */
function networkingOf({ networking }: InstallConfig, networks: ClusterNetworks): Networking {
  return { ...networking, ...networks };
}

function networkingIn(text: unknown): unknown {
  return fieldAt(installConfigIn(text), ['networking']);
}
