import { join, posix } from 'node:path';

import { problem, type Problem } from '../../core/problem.js';
import { failure, problemsOf, success, type Result } from '../../core/result.js';
import { openDirectory } from '../../disk/directory.js';
import { openImage } from '../../disk/image/image-file.js';
import { templatesFrom } from '../../disk/program-files/templates.js';
import { mediaReceiptPath, removeMediaReceipt } from '../../disk/receipt/media-receipt.js';
import { readReceipt } from '../../disk/receipt/read-receipt.js';
import { isSealedName } from '../../disk/state/sealed-outputs.js';
import { sha256 } from '../../formats/sha256.js';
import { expectedImage, imageMismatches } from '../../media/image-mismatches.js';
import { payloadTextBehind } from '../../media/payload/payload-file.js';
import { embedConfig, readIsoConfig } from '../../media/single-node-iso.js';
import { envFilePath } from '../../node/live/live-env-file.js';
import { neededLiveImage } from '../../run/dry-run-outputs.js';
import { writeIsoWithReceipt } from '../../run/media/iso-receipt.js';
import { prepareIso } from '../../run/media/prepare-iso.js';
import { writeIso } from '../../run/media/write-iso.js';
import { count } from '../../run/problem-text.js';
import { existingOutput } from '../../run/sources/existing-output.js';
import { findConfig, liveConfigName } from '../../serve/site-folders.js';
import { siteFiles } from '../table/site-files.js';
import type { SiteRow } from '../table/site-table.js';
import { stateAccessWithKeys } from './access-with-keys.js';
import { inOutputFolder, siteRunner, type SiteIso, type SiteResult } from './build-site.js';
import { previousSites } from './previous-sites.js';
import { filesOf } from './site-file-options.js';
import { payloadSources, type IsoThere, type OpenLiveIso, type PayloadSource } from './payload-sources.js';
import type { LiveIsoOptions, SiteOptions } from './site-options.js';
import { namedPayload } from './site-payloads.js';

/** File name of the ISO in the folder of its site. */
export const siteIsoName = 'single-node.iso';

/** Opens and checks a live ISO, except its architecture and release, which depend on the site. Problems: those of `prepareIso`. */
export async function openLiveIso({
  path,
  force,
}: Pick<LiveIsoOptions, 'path' | 'force'>): Promise<Result<OpenLiveIso>> {
  const opened = openImage('--iso', path);
  if (!opened.ok) return opened;
  const { image, close } = opened.value;
  const prepared = await prepareIso(image, { force, overwrite: true, kernelArguments: [], out: '' }, {});
  if (prepared.ok)
    return success({ prepared: prepared.value, live: { image, path }, close }, prepared.warnings);
  close();
  return prepared;
}

/** Names of sites with a folder below `dir`. */
interface SitesBelow {
  readonly dir: string;
  readonly names: readonly string[];
}

/**
 * Checks that the keys open the encrypted configs of existing sites, by the first of them. Problems: state/no-identity,
 * state/wrong-identity, dir/state-unreadable.
 */
export async function encryptedConfigFaults(
  { dir, names }: SitesBelow,
  keys: SiteOptions['keys'],
): Promise<readonly Problem[]> {
  const folders = names.map((name) => join(dir, name));
  const sealed = folders.filter((folder) => isSealedName(findConfig(folder)?.path ?? ''));
  const [first] = sealed;
  if (first === undefined) return [];
  const read = await existingOutput(first, liveConfigName, stateAccessWithKeys(keys));
  return problemsOf(read ?? success(undefined)).map((each) =>
    each.code === 'state/no-identity'
      ? {
          ...each,
          message: `--iso reads the Ignition configs of existing sites, and those of ${count(sealed.length, 'site')} are encrypted`,
        }
      : each,
  );
}

/**
 * Like `siteBuilder`, for sites that are up to date too: also writes the ISO of the site if it is missing or outdated. A site that needs
 * another live ISO is not created. Problems: those of `siteBuilder`, media/architecture, media/release, media/too-large, media/output.
 */
export function siteIsoBuilder(
  order: SiteOptions,
  iso: LiveIsoOptions,
): (row: SiteRow) => Promise<SiteResult> {
  const files = filesOf(order);
  const build = siteRunner(order);
  const templates = templatesFrom(order.templatesFolder);
  const { target, present: now, variables, offlineFiles } = order;
  const request = { target, templates, ...(offlineFiles !== undefined && { offlineFiles }) };
  const opening = openLiveIso(iso);
  let sourceFor: ReturnType<typeof payloadSources> | undefined;
  return async (row) => {
    const failed = { name: row.name, isMade: false, facts: {} };
    const opened = await opening;
    if (!opened.ok) return { ...failed, problems: opened.problems };
    const site = siteFiles(files, row);
    const needed = await neededLiveImage({ ...request, inputs: site.inputs }, { now, variables });
    // Problems of the inputs are reported by the run.
    const expected = needed.ok ? expectedImage(needed.value, iso.force) : {};
    const mismatches = imageMismatches(opened.value.prepared.iso.facts, expected);
    if (mismatches.length > 0) return { ...failed, problems: mismatches };

    const before = await previousSites(order, row, site);
    if (before?.outcome === 'failed') return { ...failed, problems: before.problems };
    const { result, plain } =
      before === undefined
        ? await build(row)
        : { result: unchanged(row, before), plain: new Map<string, never>() };
    if (!result.isMade) return result;
    sourceFor ??= payloadSources(opened.value, iso.payloads);
    const written = await writeSiteIso(order, opened.value, {
      name: row.name,
      liveSha256: iso.sha256,
      plain: plain.get(liveConfigName),
      payload: sourceFor(namedPayload(order.dir, row.name, site)),
    });
    const problems = [...result.problems, ...problemsOf(written)];
    return written.ok ? { ...result, iso: written.value, problems } : { ...result, isMade: false, problems };
  };
}

