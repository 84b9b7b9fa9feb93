import { quoted } from '../../../core/quoted.js';
import type { RootDeviceHints } from '../../schema/disk-schema.js';
import type { Finding } from '../../schema/rule.js';
import { deviceNameFault, devicePathFault, persistentNameHint } from '../device-path.js';
import { hintForms } from './hint-forms.js';
import { kernelArgumentFault } from './kernel-argument.js';
import { partitionIndexFault, partitionLabelFault } from './saved-partition.js';
import type { SnoRule, SnoSubject } from './sno-subject.js';

/** Rules on the installation disk and on its partitions that are kept. */
export const diskRules: readonly SnoRule[] = [
  {
    number: 151,
    fields: ['rootDeviceHints'],
    text: 'rootDeviceHints has at least one hint. A text is not empty and has no control characters; hctl has the form 0:0:0:0; a World Wide Name has no blanks.',
    origin: 'sno-install',
    check: hintValues,
  },
  {
    number: 152,
    fields: ['rootDeviceHints.deviceName'],
    text: 'deviceName is the path of one whole disk below /dev, as in rule 42. If it is the only hint that can tell one disk from another, it is a persistent name, as in rule 43 (a warning).',
    origin: 'sno-install',
    check: deviceName,
  },
  {
    number: 159,
    fields: ['payload.keep'],
    text: 'The payload stays on the disk: keep is not false.',
    origin: 'sno-install',
    check: payloadIsKept,
  },
  {
    number: 153,
    fields: ['coreosInstaller.savePartitionLabels[]'],
    text: 'A label pattern is a glob of letters, digits, blanks and . _ : + # @ - with *, ? and [ ]. It matches no partition of the operating system.',
    origin: 'sno-install',
    check: savedPartitions('savePartitionLabels', partitionLabelFault),
  },
  {
    number: 154,
    fields: ['coreosInstaller.savePartitionIndexes[]'],
    text: 'A partition index is a number or a range such as 5-7 or 5-, from 5 on: partitions 1 to 4 belong to the operating system.',
    origin: 'sno-install',
    check: savedPartitions('savePartitionIndexes', partitionIndexFault),
  },
  {
    number: 155,
    fields: ['coreosInstaller.appendKernelArguments[]', 'coreosInstaller.deleteKernelArguments[]'],
    text: 'A kernel argument is one word, as in rule 75.',
    origin: 'sno-install',
    check: kernelArguments,
  },
  {
    number: 156,
    fields: ['rootDeviceHints'],
    text: 'A hint is written as lsblk prints the values of disks: a World Wide Name with 0x, eui., uuid. or nvme., hctl without leading zeros, model and vendor without *; minSizeGigabytes is at most 250000 (a warning).',
    origin: 'sno-install',
    check: hintForms,
  },
];

const code = 'config/root-device-hints';

function hintValues({ input: { rootDeviceHints: hints } }: SnoSubject): readonly Finding[] {
  if (hints === undefined) return [];
  if (Object.keys(hints).length === 0)
    return [
      {
        code,
        path: ['rootDeviceHints'],
        target: 'key',
        message: 'rootDeviceHints has no hint, so every disk would match',
        hint: 'add a hint, for example serialNumber',
      },
    ];
  return Object.entries(hints).flatMap(([name, value]) => {
    const fault = typeof value === 'string' ? textFault(name, value) : undefined;
    return fault === undefined ? [] : [{ code, path: ['rootDeviceHints', name], ...fault }];
  });
}

function textFault(name: string, text: string): Pick<Finding, 'message' | 'hint'> | undefined {
  if (text.trim() === '') return { message: `${name} is empty`, hint: 'remove it, or write its value' };
  if (/[\u0000-\u001f\u007f]/.test(text)) return { message: `${name} contains a control character` };
  if (name === 'hctl' && !/^\d+:\d+:\d+:\d+$/.test(text.trim()))
    return {
      message: `hctl ${quoted(text)} is not a SCSI address`,
      hint: 'write host, channel, target and LUN, such as 0:2:0:0',
    };
  return name.startsWith('wwn') && /\s/.test(text.trim())
    ? { message: `${name} ${quoted(text)} contains a space` }
    : undefined;
}

/** Hints that two disks of a machine do not share. */
const identifyingHints: readonly (keyof RootDeviceHints)[] = [
  'hctl',
  'serialNumber',
  'wwn',
  'wwnWithExtension',
  'wwnVendorExtension',
];

function deviceName({ input: { rootDeviceHints: hints = {} } }: SnoSubject): readonly Finding[] {
  const { deviceName: disk } = hints;
  if (disk === undefined || disk.trim() === '') return [];
  const path = ['rootDeviceHints', 'deviceName'];
  const fault = devicePathFault('deviceName', disk);
  if (fault !== undefined) return [{ code: 'config/installation-disk', path, ...fault }];
  const message = deviceNameFault(disk);
  return message === undefined || identifyingHints.some((hint) => hints[hint] !== undefined)
    ? []
    : [{ code: 'config/installation-disk-name', path, message, hint: persistentNameHint }];
}

function savedPartitions(
  field: 'savePartitionLabels' | 'savePartitionIndexes',
  faultOf: (text: string) => Pick<Finding, 'message' | 'hint'> | undefined,
): (subject: SnoSubject) => readonly Finding[] {
  return ({ config }) =>
    config.coreosInstaller[field].flatMap((text, index) => {
      const fault = faultOf(text);
      return fault === undefined
        ? []
        : [{ code: 'config/saved-partition' as const, path: ['coreosInstaller', field, index], ...fault }];
    });
}

function kernelArguments({ config }: SnoSubject): readonly Finding[] {
  return (['appendKernelArguments', 'deleteKernelArguments'] as const).flatMap((field) =>
    config.coreosInstaller[field].flatMap((argument, index) => {
      const fault = kernelArgumentFault(argument);
      const path = ['coreosInstaller', field, index];
      return fault === undefined ? [] : [{ code: 'config/kernel-argument' as const, path, ...fault }];
    }),
  );
}

/**
 * Why it is not removed: the node may pull an image of the release again at any time (the kubelet removes unused images when the disk is
 * full, CRI-O all of them when its version changes, and some are pulled only on demand), the mirror sets forbid other sources, and an
 * InternalReleaseImage of the running release cannot be deleted.
 * Sources: kubernetes pkg/kubelet/images, cri-o cmd/crio/wipe.go, machine-config-operator internalreleaseimage-deletion-guard
 */
function payloadIsKept({ config }: SnoSubject): readonly Finding[] {
  if (config.payload?.keep !== false) return [];
  return [
    {
      code: 'config/payload-keep',
      path: ['payload', 'keep'],
      message:
        'payload.keep is false, but the cluster pulls from the payload after the installation too, and has no other source for its images',
      hint: 'remove keep; a larger disk has space for the payload',
    },
  ];
}
