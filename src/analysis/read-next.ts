import type { Bundle } from './bundle.js';
import type { Scope } from './scope.js';
import type { Trouble } from './trouble.js';

/** What tells more about a stage than its journal, by patterns of paths; the first that fits is used. */
const byStage: readonly { readonly stage: RegExp; readonly paths: readonly RegExp[] }[] = [
  {
    stage: /^(machine|preflight|coreos-installer|mark-disk|node-identity)$/,
    paths: [/block-devices\.txt$/, /network\/ip-addr\.txt$/, /network\/resolv\.conf$/],
  },
  { stage: /^clock$/, paths: [/(^|\/)time\.txt$/] },
  { stage: /image/, paths: [/network\/ip-route\.txt$/, /network\/resolv\.conf$/, /file-systems\.txt$/] },
  {
    stage: /^(wait-for-etcd|etcd-|stop-etcd|api$)/,
    paths: [/containers\/etcd-[^/]*\.log$/, /journals\/kubelet\.log$/, /containers\/containers\.txt$/],
  },
  {
    stage: /^(fetch-master-ignition|mco-)/,
    paths: [/containers\/machine-config-(server|controller)-[^/]*\.log$/, /containers\/containers\.txt$/],
  },
  {
    stage: /^(cb-bootstrap|bootstrap-complete|release-|restore-)/,
    paths: [
      /containers\/kube-apiserver-[^/]*\.log$/,
      /containers\/etcd-[^/]*\.log$/,
      /resources\/events\.json$/,
    ],
  },
  {
    stage: /^(node-registered|node-ready|serving-certificate)$/,
    paths: [/journals\/kubelet\.log$/, /resources\/csr\.json$/, /resources\/nodes\.json$/],
  },
  {
    stage: /^(certificates|restarts|kubelet|outcome)$/,
    paths: [/bootstrap\/certificates\.txt$/, /(^|\/)renewals\.log$/, /(^|\/)time\.txt$/],
  },
  {
    stage: /^(restart-kubelet|cluster-available|operators-own)/,
    paths: [/resources\/clusteroperators\.json$/, /resources\/pods\.txt$/],
  },
];

/** Files of the bundle that tell more, the most telling first; only such as are there and hold something. */
export function readNext(bundle: Bundle, scope: Scope, trouble: Trouble | undefined): readonly string[] {
  const there = bundle.files.filter(({ sizeBytes }) => sizeBytes > 0).map(({ path }) => path);
  const patterns = byStage
    .filter(({ stage }) => stage.test(trouble?.stage ?? ''))
    .flatMap(({ paths }) => paths);
  const wanted = [
    ...(trouble === undefined ? [] : [scope.journalPathOf(trouble.service)]),
    ...patterns.map((pattern) => there.find((path) => pattern.test(path))),
    ...['failed-units.txt', 'gather.log', 'bootstrap/journals/journal.log.gz'],
  ];
  const paths = wanted.filter((path) => path !== undefined).filter((path) => there.includes(path));
  return [...new Set(paths)];
}
