import type { StageName } from '../stages.js';
import type { Fault } from './fault.js';

const find = 'sno-payload-find.sh';
const disk = 'sno-payload-disk.sh';
const registry = 'sno-payload-registry.sh';

/** Stages that look for the payload. */
const looks: readonly StageName[] = ['find-payload', 'find-payload-again', 'copy-payload'];
const copies: readonly StageName[] = ['copy-payload'];

/** Faults of a site that installs from a payload. */
export const sitePayloadFaults: readonly Fault[] = [
  {
    id: 'payload-missing',
    title: 'the payload is on no disk of the machine',
    stages: looks,
    signs: [{ script: find, says: 'the payload * (* bytes) is on no disk of this machine' }],
    cause: 'The medium with the payload is not attached, is not detected, or was removed.',
    fix: 'Attach the ISO with the payload, or a disk that `sno-install payload write` wrote. The lines after the message list every place with its contents. No restart is needed.',
  },
  {
    id: 'payload-other',
    title: 'the machine has the payload of another release',
    stages: looks,
    signs: [{ script: find, says: 'the payload * is on no disk of this machine, but another one is on *' }],
    cause:
      'The config names another payload than the medium contains: it was created again, or belongs to another release.',
    fix: 'Compare `sno-install inspect FILE.payload` with `payload.file` in sno-config.yaml, and attach the payload of the config.',
  },
  {
    id: 'payload-damaged',
    title: 'the payload is damaged',
    stages: looks,
    signs: [
      {
        script: find,
        says: 'the payload * on * is damaged: write it to the medium again, or attach another medium with it',
      },
      { script: disk, says: 'the payload on * has another SHA-256 than *' },
    ],
    cause: 'The copy to the medium was incomplete, or the medium returns wrong data.',
    fix: 'Check the file with `sno-install verify FILE.payload`, write it to the medium again, and attach it. No restart is needed.',
  },
  {
    id: 'payload-registry-image',
    title: 'the registry image of the payload cannot be loaded',
    stages: ['load-registry'],
    signs: [{ script: 'sno-payload.sh', says: 'podman cannot load */images/registry: *' }],
    cause: 'The line ends with the reason of podman: the payload is damaged, or the memory is full.',
    fix: 'Set `payload.verify: Full` in sno-config.yaml to check the whole payload, or run `sno-install verify FILE.payload`.',
  },
  {
    id: 'payload-registry-silent',
    title: 'the registry of the payload did not start',
    stages: 'any',
    signs: [
      {
        unit: 'sno-payload-registry',
        script: registry,
        waitsFor: 'the registry of the payload to answer on port 22625',
      },
    ],
    cause: 'The container of the registry ended, or another program has port 22625.',
    fix: 'Read bootstrap/journals/sno-payload-registry.log, and on the machine `ss --listening --processes sport = :22625`.',
    isNormalAtFirst: true,
  },
  {
    id: 'payload-medium-removed',
    title: 'the medium with the payload was removed',
    stages: 'any',
    signs: [
      {
        unit: 'sno-payload-registry',
        script: registry,
        says: 'the medium with the payload, *, was removed or cannot be read',
        isRecent: true,
      },
    ],
    cause: 'The stick was pulled out, the BMC ended its virtual media, or the medium returns errors.',
    fix: 'Attach the medium again until the node has rebooted from its disk. No restart is needed.',
  },
  {
    id: 'payload-copy-failed',
    title: 'the payload cannot be copied to the installation disk',
    stages: copies,
    signs: [{ script: disk, says: 'the payload cannot be copied to the disk *: *' }],
    cause: 'The line ends with the reason: the medium was removed, or medium or disk return errors.',
    fix: 'Attach the medium again, or replace the disk. The copy is tried again.',
  },
  {
    id: 'payload-copy-damaged',
    title: 'the installation disk returns other data than were written',
    stages: copies,
    signs: [{ script: disk, says: 'the copy of the payload on * has another SHA-256 than *' }],
    cause: 'The payload that was read had the right hash, so the disk or its controller is faulty.',
    fix: 'Replace the disk.',
  },
  {
    id: 'payload-no-space',
    title: 'no space for the payload beside the partitions that are kept',
    stages: copies,
    signs: [
      {
        script: disk,
        says: 'the installation disk * has no space for the payload between the system and the partitions that are kept; it needs * MB',
      },
    ],
    cause:
      'coreosInstaller keeps partitions that leave no free block of the size of the payload behind the system.',
    fix: 'Make the partitions smaller or remove one, or use a larger disk.',
  },
  {
    id: 'payload-on-dasd',
    title: 'a DASD cannot keep a payload',
    stages: copies,
    signs: [
      {
        script: disk,
        says: 'the installation disk * is a DASD, which cannot keep the partition of a payload',
      },
    ],
    cause: 'coreos-installer keeps partitions only on disks with a GPT.',
    fix: 'Use an FCP disk, or a mirror registry instead of the payload.',
  },
  {
    id: 'payload-on-installation-disk',
    title: 'the payload is on the disk that would be overwritten',
    stages: copies,
    signs: [
      {
        script: disk,
        says: 'the payload is on the installation disk *, but damaged or not in a partition *',
      },
    ],
    cause: 'The installation disk begins with the payload, or its partition sno-payload is damaged.',
    fix: 'Put the payload on another medium, or into a partition with the GPT label sno-payload (`sno-install payload write`).',
  },
  {
    id: 'payload-partition-unseen',
    title: 'the kernel does not show the new partition of the payload',
    stages: copies,
    signs: [{ script: disk, says: 'the disk * does not show its new partition *' }],
    cause: 'A program has the disk open, so the kernel did not read its new partition table.',
    fix: 'Boot the live medium again.',
  },
  {
    id: 'payload-partition-missing',
    title: 'the disk of the installed node has no payload',
    stages: 'any',
    signs: [
      {
        unit: 'sno-payload-mount',
        script: 'sno-payload-mount.sh',
        says: 'the disk of this system has no partition *: the registry of the payload cannot start',
      },
    ],
    cause: 'The partition sno-payload was deleted, so the node has no source for its images.',
    fix: 'Install the node again, or write the payload to a new partition with the GPT label sno-payload on the same disk.',
  },
];
