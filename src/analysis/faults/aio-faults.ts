import type { Fault } from './fault.js';

const aiokube = 'aiokube.sh';
const renew = 'sno-renew.sh';

/** Faults of an all-in-one node. */
export const aioFaults: readonly Fault[] = [
  {
    id: 'aio-missing-program',
    title: 'the machine lacks a program of a node',
    service: 'aiokube',
    stages: ['machine'],
    signs: [
      { script: aiokube, says: 'the machine lacks *', because: ': name it in aio.files of sno-config.yaml' },
    ],
    cause:
      'The operating system is another than aio.operatingSystem says, or an archive of aio.files has not what it was named for.',
    fix: 'Boot the operating system that the config was made for, or name the program in aio.files; make aio.ign again and install again.',
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
      'The registry is out of reach, asks for a login or has no such tag; without a proxy or a mirror nothing else is asked.',
    fix: 'Read the line for the image and the reason; give proxy, pull secret or controlPlane.images in the configs, or load the image with `ctr --namespace k8s.io images import`.',
  },
  {
    id: 'aio-node-not-registered',
    title: 'the kubelet does not register its node',
    service: 'aiokube',
    stages: ['node-registered'],
    signs: [{ script: aiokube, waitsFor: 'the kubelet to register the node *' }],
    cause: 'Its certificate request is not as this node would write it, or the kubelet does not run.',
    fix: 'Read bootstrap/journals/kubelet.log, and bootstrap/journals/aiokube.log for requests that were left alone.',
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
    title: 'the clock is before the beginning of the authorities',
    service: 'sno-renew',
    stages: ['clock'],
    signs: [{ script: renew, says: 'the clock says *, before *, when *' }],
    cause: 'The clock of the machine lost its time, and no NTP server is reached.',
    fix: 'Set the clock, or name servers that the machine reaches with ntpSources; the next run renews what is due.',
  },
  {
    id: 'aio-not-renewed',
    title: 'certificates were not renewed',
    service: 'sno-renew',
    stages: ['outcome'],
    signs: [{ script: renew, says: 'not renewed: *' }],
    cause: 'The disk is full, or a file of an authority is missing or damaged.',
    fix: 'Read bootstrap/journals/sno-renew.log for the reason and bootstrap/file-systems.txt for the room; then `systemctl start sno-renew.service`.',
    isGeneral: true,
  },
];
