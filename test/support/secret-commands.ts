import { failingRecord } from '../analysis/support/made-bundle.js';
import { fleetFiles } from '../fleet/files.js';
import { masterConfig } from '../shell/disk/machine-files.js';
import { bootFiles, bootPlaces } from './boot-places.js';
import { agentFiles, clusterInstance } from '../import/files.js';
import { fleetPlaces } from './fleet-places.js';
import { agentPlaces, instancePlaces } from './import-places.js';
import { minimalInstallConfig } from './minimal-config.js';
import { secrets, type Secret } from './secret-corpus.js';
import type { SecretInput } from './secret-inputs.js';
import { secretLines } from './secret-lines.js';
import {
  kubeconfigPlaces,
  manifestPlaces,
  masterPlaces,
  planPlaces,
  receiptPlaces,
  statePlaces,
  tokenPlaces,
  type Place,
  type StateDocument,
} from './secret-places.js';

/** Command lines by name. `DIR` is replaced by the input directory. `--dir` and the output format are added. */
export type NamedCommandLines = readonly (readonly string[])[];

const creating: NamedCommandLines = [
  ['create', 'single-node-ignition-config'],
  ['create', 'manifests'],
  ['create', 'aio-ignition'],
  ['render', 'control-plane'],
  ['render', 'control-plane', '--for', 'aio'],
];

const judging: NamedCommandLines = [
  ['validate'],
  ['validate', '--target', 'aio-ignition'],
  ['images'],
  ['preflight', '--timeout', '1s', '--dns-server', '127.0.0.1:1'],
  ...['github', 'sarif', 'junit'].map((format) => ['validate', '--output', format]),
];

const waiting: NamedCommandLines = [
  'bootstrap-complete',
  'install-complete',
  'post-install-complete',
  'node-ready',
].map((goal) => ['wait-for', goal, '--timeout', '0s']);

/** The second command reads users and passwords but has no machine to boot. */
const booting: NamedCommandLines = [
  ['fleet', 'boot', '--dry-run', '--media', 'DIR/urls.json'],
  ['fleet', 'boot', '--eject', '--credentials-command', 'cat DIR/bmc.yaml'],
];

const gathering: NamedCommandLines = [['gather', '--bootstrap', '127.0.0.1:1']];

/** All commands that run in a directory with configs. Commands that do not need the configs must not read them. */
export const configCommands: NamedCommandLines = [
  ['create', 'install-config'],
  ['create', 'install-config', '--pull-secret-file', 'DIR/install-config.yaml'],
  ['create', 'install-config', '--ssh-key-file', 'DIR/install-config.yaml'],
  ['create', 'sno-config', '--node-ip', '192.0.2.1'],
  ['graph'],
  ['explain', 'pullSecret'],
  ['version'],
  ['completion', 'bash'],
  ['analyze', 'DIR'],
  ['analyze', 'DIR/install-config.yaml'],
  ['enrich', '--asset-dir', 'DIR', '--input', 'DIR/install-config.yaml'],
  [...(waiting[0] ?? []), '--kubeconfig', 'DIR/install-config.yaml'],
  ['apply', '--diff'],
  ['apply', '--kubeconfig', 'DIR/install-config.yaml', '--timeout', '1s'],
  ['validate', '--state', 'DIR/install-config.yaml'],
  ['create', 'single-node-iso', '--iso', 'DIR/install-config.yaml'],
  ['validate', '--identity', 'DIR/install-config.yaml', '--state', 'DIR/encrypted.json'],
  ['state', 'encrypt', '--recipients-file', 'DIR/install-config.yaml'],
  ['state', 'prune', '--authorities', '--state', 'DIR/install-config.yaml'],
  ['render', 'ignition', 'DIR/install-config.yaml', '--out', 'DIR/tree'],
  ['golden', '--out', 'DIR/golden'],
  ['gather', '--bootstrap', '127.0.0.1:1', '--key', 'DIR/install-config.yaml'],
  ['certs', 'DIR', '--warn-before', '9000d'],
  ['inspect', 'DIR/install-config.yaml'],
  ['why', '/etc/motd'],
  ['verify', 'DIR/install-config.yaml'],
  ['create', 'single-node-ignition-config', '--sign-key', 'DIR/install-config.yaml'],
  ...waiting,
  ...creating,
  ...judging,
];

