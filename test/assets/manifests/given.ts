import { readObjects, type UserObject } from '../../../src/manifests/edits/documents.js';
import type { InstallConfig } from '../../../src/fields/install-config-model.js';
import { Redacted } from '../../../src/core/redacted.js';

/** The smallest config there is, with its defaults. */
export const minimalInstall: InstallConfig = {
  metadata: { name: 'edge' },
  baseDomain: 'example.com',
  pullSecret: new Redacted('{"auths":{}}'),
  sshKey: '',
  controlPlane: { name: 'master', replicas: 1, architecture: 'amd64', hyperthreading: 'Enabled' },
  compute: [{ name: 'worker', replicas: 0, architecture: 'amd64', hyperthreading: 'Enabled' }],
  networking: {
    networkType: 'OVNKubernetes',
    machineNetwork: [{ cidr: '192.168.1.0/24' }],
    clusterNetwork: [{ cidr: '10.128.0.0/14', hostPrefix: 23 }],
    serviceNetwork: ['172.30.0.0/16'],
  },
  additionalTrustBundle: '',
  additionalTrustBundlePolicy: 'Proxyonly',
  imageDigestSources: [],
  imageContentSources: [],
  publish: 'External',
  fips: false,
  cpuPartitioningMode: 'None',
  featureSet: '',
  featureGates: [],
};

/** The objects of one or more documents of a file called `f.yaml`. */
export function objectsOf(text: string): readonly UserObject[] {
  const read = readObjects('f.yaml', Buffer.from(text));
  if (!read.ok) throw new Error(`not readable: ${read.problems.map(({ message }) => message).join(', ')}`);
  return read.value;
}
