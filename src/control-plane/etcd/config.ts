import { certsMountPath } from '../../kube/components.js';
import type { Volume } from '../../kube/pod-object.js';
import type { LoopInputs } from '../loops/loop-inputs.js';
import { intermediateTls, type TlsProfile } from '../shared/tls-profile.js';
import type { EtcdConfig, PairFiles } from './config-model.js';
import type { EtcdDialect } from './dialect.js';

export const etcdDataFolder = '/var/lib/etcd';

/** hostPath volume of etcd's data directory. */
export const dataVolume: Volume = {
  name: 'data-dir',
  hostPath: { path: etcdDataFolder, type: 'DirectoryOrCreate' },
};

/** Uses the cluster's TLS profile, Intermediate by default. */
export function etcdConfig(
  dialect: Pick<EtcdDialect, 'listening'>,
  inputs: LoopInputs,
  tls: TlsProfile = intermediateTls,
): EtcdConfig {
  const pair = (use: 'peer' | 'serving'): PairFiles => etcdPairFiles(use, inputs);
  const common = {
    version: inputs.versions.etcd,
    name: inputs.node.name,
    dataDir: etcdDataFolder,
    trustedCaFile: `${bundleFolder}/server-ca-bundle.crt`,
    // 8 GiB, the maximum that etcd recommends. Source: cluster-etcd-operator pkg/etcdenvvar; etcd.io/docs/v3.6/dev-guide/limit
    quotaBackendBytes: 8 * 1024 ** 3,
    extraArguments: inputs.extraArguments.etcd,
  };
  const listeners = dialect.listening(inputs, tls);
  return {
    ...common,
    ...listeners,
    client: { ...listeners.client, ...pair('serving') },
    peer: { ...listeners.peer, ...pair('peer') },
  };
}

/** The pair that etcd uses both as server and client certificate; paths inside the container. */
export function etcdPairFiles(
  use: 'peer' | 'serving' | 'serving-metrics',
  { node }: Pick<LoopInputs, 'node'>,
): PairFiles {
  const base = `${certsMountPath}/secrets/etcd-all-certs/etcd-${use}-${node.name}`;
  return { certFile: `${base}.crt`, keyFile: `${base}.key` };
}

/** Folder of the CA bundles for etcd's clients and servers, inside the container. */
export const bundleFolder = `${certsMountPath}/configmaps/etcd-all-bundles`;

/** The loopback address and the wildcard address, as hosts of URLs. */
export function etcdHosts({ networks }: Pick<LoopInputs, 'networks'>): {
  readonly loopback: string;
  readonly all: string;
} {
  return networks.family === 'IPv6'
    ? { loopback: '[::1]', all: '[::]' }
    : { loopback: '127.0.0.1', all: '0.0.0.0' };
}
