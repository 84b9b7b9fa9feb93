import { rfc3339 } from '../core/rfc3339.js';
import { incompleteNotes, type Bundle } from './bundle.js';
import { type JournalLine, linesBetween, ownLines } from './journal.js';
import { type FoundFault, faultsIn, notesIn } from './recognise.js';
import { type Scope, scopesOf } from './scope.js';
import { type Phase, servicesOf } from './stages.js';
import { type Trouble, failureOf, runningStageOf } from './trouble.js';

/** The result of the analysis of a log bundle. */
export interface Analysis {
  /**
   * `failed`: a stage failed. `blocked`: a known fault keeps a stage that is still running from completing. `will-fail`: no stage has failed,
   * but the checks of the machine found a fault that will stop one. `complete`: this phase of the installation is done.
   */
  readonly verdict: 'complete' | 'in-progress' | 'will-fail' | 'blocked' | 'failed';
  readonly phase: Phase;
  /** The installer whose scripts made the bundle. */
  readonly createdBy: 'sno-install' | 'openshift-install';
  /** The failed stage, or the running one. */
  readonly at?: Trouble;
  /** Other failed services, possibly as a consequence. */
  readonly others: readonly Trouble[];
  readonly faults: readonly FoundFault[];
  readonly notes: readonly FoundFault[];
  /** Failed units according to systemd, without those above. */
  readonly failedUnits: readonly string[];
  /** Files of the bundle to read next, most useful first. */
  readonly readNext: readonly string[];
  readonly bundleNotes: readonly string[];
}

/** Finds the failed stage, the reason, and the likely cause. */
export function analyzeBundle(bundle: Bundle): Analysis {
  const { now, before } = scopesOf(bundle);
  const failures = troublesOf(now);
  const isComplete = failures.length === 0 && isDone(now);
  const found = failures[0] ?? (isComplete ? undefined : heldUp(now));
  const ofStage = found === undefined ? [] : faultsOf(found, now);
  const allNotes = notesOf(now, before).filter(({ fault }) => !isComplete || fault.isLasting === true);
  const causes = failures.length > 0 ? possibleCauses(ofStage, allNotes) : [];
  const faults = [...causes, ...ofStage];
  const foreseen = isComplete ? [] : foreseenFaults(now).filter((each) => !knows(faults, each));
  const reported = [found, ...failures].map((each) => `${each?.service ?? ''}.service`);
  return {
    verdict: verdictOf({
      hasFailed: failures.length > 0,
      isBlocked: faults.length > 0,
      isComplete,
      isForeseen: foreseen.length > 0,
    }),
    phase: now.phase,
    createdBy: isOurs(bundle) ? 'sno-install' : 'openshift-install',
    ...(found && { at: found }),
    others: failures.slice(1),
    faults: [...faults, ...foreseen],
    notes: allNotes.filter((note) => !causes.includes(note)),
    failedUnits: now.failedUnits.filter((unit) => !reported.includes(unit)),
    readNext: readNext(bundle, now, { trouble: found, faults: [...faults, ...foreseen] }),
    bundleNotes: [...incompleteNotes(bundle), ...bundle.bundleNotes, ...now.bundleNotes],
  };
}

interface Findings {
  readonly hasFailed: boolean;
  readonly isBlocked: boolean;
  readonly isComplete: boolean;
  readonly isForeseen: boolean;
}

function verdictOf({ hasFailed, isBlocked, isComplete, isForeseen }: Findings): Analysis['verdict'] {
  if (hasFailed) return 'failed';
  if (isBlocked) return 'blocked';
  if (isComplete) return 'complete';
  return isForeseen ? 'will-fail' : 'in-progress';
}

/** Notes that explain a failure for which no specific fault is known. */
function possibleCauses(faults: readonly FoundFault[], notes: readonly FoundFault[]): readonly FoundFault[] {
  const isExplained = faults.some(({ fault }) => fault.isGeneral === undefined);
  return isExplained ? [] : notes.filter(({ fault }) => fault.mayBeCause === true);
}

/** Services that only accompany others. Stages of bootkube pull the images that sno-fetch-images does not. */
const companions = ['approve-csr', 'progress', 'sno-fetch-images'];

