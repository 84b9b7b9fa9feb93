import { base64TextUrl } from '../formats/data-url.js';
import { specVersion } from './build-config.js';
import type { IgnitionConfig } from './types.js';

/** A config that merges another one from a server; `caPem` is the server's CA. */
export function pointerConfig(source: string, caPem: string): IgnitionConfig {
  return {
    ignition: {
      config: { merge: [{ source }] },
      security: { tls: { certificateAuthorities: [{ source: base64TextUrl(caPem) }] } },
      version: specVersion,
    },
  };
}
