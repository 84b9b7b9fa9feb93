// Checks the order of the modules (scripts/modules.mjs, docs/architecture.md): imports point to lower layers, each package has one importer, no cycles.
import { layers, pureModules } from './scripts/modules.mjs';

const within = (name) => (name === 'cli' ? '^src/cli(\\.ts|/)' : `^src/${name}/`);
const names = layers.map((layer) => layer.map(({ module }) => module));

/** A module imports from itself and from lower layers. */
const upward = names
  .flatMap((layer, index) =>
    layer.map((name) => ({
      name: `${name}-imports-down-only`,
      severity: 'error',
      from: { path: within(name) },
      to: {
        path: [...layer.filter((other) => other !== name), ...names.slice(index + 1).flat()].map(within),
      },
    })),
  )
  .filter(({ to }) => to.path.length > 0);

const soleImporters = {
  'age-encryption': '^src/formats/age\\.ts$',
  yaml: '^src/formats/yaml/(yaml|yaml-compose|write-yaml)\\.ts$',
  zod: '^src/((config/schema|ignition)/.*schema.*|formats/fit-schema)\\.ts$',
  ajv: '^src/formats/json-schema\\.ts$',
  'hash-wasm': '^src/formats/keys/bcrypt\\.ts$',
  'node-liblzma': '^src/formats/xz\\.ts$',
  diff: '^src/review/diff/line-changes\\.ts$',
  aws4fetch: '^src/remote/object-store/store-request\\.ts$',
  tinypool: '^src/fleet/threads/workers\\.ts$',
  'modern-tar': '^src/formats/(tar|tar/tar-archive)\\.ts$',
  fastify:
    '^src/serve/(server|site-answer|page/page-routes|metrics/metrics-route|reports/report-route|answers/(send-file|connections))\\.ts$',
  'range-parser': '^src/serve/answers/range-response\\.ts$',
  fresh: '^src/serve/answers/range-response\\.ts$',
  commander: '^src/cli(\\.ts|/)',
  '@kubernetes/client-node':
    '^src/remote/kubernetes/(bounded-http|client-package|kubernetes-client|kubeconfig-access)\\.ts$',
};

/** Files and packages that only some modules may import. */
const soleUsers = {
  'only-targets-and-commands-know-assets': {
    who: '^src/(assets/|run/target-assets\\.ts$|fleet/upgrade/resolve-target\\.ts$|cli(\\.ts|/))',
    of: '^src/assets/',
  },
  'only-effects-make-keys': { who: '^src/run/effects/', of: '^src/formats/keys/(rsa|ec)-key\\.ts$' },
  // Many readers share one descriptor of the image that is served, and none waits for the disk.
  'only-disk-touches-the-file-system': {
    who: '^src/(disk/|serve/media/shared-image\\.ts$)',
    of: '^(node:)?fs(/|$)',
  },
  'only-these-start-programs': {
    who: '^src/(remote/ssh/ssh|run/effects/run-program|disk/git/git-revision)\\.ts$',
    of: '^(node:)?child_process(/|$)',
  },
  'only-edges-reach-the-network': {
    // The lock uses local sockets.
    who: '^src/(remote/|disk/lock/lock-claim\\.ts$)',
    of: '^(node:)?(net|dns|dgram)(/|$)',
  },
  // Time limits, bounded bodies, proxies and trust apply to every request.
  'only-remote-http-sends-requests': {
    // serve checks a certificate and key with TLS.
    who: '^src/(remote/http/|cli/serve/serve-tls\\.ts$)',
    of: '^(node:)?(http|http2|https|tls)(/|$)',
  },
  // Outputs depend only on inputs: the modules that make them reach no live cluster.
  'outputs-depend-on-no-cluster': {
    who: '^src/(remote|fleet|cli)(\\.ts|/)',
    of: '^src/remote/kubernetes/',
  },
};

export default {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'other-modules-import-the-faces-of-fleet',
      comment: 'The index.ts of each part of src/fleet lists what commands use.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/fleet/' },
      to: { path: '^src/fleet/', pathNot: '^src/fleet/([^/]+/index|threads/(thread-task|tasks))\\.ts$' },
    },
    {
      name: 'every-file-belongs-to-a-module',
      severity: 'error',
      from: {},
      to: { path: '^src/', pathNot: names.flat().map(within) },
    },
    ...upward,
    ...Object.entries(soleImporters).map(([name, importer]) => ({
      name: `only-one-imports-${name}`,
      severity: 'error',
      from: { pathNot: importer },
      to: { path: `^node_modules/(@types/)?${name}/` },
    })),
    {
      name: 'pure-modules-reach-nothing',
      severity: 'error',
      from: { path: pureModules.map(within) },
      to: { path: '^(node:)?(fs|os|child_process|net|http|https|process|worker_threads)(/|$)' },
    },
    ...Object.entries(soleUsers).map(([name, { who, of }]) => ({
      name,
      severity: 'error',
      from: { pathNot: who },
      to: { path: of },
    })),
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
