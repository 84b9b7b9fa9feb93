import { agentFiles, clusterInstance } from '../import/files.js';
import type { Place } from './secret-places.js';

const { 'agent-config.yaml': agentConfig = '' } = agentFiles;

type PlaceOfFile = Place & { readonly file: string };

/** Replaces a value of a text. */
function inPlaceOf(
  file: string,
  text: string,
  values: Readonly<Record<string, string>>,
): readonly PlaceOfFile[] {
  return Object.entries(values).map(([name, value]) => ({
    file,
    name: `as ${name}`,
    write: (secret) => text.replace(value, JSON.stringify(secret)),
  }));
}

/** Places of a secret in a ClusterInstance and its related files. */
export const instancePlaces: readonly PlaceOfFile[] = [
  { file: 'site1.yaml', name: 'as the whole', write: (secret) => secret },
  ...inPlaceOf('site1.yaml', clusterInstance, {
    'an address of a BMC': 'idrac-virtualmedia+https://192.0.2.17/redfish/v1/Systems/System.Embedded.1',
    'the name of a Secret': 'site1-bmc',
    'a mode': 'UEFI',
    'a name': 'node1.site1.example.com',
    'a disk': '/dev/disk/by-path/pci-0000:01:00.0-nvme-1',
    'an address of an interface': '"52:54:00:12:34:57"',
    'a name of a ConfigMap': 'name: extra-manifests',
    'an argument': `'["--append-karg", "console=ttyS0", "-n"]'`,
    'the release': 'img-4.20',
    'a label': 'mast',
  }),
  {
    file: 'site1.yaml',
    name: 'in overrides',
    write: (secret) => clusterInstance.replace('"None"', JSON.stringify(secret)),
  },
  {
    file: 'site1.yaml',
    name: 'as a field',
    write: (secret) =>
      clusterInstance.replace('clusterName:', `${JSON.stringify(secret)}: 1\n  clusterName:`),
  },
  {
    file: 'hub.yaml',
    name: 'as a pull secret',
    write: (secret) =>
      JSON.stringify({
        kind: 'Secret',
        metadata: { name: 'pull-secret' },
        stringData: { '.dockerconfigjson': secret },
      }),
  },
];

/** Places of a secret in the agent installer's folder and in the files that openshift-install keeps. */
export const agentPlaces: readonly PlaceOfFile[] = [
  { file: 'agent-config.yaml', name: 'as the whole', write: (secret) => secret },
  ...inPlaceOf('agent-config.yaml', agentConfig, {
    'a URL': 'https://files.example.com/boot',
    'an address': '192.168.126.10',
    'a model': '120',
    'a role': 'role: master',
  }),
  { file: 'openshift/50-a.yaml', name: 'as a manifest', write: (secret) => secret },
  {
    file: '.openshift_install_state.json',
    name: 'in a kept file',
    write: (secret) =>
      JSON.stringify({ a: { Filename: 'agent-config.yaml', Data: Buffer.from(secret).toString('base64') } }),
  },
];