/** An input and the commands that read it. */
export interface CommandInput extends SecretInput {
  readonly commands: NamedCommandLines;
}

const all: readonly Secret[] = Object.values(secrets);

function inputsAt(
  file: string,
  { places, commands }: { readonly places: readonly Place[]; readonly commands: NamedCommandLines },
  more: SecretInput['files'] = {},
): readonly CommandInput[] {
  return places.flatMap(({ name, write }) =>
    all.map(({ name: secret, text, canaries }) => ({
      name: `${secret} in ${file}, ${name}`,
      files: { ...more, [file]: write(text) },
      canaries,
      commands,
    })),
  );
}

/** One site is enough: the output for the other has the same form. */
const fleetCreating: NamedCommandLines = [['fleet', 'create', '--jobs', '1', '--only', 'north-1']];

const config = { 'install-config.yaml': minimalInstallConfig };
const plan = '.sno-install-pending/plan.json';
const fleetCommands: NamedCommandLines = [
  ['fleet', 'validate'],
  ['fleet', 'status'],
  ['fleet', 'wait-for', 'node-ready', '--timeout', '0s'],
  ['fleet', 'apply', '--timeout', '1s'],
  ['fleet', 'create', '--store', 's3://sites', '--shard', '0/2'],
  ['fleet', 'collect', '--store', 's3://sites'],
  ['fleet', 'job', '--shards', '2', '--store', 's3://sites', '--image', 'sno-install'],
  ['fleet', 'pack', '--shards', '2', '--store', 's3://sites'],
  ['fleet', 'golden', '--out', 'DIR/golden'],
  ['fleet', 'diff', 'DIR', 'DIR/base'],
  ['fleet', 'certs', '--warn-before', '9000d'],
  ['fleet', 'why', 'north-1', '/root/.docker/config.json'],
  ['fleet', 'render', 'inputs', '--out', 'DIR/read'],
];
const instances = { 'site1.yaml': clusterInstance };
const importing: NamedCommandLines = [
  ['import', 'agent-config', 'DIR'],
  ['import', 'install-dir', 'DIR'],
];
const enriching: NamedCommandLines = [['enrich', '--asset-dir', 'DIR', '--input', 'DIR/master.ign']];
const showing: NamedCommandLines = [
  ['render', 'ignition', 'DIR/master.ign', '--out', 'DIR/tree'],
  ['certs', 'DIR/master.ign', '--warn-before', '9000d'],
  ['inspect', 'DIR/master.ign'],
  ['diff', 'DIR/other/master.ign', 'DIR/master.ign'],
];

const generated = [
  'manifests/cluster-network-02-config.yml',
  'manifests/cluster-proxy-01-config.yaml',
  'manifests/cluster-config.yaml',
];

const logins: NamedCommandLines = [
  ...['DIR', 'DIR/b/bootstrap/journals/bootkube.log'].map((path) => ['analyze', path]),
];

const bundles: readonly CommandInput[] = secretLines.flatMap(({ name, line, secret }) =>
  [
    {
      place: 'a journal',
      files: {
        'b/bootstrap/services/bootkube.json': failingRecord('stop-etcd', 'etcd does not stop'),
        'b/bootstrap/journals/bootkube.log': `Jan 02 03:04:05 sno1 bootkube.sh[1]: error: ${line}\n`,
      },
    },
    { place: 'a record', files: { 'b/bootstrap/services/bootkube.json': failingRecord('stop-etcd', line) } },
    {
      place: 'the name of a stage',
      files: { 'b/bootstrap/services/bootkube.json': failingRecord(line, 'it failed') },
    },
    { place: 'a broken record', files: { 'b/bootstrap/services/bootkube.json': `[{"${line}` } },
  ].map(({ place, files }) => ({ name: `${name} in ${place}`, files, canaries: [secret], commands: logins })),
);

