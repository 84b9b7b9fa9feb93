// Holds the layers of docs/decisions/0001-layers.md: imports go down only, each package has one importer, no cycles.
const layers = [
  ['L0', '^src/core/'],
  ['L1', '^src/formats/'],
  ['L2', '^src/release/'],
  ['L3', '^src/graph/'],
  ['L4', '^src/(ignition|kube)/'],
  ['L5', '^src/(assets/|support-bundle/[^/]+\\.ts$)'],
  ['L6', '^src/(cluster/|disk/|(draws|effects|kept-draws|rehearsal)\\.ts)'],
  ['L7', '^src/((boot-window|making|run|targets|unchanged)\\.ts|support-bundle/node/)'],
  ['L8', '^src/cli(\\.ts|/)'],
];

const upward = layers
  .map(([name, from], index) => ({
    name: `${name}-imports-down-only`,
    severity: 'error',
    from: { path: from },
    to: { path: layers.slice(index + 1).map(([, path]) => path) },
  }))
  .filter((rule) => rule.to.path.length > 0);

const soleImporters = {
  yaml: '^src/formats/yaml\\.ts$',
  zod: '^src/(assets/config/.*schema.*|formats/schema)\\.ts$',
  ajv: '^src/formats/json-schema\\.ts$',
  bcrypt: '^src/formats/bcrypt\\.ts$',
  'lzma-native': '^src/formats/xz\\.ts$',
  'modern-tar': '^src/formats/tar\\.ts$',
  commander: '^src/cli(\\.ts|/)',
  '@kubernetes/client-node': '^src/cluster/kubernetes-client\\.ts$',
};

module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    ...upward,
    ...Object.entries(soleImporters).map(([name, importer]) => ({
      name: `only-one-imports-${name}`,
      severity: 'error',
      from: { pathNot: importer },
      to: { path: `^node_modules/(@types/)?${name}/` },
    })),
    {
      name: 'assets-are-pure',
      severity: 'error',
      from: { path: '^src/((core|formats|release|graph|ignition|kube|assets)/|support-bundle/[^/]+\\.ts$)' },
      to: { path: '^(node:)?(fs|os|child_process|net|http|https|process|worker_threads)(/|$)' },
    },
    {
      name: 'only-disk-touches-the-file-system',
      severity: 'error',
      from: { pathNot: '^src/disk/' },
      to: { path: '^(node:)?fs(/|$)' },
    },
    {
      name: 'only-ssh-starts-programs',
      severity: 'error',
      from: { pathNot: '^src/support-bundle/node/ssh\\.ts$' },
      to: { path: '^(node:)?child_process(/|$)' },
    },
    {
      name: 'only-cluster-reaches-the-network',
      severity: 'error',
      // The lock asks sockets of the directory, which lead nowhere else.
      from: { pathNot: '^src/(cluster/|disk/lock-claim\\.ts$)' },
      to: { path: '^(node:)?(net|http|http2|https|tls|dns|dgram)(/|$)' },
    },
    {
      // What a run makes hangs on its inputs alone: a live cluster is asked by commands that make nothing.
      name: 'only-commands-reach-clusters',
      severity: 'error',
      from: { pathNot: '^src/(cluster|cli)/' },
      to: { path: '^src/cluster/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
};
