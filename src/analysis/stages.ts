/** The live system, booted from the ISO; the node after its first boot from the disk; an all-in-one node. */
export type Phase = 'live' | 'node' | 'aio';

interface FlowService {
  readonly phase: Phase;
  /** Name of the unit, its record and its journal. */
  readonly service: string;
  /**
   * The scripts with its stages, relative to `templates/live`, or to `templates/aio` for that phase; a test compares this table with
   * them.
   */
  readonly scripts: readonly string[];
  readonly stages: readonly string[];
  /** Stages whose failure does not stop the service. */
  readonly optionalStages?: readonly string[];
}

const bin = 'usr/local/bin';
const payload = `../payload/${bin}`;
const bip = 'opt/openshift/bootstrap-in-place';

/** Every service with a record and its stages, in the order in which they run. */
export const flow = [
  {
    phase: 'live',
    service: 'sno-preflight',
    scripts: [`${bin}/sno-preflight.sh`],
    stages: ['clock', 'machine'],
  },
  // Both only with a payload.
  {
    phase: 'live',
    service: 'sno-payload',
    scripts: [`${payload}/sno-payload.sh`],
    stages: ['find-payload', 'load-registry'],
  },
  {
    phase: 'live',
    service: 'sno-payload-registry',
    scripts: [`${payload}/sno-payload-registry.sh`],
    stages: ['find-payload-again'],
  },
  {
    phase: 'live',
    service: 'release-image',
    scripts: [`${bin}/release-image-download.sh`],
    stages: ['pull-release-image', 'image-metadata-arches-match'],
  },
  {
    phase: 'live',
    service: 'node-image-pull',
    scripts: [`${bin}/node-image-pull.sh`],
    stages: ['wait-for-release-image', 'node-image-pull'],
  },
  {
    phase: 'live',
    service: 'node-image-overlay',
    scripts: [`${bin}/node-image-overlay.sh`],
    stages: [
      'wait-for-node-image',
      'node-image-modules',
      'node-image-usr',
      'node-image-etc',
      'node-image-policy',
    ],
  },
  // Only without a payload.
  {
    phase: 'live',
    service: 'sno-fetch-images',
    scripts: [`${bin}/sno-fetch-images.sh`],
    stages: ['wait-for-release-image', 'fetch-images'],
  },
  {
    phase: 'live',
    service: 'crio-configure',
    scripts: [`${bin}/crio-configure.sh`],
    stages: ['configure-crio'],
  },
  { phase: 'live', service: 'kubelet', scripts: [`${bin}/kubelet.sh`], stages: [] },
  {
    phase: 'live',
    service: 'bootkube',
    scripts: [`${bin}/bootkube.sh`, `${bin}/bootstrap-in-place.sh`],
    stages: [
      'wait-for-machine',
      'openshift-manifests',
      'api-bootstrap',
      'auth-api-bootstrap',
      'config-bootstrap',
      'cvo-bootstrap',
      'etcd-bootstrap',
      'kube-apiserver-bootstrap',
      'kube-controller-manager-bootstrap',
      'kube-scheduler-bootstrap',
      'ingress-operator-bootstrap',
      'node-tuning-bootstrap',
      'cmdbootline-nto-bootstrap',
      'mco-bootstrap',
      'cco-bootstrap',
      'resolve-api-url',
      'resolve-api-int-url',
      'wait-for-etcd',
      'cb-bootstrap',
      'etcd-snapshot',
      'stop-etcd',
      'fetch-master-ignition',
      'gather-bootstrap-logs',
      'master-ignition',
    ],
    optionalStages: ['cmdbootline-nto-bootstrap', 'resolve-api-url', 'resolve-api-int-url'],
  },
  {
    phase: 'live',
    service: 'install-to-disk',
    scripts: [`${bin}/install-to-disk.sh`],
    stages: ['wait-for-bootkube', 'preflight', 'copy-payload', 'coreos-installer', 'mark-disk', 'reboot'],
  },
  { phase: 'live', service: 'approve-csr', scripts: [`${bin}/approve-csr.sh`], stages: ['approve-csr'] },
  { phase: 'live', service: 'progress', scripts: [`${bin}/report-progress.sh`], stages: ['report-progress'] },
  {
    phase: 'node',
    service: 'sno-etcd-restore',
    scripts: [`${bip}/sno-etcd-restore.sh`],
    stages: ['etcd-restore'],
  },
  {
    phase: 'node',
    service: 'bootkube',
    scripts: [`${bip}/bootstrap-in-place-post-reboot.sh`],
    stages: [
      'node-identity',
      'api',
      'bootstrap-complete',
      'release-cvo-lease',
      'release-cpc-lease',
      'restore-cvo-overrides',
      'node-ready',
      'restart-kubelet-for-network',
      'restart-kubelet-for-api',
      'cluster-available',
      'serving-certificate',
      'operators-own-control-plane',
      'cluster-complete',
    ],
  },
  {
    phase: 'node',
    service: 'sno-post-install',
    scripts: [`../post-install/${bin}/sno-post-install.sh`],
    stages: ['wait-for-cluster', 'read-status', 'apply-objects'],
  },
  { phase: 'aio', service: 'sno-unpack', scripts: [`${bin}/sno-unpack.sh`], stages: [] },
  {
    phase: 'aio',
    service: 'sno-renew',
    scripts: [`${bin}/sno-renew.sh`],
    stages: ['clock', 'certificates', 'restarts', 'kubelet', 'kubelet-serving', 'outcome'],
  },
  {
    phase: 'aio',
    service: 'aiokube',
    scripts: [`${bin}/aiokube.sh`],
    stages: [
      'machine',
      'api',
      'objects',
      'node-registered',
      'node-ready',
      'serving-certificate',
      'node-roles',
      'node-schedulable',
      'cluster-dns',
      'bootstrapper-shut-out',
      'node-finished',
      'clean-up',
    ],
    optionalStages: ['cluster-dns'],
  },
] as const satisfies readonly FlowService[];

/** A stage by its name in the record. */
export type StageName = (typeof flow)[number]['stages'][number];

export type FlowServiceName = (typeof flow)[number]['service'];

/** Services of a phase, in the order in which they run. */
export function servicesOf(phase: Phase): readonly FlowService[] {
  return flow.filter((each) => each.phase === phase);
}

/** Stages of openshift-install's own bootkube that may fail. Source: openshift/installer bootstrap-verify-api-server-urls.sh */
const optionalUpstream: readonly string[] = ['check-api-url', 'check-api-int-url'];

/** Whether the installation continues if this stage fails. */
export function isOptionalStage(stage: string): boolean {
  const services: readonly FlowService[] = flow;
  const isOurs = services.some(({ optionalStages = [] }) => optionalStages.includes(stage));
  return isOurs || optionalUpstream.includes(stage);
}
