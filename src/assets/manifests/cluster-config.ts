import { writeYaml } from '../../formats/yaml.js';
import { configMap } from '../../kube/core-objects.js';
import { installConfig, redactedInstallConfig } from '../config/install-config.js';
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
});
