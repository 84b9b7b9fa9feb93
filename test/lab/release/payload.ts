import { filledFeatureGate, payloadImages, payloadTools, releaseOf } from '../../shell/support/payload.js';
import { imageName } from './images.js';
import { operatorManifests } from './manifests.js';
import { masterBase } from './master-base.js';
import {
  bootstrapMachineConfigPod,
  bootstrapVersionPod,
  releasePods,
  type ReleaseNode,
} from './static-pods.js';

/**
 * Contents of the release's images, by path. `payload` contains the release metadata; `tools/NAME` contains
 * the flags that a tool of this release accepts and its rendered files.
 */
export function releaseFiles(minor: number, node: ReleaseNode): Readonly<Record<string, string>> {
  const version = `4.${minor}.0`;
  const tags = [...payloadImages(minor), 'cluster-version-operator'].map((name) => ({
    name,
    from: { kind: 'DockerImage', name: imageName(name) },
    ...(name === 'hyperkube' && {
      annotations: { 'io.openshift.build.versions': `kubernetes=1.${releaseOf(minor).kubernetesMinor}.0` },
    }),
  }));
  const stream = { kind: 'ImageStream', metadata: { name: version }, spec: { tags } };
  return {
    'payload/image-references': JSON.stringify(stream),
    'payload/release-metadata': JSON.stringify({ kind: 'cincinnati-metadata-v0', version }),
    ...below('payload', operatorManifests.securityContextConstraints),
    ...toolFiles(minor, node),
    // Feature gates that every Kubernetes program in the lab supports.
    'tools/cluster-config-api-render/feature-gate': filledFeatureGate(version, {
      enabled: ['ImageVolume'],
      disabled: ['CPUManagerPolicyAlphaOptions'],
    }),
  };
}

function toolFiles(minor: number, node: ReleaseNode): Readonly<Record<string, string>> {
  const outputs = outputsOf(minor, node);
  const tools = [...payloadTools(minor), ...inPlace];
  return Object.assign(
    {},
    ...tools.map(({ name, flags, style }) => {
      const dash = style === 'go' ? '-' : '--';
      const help = flags.map((flag) => `  ${dash}${flag} string   of this release\n`).join('');
      return below(`tools/${name}`, {
        help: `Usage of ${name}:\n${help}  -h, ${dash}help   help\n`,
        'help-status': style === 'go' ? '2' : '0',
        flags: flags.map((flag) => `--${flag}\n`).join(''),
        ...below('output', outputs[name] ?? {}),
      });
    }),
  ) as Readonly<Record<string, string>>;
}

/** Source: openshift/cluster-bootstrap cmd/cluster-bootstrap/bootstrapinplace.go */
const inPlace = [
  {
    name: 'cluster-bootstrap-bootstrap-in-place',
    flags: ['asset-dir', 'input', 'output', 'pretty'],
    style: 'pflag' as const,
  },
];

type Files = Readonly<Record<string, string>>;

/** The output files of each tool. */
function outputsOf(minor: number, node: ReleaseNode): Readonly<Record<string, Files>> {
  const pods = releasePods(node);
  const { stages } = releaseOf(minor);
  const apis = {
    ...operatorManifests.configApis,
    ...(!stages.includes('auth-api-bootstrap') && operatorManifests.authenticationApis),
  };
  const operator = (name: string) => `cluster-${name}-operator-cluster-${name}-operator-render`;
  return {
    'cluster-config-api-render': below('manifests', apis),
    'cluster-authentication-operator-render': operatorManifests.authenticationApis,
    [operator('config')]: {
      config: '{}\n',
      ...below('manifests', stages.includes('api-bootstrap') ? {} : apis),
    },
    'release-render': {
      'bootstrap/bootstrap-pod.yaml': bootstrapVersionPod,
      ...below('manifests', operatorManifests.versionOperator),
    },
    [operator('etcd')]: pods.etcd,
    [operator('kube-apiserver')]: pods.kubeApiserver,
    [operator('kube-controller-manager')]: pods.kubeControllerManager,
    [operator('kube-scheduler')]: pods.kubeScheduler,
    'cluster-ingress-operator-render': operatorManifests.ingress,
    'cluster-node-tuning-operator-render-bootcmd-mc': operatorManifests.kernelArguments,
    'machine-config-operator-bootstrap': {
      'bootstrap/machineconfigoperator-bootstrap-pod.yaml': bootstrapMachineConfigPod,
      'bootstrap/manifests/master-base.ign': JSON.stringify(masterBase(node)),
      ...below('manifests', operatorManifests.machineConfig),
    },
    'cloud-credential-operator-render': below('manifests', operatorManifests.cloudCredential),
  };
}

function below(folder: string, files: Files): Files {
  return Object.fromEntries(Object.entries(files).map(([path, text]) => [`${folder}/${path}`, text]));
}
