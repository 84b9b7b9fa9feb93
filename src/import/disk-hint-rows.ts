import type { FieldRow } from './field-rows.js';

const disk = 'install-config.yaml bootstrapInPlace.installationDisk';

/** Root device hints that identify one disk. Source: metal3-io/baremetal-operator RootDeviceHints */
export const namingHints: readonly FieldRow[] = [
  { field: 'rootDeviceHints.deviceName', to: disk },
  { field: 'rootDeviceHints.wwnWithExtension', to: `${disk}, as /dev/disk/by-id/wwn-…` },
  { field: 'rootDeviceHints.wwn', to: `${disk}, as /dev/disk/by-id/wwn-…` },
];

/** Root device hints that several disks can match. Source: metal3-io/baremetal-operator RootDeviceHints */
export const describingHints: readonly FieldRow[] = [
  'hctl',
  'model',
  'vendor',
  'serialNumber',
  'minSizeGigabytes',
  'wwnVendorExtension',
  'rotational',
].map((hint) => ({
  field: `rootDeviceHints.${hint}`,
  hint: 'this hint matches disks by property; if no other hint names the disk, set --installation-disk',
  isShown: true,
}));