/** Stages that wait for another service, which is then the relevant one. */
const waitsForAnother = [
  'wait-for-cluster',
  'wait-for-bootkube',
  'wait-for-release-image',
  'wait-for-node-image',
];

/** Units without a record whose failure stops the installation. */
const neededUnits =
  /^(crio|containerd|kubelet|machine-config-daemon-\w+|node-valid-hostname|nodeip-configuration|ovs-configuration|sno-[\w-]+|bootkube|release-image|install-to-disk|node-image-[\w-]+)\.service$/;

/** Failures in the order of the boot flow. A service without a record counts if systemd or its journal reports a failure. */
function troublesOf(scope: Scope): readonly Trouble[] {
  const recorded = scope.services.flatMap((view) => failureOf(view) ?? []);
  const main = recorded.filter(({ service }) => !companions.includes(service));
  if (main.length > 0) return [...main, ...recorded.filter(({ service }) => companions.includes(service))];
  const silent = [...servicesOf(scope.phase).map(({ service }) => service), ...unitsWithoutRecord(scope)]
    .filter((service) => !scope.services.some((view) => view.service === service))
    .map((service) => silentFailure(service, scope))
    .filter(
      (trouble) =>
        scope.failedUnits.includes(`${trouble.service}.service`) ||
        faultsOf(trouble, scope).some(({ fault }) => fault.isGeneral === undefined),
    );
  return [...new Map([...silent, ...recorded].map((trouble) => [trouble.service, trouble])).values()];
}

function unitsWithoutRecord({ failedUnits }: Scope): readonly string[] {
  return failedUnits.filter((unit) => neededUnits.test(unit)).map((unit) => unit.replace(/\.service$/, ''));
}

function silentFailure(service: string, { journalOf }: Scope): Trouble {
  const lines = ownLines(journalOf(service).slice(-50));
  const since = lines.at(-1)?.time;
  return { service, kind: 'failed', failures: 1, lines, ...(since !== undefined && { since }) };
}

/** The current stage: one blocked by a known fault, otherwise the first that is running. */
function heldUp(scope: Scope): Trouble | undefined {
  const running = scope.services.flatMap((view) => runningStageOf(view) ?? []);
  const busy = running.filter(
    ({ service, stage = '' }) => !companions.includes(service) && !waitsForAnother.includes(stage),
  );
  return busy.find((trouble) => faultsOf(trouble, scope).length > 0) ?? busy[0] ?? running[0];
}

function faultsOf(trouble: Trouble, { journalOf }: Scope): readonly FoundFault[] {
  const { service, stage, lines, kind, lastAt } = trouble;
  const isRunning = kind === 'running';
  const recentOf = (unit: string): readonly JournalLine[] => recentLines(journalOf(unit), lastAt);
  const own = faultsIn({
    service,
    lines,
    journalOf,
    recentOf,
    isRunning,
    ...(stage !== undefined && { stage }),
  });
  if (isRunning || !waitsForPods.test(stage ?? '')) return own;
  const ofPods = ['kubelet', 'crio']
    .flatMap((unit) => faultsIn({ service: unit, lines: recentOf(unit), journalOf, isRunning }))
    .filter((each) => !knows(own, each));
  return ofPods.length === 0
    ? own
    : [...ofPods.slice(0, 1), ...own.filter(({ fault }) => fault.isGeneral === undefined)];
}

/** Stages that wait for pods: their pulls, memory and disks fail in the journals of the kubelet and the container runtime. */
const waitsForPods =
  /^(wait-for-machine|wait-for-etcd|cb-bootstrap|fetch-master-ignition|api|bootstrap-complete|node-ready|restart-kubelet-for-(?:network|api)|cluster-available|operators-own-control-plane)$/;

/** The kubelet tries again after five minutes at the latest, so older failures are over. Source: Kubernetes pkg/kubelet, MaxContainerBackOff */
const recentMinutes = 10;

function recentLines(lines: readonly JournalLine[], until: string | undefined): readonly JournalLine[] {
  if (until === undefined) return lines;
  return linesBetween(lines, rfc3339(new Date(Date.parse(until) - recentMinutes * 60_000)), until);
}

