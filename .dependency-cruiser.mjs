// Holds the order of rooms (scripts/rooms.mjs, docs/architecture.md): imports go down only, each package has one importer, no cycles.
import { floors } from './scripts/rooms.mjs';

const within = ({ path }) => `^src/${path}`;

/** A room may import from itself and from every floor below. */
const upward = floors
  .flatMap((floor, index) =>
    floor.map((each) => ({
      name: `${each.room}-imports-down-only`,
      severity: 'error',
      from: { path: within(each) },
      to: {
        path: [...floor.filter((other) => other !== each), ...floors.slice(index + 1).flat()].map(within),
      },
    })),
  )
  .filter(({ to }) => to.path.length > 0);

const soleImporters = {
  'age-encryption': '^src/formats/age\\.ts$',
  yaml: '^src/formats/yaml/(yaml|yaml-compose|write-yaml)\\.ts$',
  zod: '^src/((fields|ignition)/.*schema.*|formats/fit-schema)\\.ts$',
  ajv: '^src/formats/json-schema\\.ts$',
  'hash-wasm': '^src/formats/keys/bcrypt\\.ts$',
  'node-liblzma': '^src/formats/xz\\.ts$',
  diff: '^src/review/diff/line-changes\\.ts$',
  aws4fetch: '^src/object-store/store-request\\.ts$',
  tinypool: '^src/threads/workers\\.ts$',
  'modern-tar': '^src/formats/(tar|tar/tar-archive)\\.ts$',
  fastify:
    '^src/serving/(server|site-answer|page/page-routes|reports/report-route|answers/(send-file|connections))\\.ts$',
  'range-parser': '^src/serving/answers/answer\\.ts$',
  fresh: '^src/serving/answers/answer\\.ts$',
  commander: '^src/(cli(\\.ts|/)|command-line/|fleet-commands/|completion/)',
  '@kubernetes/client-node': '^src/cluster/(client-package|kubernetes-client|kubeconfig-access)\\.ts$',
};

/** What may be imported by some alone. */
const soleUsers = {
  'only-targets-and-commands-know-assets': {
    who: '^src/(assets/|target-assets\\.ts$|cli(\\.ts|/))',
    of: '^src/assets/',
  },
  'only-effects-make-keys': { who: '^src/effects/', of: '^src/formats/keys/(rsa|ec)-key\\.ts$' },
  // Many readers share one descriptor of the image that is served, and none waits for the disk.
  'only-disk-touches-the-file-system': {
    who: '^src/(disk/|serving/media/shared-image\\.ts$)',
    of: '^(node:)?fs(/|$)',
  },
  'only-these-start-programs': {
    who: '^src/(ssh/ssh|effects/state-command|disk/git/git-revision)\\.ts$',
    of: '^(node:)?child_process(/|$)',
  },
  'only-edges-reach-the-network': {
    // The lock asks sockets of the directory, which lead nowhere else; serve asks TLS whether a certificate can be shown.
    who: '^src/(cluster/|asking/|redfish/|object-store/|disk/lock/lock-claim\\.ts$|fleet-commands/serve/serve-tls\\.ts$)',
    of: '^(node:)?(net|http|http2|https|tls|dns|dgram)(/|$)',
  },
  // What a run makes hangs on its inputs alone: a live cluster is asked by commands that make nothing.
  'only-commands-reach-clusters': {
    who: '^src/(cluster/|cli/|command-line/wait/|fleet-commands/(wait/|store/make-job\\.ts$))',
    of: '^src/cluster/',
  },
};

/** Rooms whose results hang on what they are given alone. */
const pureFloors = floors.slice(
  0,
  floors.findIndex((floor) => floor.some(({ room }) => room === 'disk')),
);

export default {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'every-file-has-a-place-in-the-order',
      severity: 'error',
      from: {},
      to: { path: '^src/', pathNot: floors.flat().map(within) },
    },
    ...upward,
    ...Object.entries(soleImporters).map(([name, importer]) => ({
      name: `only-one-imports-${name}`,
      severity: 'error',
      from: { pathNot: importer },
      to: { path: `^node_modules/(@types/)?${name}/` },
    })),
    {
      name: 'rooms-below-disk-are-pure',
      severity: 'error',
      from: { path: pureFloors.flat().map(within) },
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