/** Texts pasted as option values. */
const commandLines: readonly CommandInput[] = all.map(({ name, text, canaries }) => ({
  name: `${name} on the command line`,
  files: { ...config, secret: text },
  canaries,
  commands: [
    ['create', 'aio-ignition', '--offline-files', text],
    ['validate', '--target', 'aio-ignition', '--offline-files', text],
    ...['--name', '--base-domain', '--machine-network', '--installation-disk'].map((option) => [
      'create',
      'install-config',
      option,
      text,
    ]),
    ...['--hostname', '--node-ip', '--release-image', '--ntp-source'].map((option) => [
      'create',
      'sno-config',
      option,
      text,
    ]),
    ['create', 'install-config', '--pull-secret-file', 'DIR/secret'],
    ['create', 'install-config', '--ssh-key-file', 'DIR/secret'],
    ['render', 'ignition', text, '--out', 'DIR/tree'],
    ['diff', text, text],
    ['diff', 'DIR', '--against', text],
    ['golden', text, '--out', 'DIR/golden'],
    ['certs', text],
    ['inspect', text],
    ['why', text],
    ['verify', text],
    ['verify', 'DIR', '--allowed-signers', text, '--signer', text],
    ['verify', 'DIR', '--iso', text],
    ['fleet', 'create', '--store', text, '--shard', text],
    ['fleet', 'collect', '--store', text],
    ['fleet', 'job', '--shards', text, '--store', text, '--image', text, '--name', text, '--namespace', text],
    ['fleet', 'job', '--queue', text, '--service-account', text, '--fleet-id', text, '--only', text],
    ['fleet', 'pack', '--shards', text, '--store', text, '--index', text, '--recipient', text],
    ['fleet', 'collect', '--store', `s3://${text}/${text}`],
    ['create', 'aio-ignition', '--sign-key', text],
    ['certs', '--warn-before', text],
    ['fleet', 'certs', '--warn-before', text],
    ['fleet', 'why', text, text],
    ['fleet', 'boot', '--media', text],
    ['fleet', 'boot', '--media-url', text],
    ['fleet', 'boot', '--credentials-command', text],
    ['create', 'single-node-iso', '--iso', text],
    ['create', 'single-node-iso', '--iso', 'DIR/secret', '--live-karg', text],
    ['create', 'single-node-iso', '--iso', 'DIR/secret', '--dest-karg', text, '--console', text],
    ['create', 'single-node-iso', '--iso', 'DIR/secret', '--minimal', '--rootfs', text],
    ['create', 'single-node-pxe', '--rootfs', text, '--kernel', text],
    ['create', 'single-node-pxe', '--rootfs', 'http://192.0.2.1/rootfs.img', '--live-karg', text],
    ['gather', '--bootstrap', text],
    ['gather', '--bootstrap', '127.0.0.1:1', '--key', text],
    ['validate', '--state', text],
    ['validate', '--identity', text],
    ['validate', '--state-command', text],
    ['state', 'encrypt', '--recipient', text],
    ['state', 'encrypt', '--recipients-file', 'DIR/secret', '--passphrase-file', text],
    ['state', 'decrypt', '--state', 'DIR/encrypted.json', '--identity', 'DIR/secret'],
    ['state', 'rotate', '--new-passphrase-file', text],
    ['wait-for', 'node-ready', '--timeout', '0s', '--kubeconfig', text],
    ['analyze', text],
    ['enrich', '--asset-dir', text, '--input', text],
    ['create', 'install-config', '--pull-secret-file', text],
    ['create', 'install-config', '--ssh-key-file', text],
    ['gather', '--bootstrap', '127.0.0.1:1', '--timeout', text],
    ['wait-for', 'node-ready', '--timeout', text],
    ['apply', '--timeout', text],
    ['apply', '--wave', text],
    ['apply', '--kubeconfig', text],
    ['create', 'single-node-ignition-config', '--renew-before', text],
    ['explain', text],
    ['graph', text],
    ['completion', text],
    ['validate', '--target', text],
    ['graph', '--output', text],
    ['preflight', '--timeout', text],
    ['preflight', '--dns-server', text],
    ['images', '--target', 'aio-ignition', '--offline-files', text],
    [text],
    ['create', text],
    ['validate', `--pull-secret=${text}`],
  ],
}));

