/**
 * The modules of src/, lowest layer first. A file imports only from its own module and from lower layers; modules of one layer do not
 * import each other. dependency-cruiser checks this, and docs/architecture.md contains the diagram.
 */
export const layers = [
  [{ module: 'core', holds: 'problems and their catalog, results, redaction' }],
  [
    { module: 'formats', holds: 'YAML, JSON, certificates, keys, tar, cpio, xz: one file per format' },
    {
      module: 'release',
      holds: 'one row per OpenShift and Kubernetes release: flags, capabilities, API kinds',
    },
  ],
  [
    { module: 'graph', holds: 'the asset graph and its engine' },
    { module: 'ignition', holds: 'Ignition configs: types, checks, size' },
  ],
  [
    { module: 'kube', holds: 'Kubernetes objects as typed builders' },
    { module: 'analysis', holds: 'log bundles: stages and the table of faults' },
  ],
  [{ module: 'config', holds: 'schema, defaults, reading, rules and network of the two configs' }],
  [
    { module: 'pki', holds: 'certificate catalog, issuing, custom authority' },
    { module: 'manifests', holds: "edits and checks of manifests, the installed node's Ignition config" },
    { module: 'media', holds: 'live ISO, initrd, PXE' },
  ],
  [
    {
      module: 'control-plane',
      holds: 'control loops, etcd, kube-apiserver, kube-controller-manager, kube-scheduler',
    },
  ],
  [
    { module: 'node', holds: 'files and units of the live system and of the all-in-one node' },
    { module: 'review', holds: 'exploded trees, diff, why, inspect, certificate lists' },
  ],
  [
    { module: 'assets', holds: 'asset declarations: the nodes of the graph' },
    {
      module: 'disk',
      holds: 'the file system: atomic commit, lock, state file, receipts, images, Git revisions',
    },
  ],
  [
    { module: 'run', holds: 'one run of a target: state, clock, generated values, outputs' },
    { module: 'remote', holds: 'clients: Kubernetes API, SSH, Redfish, S3; preflight queries' },
  ],
  [
    { module: 'import', holds: 'conversion of agent-config, ClusterInstance and openshift-install folders' },
    { module: 'payload', holds: 'payloads: files with all images of a release, and their sources' },
    { module: 'serve', holds: 'HTTPS server for boot images of sites, status page, node reports' },
  ],
  [
    {
      module: 'fleet',
      holds: 'tables of sites, and the operations on them: build, review, boot, rollout, store',
    },
  ],
  [{ module: 'cli', holds: 'arguments, help, console output, exit codes: one file per command' }],
];

/** Modules whose results depend only on their arguments. */
export const pureModules = layers
  .flat()
  .map(({ module }) => module)
  .filter((name) => !['disk', 'run', 'remote', 'import', 'serve', 'fleet', 'cli'].includes(name));