/** Findings of the early checks, until the same checks before writing the disk find nothing. */
function foreseenFaults(scope: Scope): readonly FoundFault[] {
  const runs = scope.services.find(({ service }) => service === 'install-to-disk')?.state.runs ?? [];
  if (runs.some(({ stage, outcome }) => stage === 'preflight' && outcome === 'success')) return [];
  const look = scope.services.find(({ service }) => service === 'sno-preflight');
  const last = look?.state.runs.findLast(({ stage }) => stage === 'machine');
  if (look === undefined || last === undefined) return [];
  const start = look.journal.findLastIndex(({ text }) => text === 'stage machine');
  const lines = look.journal.slice(Math.max(0, start));
  return faultsOf({ service: look.service, stage: last.stage, kind: 'failed', failures: 0, lines }, scope);
}

function knows(faults: readonly FoundFault[], other: FoundFault): boolean {
  return faults.some(({ fault }) => fault.id === other.fault.id);
}

/** Names missing from DNS in the live system matter only when the cluster waits for its routes. */
function notesOf(now: Scope, before: Scope | undefined): readonly FoundFault[] {
  const units = (scope: Scope): readonly string[] => servicesOf(scope.phase).map(({ service }) => service);
  const here = notesIn(units(now), now.journalOf);
  const earlier = before === undefined ? [] : notesIn(units(before), before.journalOf);
  return [...here, ...earlier.filter(({ fault }) => fault.id === 'dns-names' || fault.isLasting === true)];
}

/** The last stage of a phase, and its marker. */
const ends = {
  live: { service: 'install-to-disk', stage: 'reboot', marker: '.install-to-disk' },
  node: { service: 'bootkube', stage: 'cluster-complete', marker: 'cluster-complete' },
  aio: { service: 'aiokube', stage: 'clean-up', marker: '.aiokube' },
} as const satisfies Readonly<Record<Phase, object>>;

function isDone({ phase, services, hasMarker }: Scope): boolean {
  // Its record exists until the post-install manifests are applied.
  if (services.some((view) => view.service === 'sno-post-install')) return false;
  const { service, stage, marker } = ends[phase];
  const runs = services.find((view) => view.service === service)?.state.runs ?? [];
  return hasMarker(marker) || runs.some((run) => run.stage === stage && run.outcome === 'success');
}

function isOurs({ files }: Bundle): boolean {
  return files.some(({ path }) =>
    /(^|\/)(rendered-assets\/openshift\/sno-install\.env|bootstrap\/(services|journals)\/sno-[\w-]+\.(json|log))$/.test(
      path,
    ),
  );
}

/** Files with details on a stage, as path patterns; the first match is used. */
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

/** Existing, non-empty files of the bundle with details, most useful first. */
function readNext(
  bundle: Bundle,
  scope: Scope,
  { trouble, faults }: { readonly trouble: Trouble | undefined; readonly faults: readonly FoundFault[] },
): readonly string[] {
  const there = bundle.files.filter(({ sizeBytes }) => sizeBytes > 0).map(({ path }) => path);
  const patterns = byStage
    .filter(({ stage }) => stage.test(trouble?.stage ?? ''))
    .flatMap(({ paths }) => paths);
  const wanted = [
    ...(trouble === undefined ? [] : [scope.journalPathOf(trouble.service)]),
    ...faults
      .flatMap(({ fault }) => namedFiles(fault.fix))
      .map((name) => there.find((path) => path.endsWith(name))),
    ...patterns.map((pattern) => there.find((path) => pattern.test(path))),
    ...['failed-units.txt', 'gather.log', 'bootstrap/journals/journal.log.gz'],
  ];
  const paths = wanted.filter((path) => path !== undefined).filter((path) => there.includes(path));
  return [...new Set(paths)];
}

/** Files of the bundle that an advice names. The folder differs between the live system and the node. */
function namedFiles(fix: string): readonly string[] {
  return [...fix.matchAll(/\b(?:bootstrap|control-plane\/master)(\/[\w./-]*\w)/g)].map(
    ([, name = '']) => name,
  );
}
