import { base64TextUrl } from '../formats/data-url.js';
import { specVersion } from './build.js';
import type { IgnitionConfig } from './types.js';

/** A config that takes all else from another one, at a server whose certificate the CA has signed. */
export function pointerConfig(source: string, caPem: string): IgnitionConfig {
  return {
    ignition: {
      config: { merge: [{ source }] },
      security: { tls: { certificateAuthorities: [{ source: base64TextUrl(caPem) }] } },
      version: specVersion,
    },
  };
}