function unchanged(
  { name }: SiteRow,
  { problems, facts = {} }: Pick<SiteResult, 'problems'> & Partial<Pick<SiteResult, 'facts'>>,
): SiteResult {
  return { name, isMade: true, isUnchanged: true, problems, facts };
}

interface SiteToWrite {
  readonly name: string;
  readonly liveSha256: string;
  /** The config, if it was encrypted in this run. */
  readonly plain: Uint8Array | string | undefined;
  readonly payload: PayloadSource;
}

/** Holds the lock of the site's folder. */
async function writeSiteIso(
  order: SiteOptions,
  live: OpenLiveIso,
  { name, liveSha256, plain, payload }: SiteToWrite,
): Promise<Result<SiteIso>> {
  const dir = join(order.dir, order.outputs, name);
  const config =
    plain === undefined
      ? await existingOutput(dir, liveConfigName, stateAccessWithKeys(order.keys))
      : success(Buffer.from(plain));
  if (config === undefined) throw new Error(`internal error: ${name} has no ${liveConfigName}`);
  if (!config.ok) return config;
  const wanted = { config: Buffer.from(config.value), liveSha256, payload };
  const shown = (found: Result<SiteIso>): Result<SiteIso> =>
    found.ok ? found : failure(...found.problems.map((each) => withoutFolder(each, dir)));
  const known = await currentIso(dir, live, wanted);
  if (known !== undefined) return shown(known);
  // Other threads wait here, so it happens before the folder is locked.
  const source = await payload.open(join(dir, siteIsoName));
  if (!source.ok) return shown(source);
  const lock = await openDirectory(dir, order.command, order.dir);
  if (!lock.ok)
    return failure(...lock.problems.map((each) => inOutputFolder(each, posix.join(order.outputs, name))));
  try {
    const written = await writeOutdated(dir, { ...live, prepared: source.value.prepared }, wanted);
    return shown(written.ok ? success(written.value, source.warnings) : written);
  } finally {
    lock.value.release();
    source.value.close();
  }
}

interface WantedIso {
  readonly config: Buffer;
  readonly liveSha256: string;
  readonly payload: PayloadSource;
}

/** The ISO of a site if it is up to date; undefined if it must be written. Problems: those of `mediaReceiptPath`. */
async function currentIso(
  dir: string,
  { live }: OpenLiveIso,
  { config, liveSha256, payload }: WantedIso,
): Promise<Result<SiteIso> | undefined> {
  const to = join(dir, siteIsoName);
  const receipt = mediaReceiptPath(to);
  if (!receipt.ok) return receipt;
  const there = await isoAt(to);
  const isWhole = there?.config.equals(config) === true && payload.isIn(there, live.image.bytes);
  return isWhole && isReceiptOf(receipt.value, { config, liveSha256 })
    ? success({ path: to, writtenBytes: 0 }, payload.warnings(there))
    : undefined;
}

async function writeOutdated(
  dir: string,
  { prepared, live }: OpenLiveIso,
  { config, liveSha256 }: WantedIso,
): Promise<Result<SiteIso>> {
  const to = join(dir, siteIsoName);
  const receipt = mediaReceiptPath(to);
  if (!receipt.ok) return receipt;
  const embedded = await embedConfig(prepared.iso, config);
  if (!embedded.ok) return embedded;
  const { patches } = embedded.value;
  // A user's file at this path has no config of ours and is not replaced.
  const overwrite = (await isoAt(to))?.config.includes(envFilePath) === true;
  const forgotten = removeMediaReceipt(to, receipt.value, { overwrite });
  if (!forgotten.ok) return forgotten;
  const written = await writeIso({ prepared, patches, config, live: live.path, to, overwrite });
  if (!written.ok) return written;
  const receipted = writeIsoWithReceipt(receipt.value, {
    ...{ prepared, dir, to, digests: written.value, others: [] },
    live: { ...live, sha256: liveSha256 },
    config: { path: liveConfigName, bytes: config },
  });
  if (!receipted.ok) return receipted;
  const patchBytes = patches.reduce((sum, { bytes }) => sum + bytes.length, 0);
  const writtenBytes = written.value.sharesBlocks === true ? patchBytes : prepared.source.image.bytes;
  return success({ path: to, writtenBytes });
}

/** Size, Ignition config and payload of an ISO; undefined if the file is missing or has no config. */
async function isoAt(path: string): Promise<(IsoThere & { readonly config: Buffer }) | undefined> {
  const opened = openImage('the ISO', path);
  if (!opened.ok) return undefined;
  try {
    const { image } = opened.value;
    const found = await readIsoConfig(image);
    if (!found.ok || found.value === undefined) return undefined;
    const payload = payloadTextBehind(image);
    return { bytes: image.bytes, config: found.value, ...(payload !== undefined && { payload }) };
  } finally {
    opened.value.close();
  }
}

/** Whether a receipt describes an ISO with this config, made from this live ISO. */
function isReceiptOf(
  place: string,
  { config, liveSha256 }: { readonly config: Buffer; readonly liveSha256: string },
): boolean {
  const read = readReceipt(place);
  const medium = read.ok ? read.value.receipt.medium : undefined;
  return medium?.liveIso?.sha256 === liveSha256 && medium.config.sha256 === sha256(config);
}

/** Shortens paths to the file name, so that equal problems of several sites are grouped. */
function withoutFolder(found: Problem, dir: string): Problem {
  const message = found.message.replaceAll(join(dir, '/'), '');
  return found.code === 'media/output'
    ? problem(found.code, message, { hint: 'move it away: it is not an ISO that sno-install created' })
    : { ...found, message };
}
