import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

import { innerManifestText, manifestText } from '../../src/config/reading/payload-manifest.js';
import type { PayloadManifest } from '../../src/config/schema/payload-schema.js';
import { manifestTrailer } from '../../src/media/payload/payload-file.js';

/** A file that looks like a payload, without a program: the head of a squashfs, then random bytes. */
export interface MadePayload {
  readonly bytes: Buffer;
  /** Text of its manifest file. */
  readonly manifest: string;
  /** Settings of the node for this payload, as in a live config. */
  readonly settings: string;
}

/** `seed` determines the contents. */
export function madePayload(seed = 1, fileSystemBytes = 64 * 1024): MadePayload {
  const fileSystem = Buffer.alloc(fileSystemBytes, `payload ${seed} `);
  fileSystem.write('hsqs');
  fileSystem.writeUInt16LE(4, 28);
  fileSystem.writeBigUInt64LE(BigInt(fileSystemBytes), 40);
  const hash = createHash('sha256').update(fileSystem).digest('hex');
  const whole = {
    ...(JSON.parse(
      readFileSync('fixtures/configs/payload/4.22.0-x86_64.payload.json', 'utf8'),
    ) as PayloadManifest),
    fileSystem: { bytes: fileSystemBytes, sha256: hash },
  };
  const text = manifestText(whole);
  const inner = createHash('sha256').update(innerManifestText(whole)).digest('hex');
  return {
    bytes: Buffer.concat([fileSystem, manifestTrailer(text)]),
    manifest: text,
    settings: `SNO_PAYLOAD_NAME='made.payload'\nSNO_PAYLOAD_SHA256='${hash}'\nSNO_PAYLOAD_MANIFEST_SHA256='${inner}'\n`,
  };
}
