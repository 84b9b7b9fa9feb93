import type { Sign } from './signs.js';

/** Log lines of scripts of earlier releases, by fault ID. Media can boot long after they were written. */
export const earlierSigns: Readonly<Record<string, readonly Sign[]>> = {
  // 0.1.0
  'aio-missing-program': [
    {
      script: 'aiokube.sh',
      says: 'the machine lacks *',
      because: ': name it in aio.files of sno-config.yaml',
    },
  ],
  'aio-clock-before-authorities': [{ script: 'sno-renew.sh', says: 'the clock says *, before *, when *' }],
  'clock-before-certificates': [
    { script: 'sno-checks.sh', says: 'the clock says *, before *, when the certificates begin' },
  ],
  'clock-after-certificates': [
    { script: 'sno-checks.sh', says: 'the clock says *, but the certificates ended *' },
  ],
  'disk-holds-this-cluster': [
    {
      script: 'sno-preflight-disk.sh',
      says: 'the installation disk * holds an installation of this very cluster',
    },
  ],
  'disk-unmarked': [{ script: 'install-to-disk.sh', says: 'the disk * does not take the id of the cluster' }],
  'disk-cannot-be-marked': [{ script: 'install-to-disk.sh', says: 'a DASD has no id of its own' }],
  'release-payload-incomplete': [
    { script: 'release-image.sh', says: 'the release payload does not say its version' },
  ],
  'control-plane-files-missing': [
    { script: 'bootkube-control-plane.sh', says: '* holds no static pod of etcd' },
  ],
  'snapshot-unusable': [
    { script: 'sno-etcd.sh', says: 'the compressed snapshot of etcd does not give back the snapshot' },
  ],
  'mcs-unfinished': [
    {
      script: 'sno-master-ignition.sh',
      says: 'the machine-config server gives no usable config for the master: *',
      because: 'the answer holds no files or no units',
    },
  ],
  'log-bundle-left-behind': [
    {
      script: 'bootstrap-in-place.sh',
      says: 'gathering the logs of the bootstrap failed; the disk gets none',
    },
    {
      script: 'bootstrap-in-place.sh',
      says: 'the logs of the bootstrap take more than * MiB; the disk gets none',
    },
  ],
  'foreign-certificate-request': [
    { script: 'sno-csr.sh', says: "certificate request * is not this kubelet's, it is left alone: *" },
  ],
};
