import { z } from 'zod';

import { optional, required } from './schema-parts.js';

/** `diskEncryption`. Source of the fields: coreos/butane config/fcos boot_device.luks */
export const diskEncryption = z.strictObject({
  tpm2: optional(z.boolean(), 'Whether the TPM 2.0 of the machine unlocks the disk.', { default: false }),
  tang: optional(
    z.array(
      z.strictObject({
        url: required(z.string(), 'URL of the server.', { examples: ['http://tang.example.com:7500'] }),
        thumbprint: required(
          z.string(),
          'Thumbprint of its signing key, as `tang-show-keys PORT` prints it on the server.',
          { examples: ['o6U9qKv0_XdugefJV3q_NknYTY4Xgw27kcUnErkrVCY'] },
        ),
      }),
    ),
    'Tang servers that unlock the disk. The node needs its network for that in the initramfs, before its own configuration is read.',
    {
      default: [],
      examples: [
        [
          {
            url: 'http://tang.example.com:7500',
            thumbprint: 'o6U9qKv0_XdugefJV3q_NknYTY4Xgw27kcUnErkrVCY',
          },
        ],
      ],
    },
  ),
  threshold: optional(
    z.int().min(1),
    'Number of these that are needed to unlock the disk: 1 means that any of them is enough.',
    { default: 1 },
  ),
});

/** `diskEncryption` with defaults. */
export interface DiskEncryption {
  readonly tpm2: boolean;
  readonly tang: readonly { readonly url: string; readonly thumbprint: string }[];
  readonly threshold: number;
}
