import { isAbsolute, join } from 'node:path';

import { manifestIn } from '../../config/reading/payload.js';
import { manifestSuffix, manifestText } from '../../config/reading/payload-manifest.js';
import type { PayloadManifest } from '../../config/schema/payload-schema.js';
import { problem, type Problem } from '../../core/problem.js';
import { fileSize } from '../../disk/file-size.js';
import { openPayload } from '../../disk/payload/open-payload.js';
import { scalarText, tracedAt } from '../../formats/yaml/traced.js';
import { count } from '../../run/problem-text.js';
import { firstSites } from '../problems/named-sites.js';
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

/** Names the sites that do not install from the payload of a server. Warnings: payload/other, payload/not-on-medium. */
export function servedPayloadWarnings(
  { rows }: Pick<LoadedFleet, 'rows'>,
  named: readonly NamedPayload[],
  payload: string | undefined,
): readonly Problem[] {
  if (payload === undefined) return missingPayloadWarnings(named, 'add --payload FILE');
  const opened = openPayload('--payload', payload);
  // The server reports its faults.
  if (!opened.ok) return [];
  const { text, close } = opened.value;
  close();
  const others = named.filter((each) => each.text !== undefined && each.text !== text);
  const names = new Set(named.map(({ site }) => site));
  const without = rows.filter(({ name }) => !names.has(name)).map(({ name }) => ({ site: name }));
  return [
    ...(others.length === 0
      ? []
      : [
          {
            ...problem('payload/other', `${payload} is not the payload of ${sitesOf(others)}`, {
              hint: 'their media are refused; set payload.file of these sites, or serve them from another server',
            }),
            severity: 'warning' as const,
          },
        ]),
    ...(without.length === 0
      ? []
      : [
          problem(
            'payload/not-on-medium',
            `the ISOs are served without ${payload} to ${sitesOf(without)}, whose configuration names no payload`,
            { hint: 'if they install from a payload, set payload.file in sno-config.yaml' },
          ),
        ]),
  ];
}

/** Names the sites whose ISOs do not contain their payload. Warnings: payload/not-on-medium. */
function missingPayloadWarnings(named: readonly NamedPayload[], otherWay: string): readonly Problem[] {
  if (named.length === 0) return [];
  const hint = `${otherWay}, or attach disks with a partition named sno-payload`;
  const message = `the ISOs do not contain the payload of ${sitesOf(named)}`;
  return [problem('payload/not-on-medium', message, { hint })];
}

/** Sites in words. */
export function sitesOf(sites: readonly { readonly site: string }[]): string {
  return `${count(sites.length, 'site')} (${firstSites(sites.map(({ site }) => site))})`;
}