/** Inputs other than configs, by the kind of file that contains the secret, with the commands that read them. `state` is a valid state file. */
export function secretCommands(state: string): Readonly<Record<string, readonly CommandInput[]>> {
  const places = statePlaces(JSON.parse(state) as StateDocument);
  const named = [
    ['validate', '--state', 'DIR/other.json'],
    ['create', 'manifests', '--state', 'DIR/other.json'],
  ];
  const reading = [...creating, ...judging, ...gathering];
  return {
    'a state file': inputsAt('.sno-install-state.json', { places, commands: reading }, config),
    'a state file that is named': inputsAt('other.json', { places, commands: named }, config),
    'the plan of a run that died': inputsAt(plan, { places: planPlaces, commands: creating }, config),
    'a kubeconfig': inputsAt('auth/kubeconfig', {
      places: kubeconfigPlaces,
      commands: [...waiting, ['certs', 'DIR/auth/kubeconfig']],
    }),
    'the config of the master': inputsAt(
      'master.ign',
      { places: masterPlaces, commands: [...enriching, ...showing] },
      { 'other/master.ign': '{"ignition":{"version":"3.2.0"}}' },
    ),
    'a manifest of the live system': inputsAt(
      'openshift/50-a.yaml',
      { places: manifestPlaces, commands: [...enriching, ...creating.slice(0, 2), ...judging.slice(0, 1)] },
      { ...config, 'master.ign': JSON.stringify(masterConfig) },
    ),
    'an edited manifest': generated.flatMap((file) =>
      inputsAt(file, { places: manifestPlaces, commands: [...creating, ...judging.slice(0, 2)] }, config),
    ),
    'a receipt': inputsAt(
      'receipt.json',
      {
        places: receiptPlaces,
        commands: [
          ['verify', 'DIR'],
          ['verify', 'DIR', '--allowed-signers', 'DIR/receipt.json'],
          ['verify', 'DIR', '--iso', 'DIR/install-config.yaml'],
        ],
      },
      config,
    ),
    'a file of tokens': inputsAt(
      '.sno-install-serve.json',
      {
        places: tokenPlaces,
        commands: [
          ['serve', '--print-urls'],
          ['serve', '--iso', 'DIR/install-config.yaml'],
        ],
      },
      config,
    ),
    'a bundle': bundles,
    'a fleet': fleetPlaces.flatMap(({ file, ...place }) =>
      inputsAt(
        file,
        {
          places: [place],
          commands: fleetCommands,
        },
        fleetFiles,
      ),
    ),
    'a fleet that is made': fleetPlaces.flatMap(({ file, ...place }) =>
      inputsAt(file, { places: [place], commands: fleetCreating }, fleetFiles),
    ),
    'the boot of a fleet': bootPlaces.flatMap(({ file, ...place }) =>
      inputsAt(file, { places: [place], commands: booting }, bootFiles),
    ),
    'an import': [
      ...instancePlaces.flatMap(({ file, ...place }) =>
        inputsAt(file, { places: [place], commands: [['import', 'cluster-instance', 'DIR']] }, instances),
      ),
      ...agentPlaces.flatMap(({ file, ...place }) =>
        inputsAt(file, { places: [place], commands: importing }, agentFiles),
      ),
    ],
    'the command line': commandLines,
  };
}
