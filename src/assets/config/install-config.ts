import { Redacted } from '../../core/redacted.js';
import { failure, success } from '../../core/result.js';
import { problem } from '../../core/problem.js';
import { toData } from '../../formats/yaml-tree.js';
import { readYaml } from '../../formats/yaml.js';
import { checkedAs } from '../../formats/schema.js';
import { defineAsset } from '../../graph/asset.js';
import type { InstallConfig, MachinePool } from './install-config-model.js';

type Input = Partial<Omit<InstallConfig, 'pullSecret' | 'controlPlane' | 'compute'>> & {
  pullSecret?: string;
  controlPlane?: Partial<MachinePool>;
  compute?: readonly Partial<MachinePool>[];
};

/** install-config.yaml, checked, with deprecated fields converted and defaults applied. */
export const installConfig = defineAsset({
  name: 'config/install-config',
  needs: {},
  tryMake: (_parents, { inputs }) => {
    const read = inputs.read('install-config.yaml');
    if (read.kind !== 'file')
      return failure(problem('config/file-missing', 'install-config.yaml is missing', { at: { file: 'install-config.yaml' } }));
    return success(withDefaults(checkedAs<Input>(data(read.bytes))));
  },
});

function withDefaults(input: Input): InstallConfig {
  const { compute: _compute, controlPlane: _controlPlane, pullSecret: _pullSecret, ...rest } = input;
  const controlPlane = pool('master', 1, input.controlPlane ?? {});
  return {
    additionalTrustBundle: '',
    additionalTrustBundlePolicy: 'Proxyonly',
    imageDigestSources: [],
    imageContentSources: [],
    publish: 'External',
    fips: false,
    cpuPartitioningMode: 'None',
    featureSet: '',
    featureGates: [],
    ...rest,
    sshKey: (input.sshKey ?? '').trim(),
    metadata: { name: input.metadata?.name ?? '' },
    baseDomain: (input.baseDomain ?? '').replace(/\.$/, ''),
    pullSecret: new Redacted(input.pullSecret ?? ''),
    controlPlane,
    compute: [pool('worker', 0, { architecture: controlPlane.architecture, ...input.compute?.[0] })],
    networking: {
      networkType: 'OVNKubernetes',
      machineNetwork: [{ cidr: '10.0.0.0/16' }],
      clusterNetwork: [{ cidr: '10.128.0.0/14', hostPrefix: 23 }],
      serviceNetwork: ['172.30.0.0/16'],
      ...input.networking,
    },
  };
}

function pool(name: string, replicas: number, given: Partial<MachinePool>): MachinePool {
  return { replicas, architecture: 'amd64', hyperthreading: 'Enabled', ...given, name };
}

function data(bytes: Uint8Array): unknown {
  const [root] = readYaml(new TextDecoder().decode(bytes)).documents;
  return root ? toData(root) : {};
}
