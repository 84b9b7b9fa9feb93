import { decodeDataUrl } from '../../../../src/formats/data-url.js';
import type { IgnitionConfig } from '../../../../src/ignition/types.js';

/** The files that an Ignition config writes. */
export interface IgnitionContents {
  /** Texts by path, sorted by path. Empty for downloaded files. */
  readonly files: ReadonlyMap<string, string>;
  readonly unit: (name: string) => string;
}

export function contentsOf(ignition: string): IgnitionContents {
  const { storage, systemd } = JSON.parse(ignition) as IgnitionConfig;
  const texts = (storage?.files ?? []).map(({ path, contents, append }) => {
    const resources = contents ? [contents] : (append ?? []);
    const parts = resources.map(({ source }) => Buffer.from(decodeDataUrl(source) ?? '').toString());
    return [path, parts.join('')] as const;
  });
  return {
    files: new Map(texts),
    unit: (name) => systemd?.units?.find((each) => each.name === name)?.contents ?? '',
  };
}
