import type { DiskEncryption } from '../../../config/schema/disk-encryption-schema.js';
import type { IgnitionStorage } from '../../../ignition/types.js';
import { diskEncryptionName } from '../../../manifests/checks/check-root-device.js';
import { machineConfigManifest } from '../../../manifests/machine-config-files.js';
import { installConfig } from '../../config/install-config.js';
import { snoConfig } from '../../config/sno-config.js';
import { defineManifests } from '../family.js';

/** The encrypted root file system, as Butane writes `boot_device.luks`. Source: coreos/butane config/fcos and config/openshift */
export const diskEncryptionConfig = defineManifests({
  name: 'manifests/disk-encryption',
  needs: { install: installConfig, sno: snoConfig },
  make: ({ install: { fips }, sno: { diskEncryption, kernelArguments } }) => {
    if (diskEncryption === undefined) return [];
    const needsNetwork = diskEncryption.tang.length > 0 && !kernelArguments.includes(networkArgument);
    return [
      machineConfigManifest('master', diskEncryptionName, {
        storage: encryptedRoot(diskEncryption, fips),
        ...(needsNetwork && { kernelArguments: [networkArgument] }),
      }),
    ];
  },
});

/** Starts the network in the initramfs. Source: dracut.cmdline(7) */
const networkArgument = 'rd.neednet=1';

function encryptedRoot({ tpm2, tang, threshold }: DiskEncryption, fips: boolean): IgnitionStorage {
  return {
    luks: [
      {
        name: 'root',
        label: 'luks-root',
        device: '/dev/disk/by-partlabel/root',
        clevis: {
          ...(tpm2 && { tpm2 }),
          ...(tang.length > 0 && { tang }),
          ...(threshold > 1 && { threshold }),
        },
        // FIPS 140-2 does not allow XTS, the default of cryptsetup. Source: coreos/butane config/openshift, fipsCipherArgument
        ...(fips && { options: ['--cipher', 'aes-cbc-essiv:sha256'] }),
        wipeVolume: true,
      },
    ],
    filesystems: [{ device: '/dev/mapper/root', format: 'xfs', label: 'root', wipeFilesystem: true }],
  };
}
