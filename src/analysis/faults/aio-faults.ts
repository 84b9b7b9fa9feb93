import type { Fault } from './fault.js';

const aiokube = 'aiokube.sh';
const renew = 'sno-renew.sh';

/** Faults of an all-in-one node. */
export const aioFaults: readonly Fault[] = [
  {
    id: 'aio-missing-program',
    title: 'a required program is missing on the machine',
    service: 'aiokube',
    stages: ['machine'],
    signs: [
      {
        script: aiokube,
        says: 'missing on this machine: *',
        because: ': add to aio.files of sno-config.yaml',
      },
    ],
    cause:
      'The operating system does not match aio.operatingSystem, or an archive in aio.files does not contain the program.',
    fix: 'Boot the operating system set in aio.operatingSystem, or add the program to aio.files; recreate aio.ign and install again.',
  },
  {
    id: 'aio-api-absent',
    title: 'the API server does not answer',
    service: 'aiokube',
    stages: ['api'],
    signs: [{ script: aiokube, waitsFor: 'the API server on localhost' }],
    cause: 'Images cannot be pulled, or etcd or kube-apiserver does not start.',
    fix: 'Read bootstrap/journals/kubelet.log for failed pulls, then the logs of etcd and kube-apiserver in bootstrap/containers.',
    isGeneral: true,
  },
  {
    id: 'aio-image-not-pulled',
    title: 'an image cannot be pulled',
    service: 'aiokube',
    stages: ['api', 'node-ready'],
    signs: [
      {
        program: 'kubelet',
        says: /(ErrImagePull|ImagePullBackOff|failed to pull( and unpack)? image|failed to get sandbox image)/,
        source: 'k8s.io/kubernetes pkg/kubelet/images/types.go; containerd internal/cri/server, PullImage',
        unit: 'kubelet',
      },
    ],
    cause:
      'The registry is unreachable, requires a login, or does not have the tag, and no proxy or mirror is configured.',
    fix: 'See the line for the image and the reason; set proxy, pull secret or controlPlane.images in the configs, or load the image with `ctr --namespace k8s.io images import`.',
  },
  {
    id: 'aio-node-not-registered',
    title: 'the kubelet does not register its node',
    service: 'aiokube',
    stages: ['node-registered'],
    signs: [{ script: aiokube, waitsFor: 'the kubelet to register the node *' }],
    cause: 'Its certificate request does not match this node, or the kubelet is not running.',
    fix: 'Read bootstrap/journals/kubelet.log, and bootstrap/journals/aiokube.log for requests that were not approved.',
    isGeneral: true,
  },
  {
    id: 'aio-node-not-ready',
    title: 'the node does not become Ready',
    service: 'aiokube',
    stages: ['node-ready'],
    signs: [{ script: aiokube, waitsFor: 'the node * to be Ready' }],
    cause: 'The container runtime or the CNI plugins do not start.',
    fix: 'Read the conditions in resources/nodes.json, then bootstrap/journals/kubelet.log and that of containerd or crio.',
    isGeneral: true,
  },
  {
    id: 'aio-clock-before-authorities',
    title: 'the clock is earlier than the start of the CA certificates',
    service: 'sno-renew',
    stages: ['clock'],
    signs: [{ script: renew, says: 'the clock is at *, but * is not valid before *' }],
    cause: "The machine's clock was reset, and no NTP server is reachable.",
    fix: 'Set the clock, or set ntpSources to reachable servers; the next run renews the certificates that are due.',
  },
  {
    id: 'aio-not-renewed',
    title: 'certificates were not renewed',
    service: 'sno-renew',
    stages: ['outcome'],
    signs: [{ script: renew, says: 'not renewed: *' }],
    cause: 'The disk is full, or a CA file is missing or damaged.',
    fix: 'Read bootstrap/journals/sno-renew.log for the reason and bootstrap/file-systems.txt for free space; then `systemctl start sno-renew.service`.',
    isGeneral: true,
  },
];
