import { decodeDataUrl } from '../../../../src/formats/data-url.js';
import type { IgnitionConfig } from '../../../../src/ignition/types.js';

/** What an Ignition config lays. */
export interface IgnitionContents {
  /** Texts by path; of a file that is fetched, the empty text. In the order of their paths. */
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
