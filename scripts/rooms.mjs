// The rooms of src/ from the ground up: a file imports from its own room and from those below. What stands on one line
// stands side by side and knows nothing of its neighbours. dependency-cruiser holds this, docs/architecture.md draws it.
export const floors = [
  [{ room: 'core', path: 'core/', holds: 'problems, results, what is secret' }],
  [{ room: 'formats', path: 'formats/', holds: 'YAML, certificates, keys, tar, xz: one file a format' }],
  [
    { room: 'release', path: 'release/', holds: 'one row a release; flags, hashes, capability sets' },
    { room: 'graph', path: 'graph/', holds: 'assets, their engine, what impure they are given' },
  ],
  [{ room: 'ignition', path: 'ignition/', holds: 'Ignition configs: types, checks, size' }],
  [
    { room: 'kube', path: 'kube/', holds: 'Kubernetes objects as typed data' },
    { room: 'fields', path: 'fields/', holds: 'what people may write: every field and its type' },
  ],
  [
    { room: 'network', path: 'network/', holds: "a node's network as files of NetworkManager" },
    { room: 'reports', path: 'reports/', holds: 'what a node tells of its installation, and where' },
  ],
  [{ room: 'config', path: 'config/', holds: 'reading, defaults and rules of the two configs' }],
  [{ room: 'pki', path: 'pki/', holds: 'every certificate: who, for what, how long' }],
  [{ room: 'loops', path: 'loops/', holds: 'the engine of control loops: store, pipeline, revisions' }],
  [{ room: 'control-plane', path: 'control-plane/', holds: 'the four components, each in two dialects' }],
  [{ room: 'enrich', path: 'enrich/', holds: "the installed node's config" }],
  [{ room: 'manifests', path: 'manifests/', holds: "the user's edits and additions, and their checks" }],
  [{ room: 'node', path: 'node/', holds: 'files and units of the live system and of the all-in-one node' }],
  [
    { room: 'assets', path: 'assets/', holds: 'declarations: what needs what, and which function makes it' },
    { room: 'media', path: 'media/', holds: 'live images: where a config goes in them' },
    { room: 'review', path: 'review/', holds: 'configs as trees that people read, without a secret' },
    { room: 'preflight', path: 'preflight/', holds: 'what the network must have, and what its answers mean' },
    { room: 'analysis', path: 'analysis/', holds: 'what a log bundle says, and the table of faults' },
  ],
  [
    {
      room: 'disk',
      path: 'disk/(?!site-record/|receipt/|own/)',
      holds: "the user's directory: reading, locking, all-or-nothing writing",
    },
    {
      room: 'own-files',
      path: 'disk/own/',
      holds: "the program's own constant files, in its package or in the single file",
    },
  ],
  [
    {
      room: 'fleet-disk',
      path: 'disk/site-record/',
      holds: 'what a fleet keeps on the disk: how each site was made',
    },
    {
      room: 'receipt-files',
      path: 'disk/receipt/',
      holds: 'what a receipt names, compared with what lies there',
    },
  ],
  [
    { room: 'threads', path: 'threads/', holds: 'many like things done on all cores, in their order' },
    { room: 'effects', path: 'effects/', holds: 'the clock, keys, ids: the only chance there is' },
    { room: 'asking', path: 'asking/', holds: 'name servers, registries and time servers, asked' },
    { room: 'cluster', path: 'cluster/', holds: 'a running cluster' },
    { room: 'redfish', path: 'redfish/', holds: 'a BMC: its power, virtual media and boot source' },
  ],
  [{ room: 'object-store', path: 'object-store/', holds: 'objects of an S3-compatible store' }],
  [{ room: 'ssh', path: 'ssh/', holds: 'a node at the end of a connection' }],
  [
    {
      room: 'run',
      path: '(begin|boot-window|lacking-draws|making|planned-outputs|receipted|rehearsed-outputs|run|state-to-write|target|targets|target-assets|unchanged|unread-state)\\.ts',
      holds: 'from a target to files',
    },
  ],
  [
    { room: 'sources', path: 'sources/', holds: 'what commands read: configs, media, sites, Git revisions' },
    { room: 'bootable', path: 'bootable/', holds: 'media that commands write' },
    { room: 'completion', path: 'completion/', holds: 'the command line as scripts of four shells' },
  ],
  [{ room: 'serving', path: 'serving/', holds: 'a server that gives each machine its medium' }],
  [{ room: 'telling', path: 'telling/', holds: 'problems and findings as texts, for people and programs' }],
  [
    {
      room: 'traced',
      path: 'fleet/(?:(?:traced|merge-patch|secret-places|variables)\\.ts|cluster-instances/)',
      holds: 'values that know where they were written; resources of ZTP',
    },
  ],
  [{ room: 'imports', path: 'imports/', holds: 'files of other installers, as ours' }],
  [
    {
      room: 'fleet',
      path: 'fleet/(?!(?:traced|merge-patch|secret-places|variables)\\.ts|cluster-instances/|making/|keys/)',
      holds: 'many sites of one base: table, variables, overrides',
    },
    {
      room: 'command-line',
      path: 'command-line/',
      holds: 'what commands share: options, requests, printing, exit codes',
    },
  ],
  [
    {
      room: 'fleet-making',
      path: 'fleet/(?:making|keys)/',
      holds: 'sites made in threads, keys given to each, what is known of those made before',
    },
  ],
  [
    {
      room: 'fleet-review',
      path: 'fleet-review/',
      holds: 'many sites as one tree, and what a change does to them',
    },
    {
      room: 'fleet-store',
      path: 'fleet-store/',
      holds: 'sites in a store, and the Job that makes them there',
    },
  ],
  [
    {
      room: 'fleet-command-line',
      path: 'fleet-command-line/',
      holds: 'what commands of many sites share: options, requests, telling',
    },
  ],
  [{ room: 'fleet-commands', path: 'fleet-commands/', holds: 'the commands of many sites' }],
  [{ room: 'cli', path: 'cli(\\.ts|/)', holds: 'argv, printing, exit codes: one file a command' }],
];
