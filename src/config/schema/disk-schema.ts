import { z } from 'zod';

import { optional } from './schema-parts.js';

/**
 * `rootDeviceHints`. Source of the fields: metal3-io/baremetal-operator apis/metal3.io/v1alpha1 RootDeviceHints. The comparison is that of
 * openstack/ironic-python-agent device_hints.py, except for the unit of minSizeGigabytes, which is that of openshift/assisted-service
 * internal/host/hostutil: 10^9 bytes, not 2^30.
 */
export const rootDeviceHints = z.strictObject({
  deviceName: optional(
    z.string(),
    'Path of the disk below `/dev`: a kernel name or a link, such as one in `/dev/disk/by-path/`.',
  ),
  hctl: optional(z.string(), 'SCSI address: host, channel, target and LUN.', { examples: ['0:2:0:0'] }),
  model: optional(z.string(), 'Part of the model.', { examples: ['PERC H755'] }),
  vendor: optional(z.string(), 'Part of the vendor.', { examples: ['DELL'] }),
  serialNumber: optional(z.string(), 'Serial number, as `lsblk --output SERIAL` prints it.', {
    examples: ['S6ESNX0R100123'],
  }),
  minSizeGigabytes: optional(z.int().min(1), 'Least size in units of 10^9 bytes, as printed on the disk.', {
    examples: [480],
  }),
  wwn: optional(z.string(), 'World Wide Name, with or without the extension of the vendor.', {
    examples: ['0x5000c500a1b2c3d4'],
  }),
  wwnWithExtension: optional(
    z.string(),
    'World Wide Name with the extension, as `lsblk --output WWN` prints it.',
    {
      examples: ['0x600508b1001c5e6fabcdef0123456789'],
    },
  ),
  wwnVendorExtension: optional(z.string(), 'Only the extension: the last 16 digits of a name with 32.', {
    examples: ['0xabcdef0123456789'],
  }),
  rotational: optional(z.boolean(), 'Whether the kernel reports a rotating disk: false for an SSD.', {
    examples: [false],
  }),
});

/** `coreosInstaller`. Source of the options: coreos/coreos-installer docs/cmd/install.md */
export const coreosInstaller = z.strictObject({
  savePartitionLabels: optional(
    z.array(z.string().meta({ description: 'A glob pattern, such as `data*`.' })),
    'Partitions that the installation keeps, by GPT label: `--save-partlabel`.',
    { default: [], examples: [['data*']] },
  ),
  savePartitionIndexes: optional(
    z.array(z.string().meta({ description: 'A number or a range: `5`, `5-7` or `5-`.' })),
    'Partitions that the installation keeps, by number: `--save-partindex`.',
    { default: [], examples: [['5-']] },
  ),
  appendKernelArguments: optional(
    z.array(z.string().meta({ description: 'One argument, such as `console=ttyS0`.' })),
    'Kernel arguments that the installed system has from its first boot: `--append-karg`. The machine config operator does not know them; those of `kernelArguments` it applies at the first boot and manages.',
    { default: [], examples: [['console=ttyS0,115200n8']] },
  ),
  deleteKernelArguments: optional(
    z.array(z.string().meta({ description: 'One argument as it is on the command line of the kernel.' })),
    'Default kernel arguments that the installed system does not get: `--delete-karg`.',
    { default: [], examples: [['console=tty0']] },
  ),
});

export type RootDeviceHints = z.output<typeof rootDeviceHints>;

/** `coreosInstaller` with defaults. */
export type CoreosInstaller = Readonly<Record<keyof z.output<typeof coreosInstaller>, readonly string[]>>;
