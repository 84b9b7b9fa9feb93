import { join } from 'node:path';

import { openImage } from '../../disk/image/image-file.js';
import { payloadFacts, payloadTextBehind, type PayloadFacts } from '../../media/payload/payload-file.js';
import type { SiteFiles } from '../table/site-files.js';
import { siteIsoName } from './site-iso.js';
import type { SiteOptions } from './site-options.js';
import { namedPayload } from './site-payloads.js';

/** The ISO in the folder of a site. */
export interface IsoStatus {
  /** The payload behind the live ISO. */
  readonly payload?: PayloadFacts;
  /** The payload that the site names, if the ISO has another one or none. */
  readonly expected?: PayloadFacts;
}

/**
 * Returns a function that compares the ISO of a site with the payload that the site names. Undefined without an ISO, and for an ISO that
 * rightly has no payload.
 */
export function isoStatusReader({
  dir,
  outputs,
}: Pick<SiteOptions, 'dir' | 'outputs'>): (name: string, site: SiteFiles) => IsoStatus | undefined {
  const known = new Map<string, PayloadFacts | undefined>();
  /** Sites share the manifest, which has a megabyte. */
  const factsOf = (text: string | undefined): PayloadFacts | undefined => {
    if (text === undefined) return undefined;
    if (!known.has(text)) known.set(text, payloadFacts(text));
    return known.get(text);
  };
  return (name, site) => {
    const opened = openImage('the ISO', join(dir, outputs, name, siteIsoName));
    if (!opened.ok) return undefined;
    const text = payloadTextBehind(opened.value.image);
    opened.value.close();
    const wanted = namedPayload(dir, name, site)?.text;
    const [payload, expected] = [factsOf(text), text === wanted ? undefined : factsOf(wanted)];
    if (payload === undefined && expected === undefined) return undefined;
    return { ...(payload && { payload }), ...(expected && { expected }) };
  };
}

/** The payload of an ISO in words. */
export function isoWords({ payload, expected }: IsoStatus): string {
  const has = payload === undefined ? 'without a payload' : `payload ${payloadWords(payload)}`;
  return expected === undefined ? has : `${has}, but the site installs from ${payloadWords(expected)}`;
}

function payloadWords({ release, sha256 }: PayloadFacts): string {
  return `${release} (${sha256.slice(0, 12)})`;
}
