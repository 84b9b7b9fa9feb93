import type { FieldRow } from './field-rows.js';
import { diskHints } from './resources/root-device.js';

/** Root device hints. Source: metal3-io/baremetal-operator RootDeviceHints */
export const diskHintRows: readonly FieldRow[] = diskHints.map((hint) => ({
  field: `rootDeviceHints.${hint}`,
  to:
    hint === 'deviceName'
      ? 'sno-config.yaml rootDeviceHints; as the only hint install-config.yaml bootstrapInPlace.installationDisk'
      : 'sno-config.yaml rootDeviceHints',
}));
