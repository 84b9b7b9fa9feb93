import { isAbsolute, join } from 'node:path';

import { manifestIn } from '../../config/reading/payload.js';
import { manifestSuffix, manifestText } from '../../config/reading/payload-manifest.js';
import type { PayloadManifest } from '../../config/schema/payload-schema.js';
import { fileSize } from '../../disk/file-size.js';
import { scalarText, tracedAt } from '../../formats/yaml/traced.js';
import { count, firstSites } from '../../run/problem-text.js';
import type { JudgedPayload } from '../../serve/media/payload-warnings.js';
import type { LoadedFleet } from '../table/check-fleet.js';
import { filesOf } from '../table/check-site-files.js';
import type { SiteFiles } from '../table/site-files.js';

/** The payload that a site names. */
export interface NamedPayload {
  readonly site: string;
  /** Place of the payload, which need not exist on this machine. */
  readonly path: string;
  /** Exact text of its manifest; absent if it cannot be read, which the checks of the site report. */
  readonly text?: string;
}

/** The payloads of the selected sites that name one. */
export function namedPayloads(dir: string, opened: LoadedFleet): readonly NamedPayload[] {
  return opened.rows.flatMap((row) => namedPayload(dir, row.name, filesOf(opened, row)) ?? []);
}

/** The payload that a site names, if any. */
export function namedPayload(dir: string, name: string, site: SiteFiles): NamedPayload | undefined {
  const [config] = site.documentsOf('sno-config.yaml');
  const file = config && scalarText(tracedAt(config, ['payload', 'file']));
  if (file === undefined) return undefined;
  const manifest = `${file}${manifestSuffix}`;
  const read = site.inputs.read(manifest);
  const parsed = read.kind === 'file' ? manifestIn(read.bytes, manifest) : undefined;
  const place = site.originOf({ file: manifest }).at.file.slice(0, -manifestSuffix.length);
  return {
    site: name,
    path: isAbsolute(file) ? file : join(dir, place),
    ...(parsed?.ok === true && { text: textOf(parsed.value) }),
  };
}

/** Texts of manifests, which sites share: that of a release has a megabyte. */
const knownTexts = new WeakMap<PayloadManifest, string>();

function textOf(manifest: PayloadManifest): string {
  const text = knownTexts.get(manifest) ?? manifestText(manifest);
  knownTexts.set(manifest, text);
  return text;
}

/** The one payload of all sites that name one, if it is on this machine. */
export function sharedPayload(named: readonly NamedPayload[]): string | undefined {
  const [path, ...others] = new Set(named.map((each) => each.path));
  return path !== undefined && others.length === 0 && fileSize(path) !== undefined ? path : undefined;
}

/** Compares the payloads of sites with that of a server, whose manifest has this text. */
export function judgedPayloads(
  { rows }: Pick<LoadedFleet, 'rows'>,
  named: readonly NamedPayload[],
  text: string | undefined,
): readonly JudgedPayload[] {
  const bySite = new Map(named.map((each) => [each.site, each]));
  const kindOf = (site: string): JudgedPayload['kind'] => {
    const own = bySite.get(site);
    if (own === undefined) return text === undefined ? 'none' : 'not-named';
    if (text === undefined) return 'not-served';
    // The checks of the site report a manifest that cannot be read.
    return own.text === undefined || own.text === text ? 'served' : 'other';
  };
  return rows.map(({ name }) => ({ site: name, kind: kindOf(name) }));
}

/** Sites in words. */
export function sitesOf(sites: readonly { readonly site: string }[]): string {
  return `${count(sites.length, 'site')} (${firstSites(sites.map(({ site }) => site))})`;
}
