import { removeFile } from '../../disk/file-systems/rename-over.js';
import { baseImagePath, sharesBlocksIn } from '../../disk/image/base-image.js';
import { sharedState } from '../threads/once-in-threads.js';
import type { IsoPayload } from './iso-payloads.js';
import type { LiveIsoOptions } from './site-options.js';

/** Files in the output folder that the ISOs with a payload are copied from, where copies share blocks. */
export interface IsoBases {
  readonly iso: LiveIsoOptions | undefined;
  readonly remove: () => void;
}

/** The files are written by the threads. */
export function isoBases(dir: string, iso: LiveIsoOptions | undefined): IsoBases {
  const payloads = iso === undefined || iso.payloads === false ? new Map<string, IsoPayload>() : iso.payloads;
  if (iso === undefined || payloads.size === 0 || !sharesBlocksIn(dir))
    return { iso, remove: () => undefined };
  const files = [...new Set(payloads.values())];
  const bases = new Map(
    files.map((payload, index) => [
      payload,
      { ...payload, base: { path: baseImagePath(dir, `base-${index}.iso`), state: sharedState() } },
    ]),
  );
  return {
    iso: {
      ...iso,
      payloads: new Map([...payloads].map(([place, payload]) => [place, bases.get(payload) ?? payload])),
    },
    remove: () => {
      for (const { base } of bases.values()) removeFile(base.path);
    },
  };
}
