import { isAbsolute, join } from 'node:path';

import { sitePayload } from '../../assets/config/payload.js';
import { manifestText } from '../../config/reading/payload-manifest.js';
import { problem, type Problem } from '../../core/problem.js';
import { failure, success, type Result } from '../../core/result.js';
import { fileSize } from '../../disk/file-size.js';
import { openPayload, type OpenPayload } from '../../disk/payload/open-payload.js';
import { isFleetSite } from '../../disk/site-record/site-record.js';
import { fleetSitePayload } from '../../fleet/build/index.js';
import type { DiskImage } from '../../formats/disk-image.js';
import { payloadOffset, withPayload } from '../../media/payload/appended-payload.js';
import { attachHint, damaged, notOnMedium, payloadTextBehind } from '../../media/payload/payload-file.js';
import { fileSystemFault } from '../../payload/check-payload.js';
import type { IsoSource } from '../../run/media/iso-source.js';
import { look, type RunOptions } from '../../run/run.js';
import type { GlobalOptions, IsoOptions } from '../options.js';
import { sizeText } from '../output/size-text.js';
import { payloadProgress } from '../progress.js';

/** How a payload gets into an ISO. */
export interface PayloadForIso {
  /** The source with the payload behind its image, if there is one. */
  readonly append: (source: IsoSource) => IsoSource;
  /** The payload in words. */
  readonly words?: string;
  /** Reads all of its file system. Problems: payload/damaged. */
  readonly check: () => Promise<Result<void>>;
  readonly close: () => void;
}

const without: PayloadForIso = {
  append: (source) => source,
  check: () => Promise.resolve(success(undefined)),
  close: () => undefined,
};

/** The payload that a site names. */
interface Wanted {
  /** Relative to the working directory. */
  readonly path: string;
  /** Text of its manifest; absent if it cannot be read. */
  readonly text?: string;
}

/** The live ISO, and the image that is written without the payload. */
export interface IsoImages {
  readonly live: DiskImage;
  readonly written: DiskImage;
}

/**
 * Opens the payload of `--payload`, or the one that the site names if it exists, and compares it with that of the site. Problems:
 * payload/other, payload/not-on-medium, payload/large-medium, those of `openPayload`. Problems of the configuration are reported elsewhere.
 */
export async function payloadForIso(
  { live, written }: IsoImages,
  options: GlobalOptions & IsoOptions,
  request: RunOptions,
): Promise<Result<PayloadForIso>> {
  if (options.payload === false) return success(without);
  const site = await wantedPayload(request);
  const wanted = site.ok ? site.value : undefined;
  const own = payloadTextBehind(live);
  const isThere = own !== undefined && own === wanted?.text && options.minimal !== true;
  const mayAppend = options.inPlace !== true && !isThere && wanted && fileSize(wanted.path) !== undefined;
  const path = options.payload ?? (mayAppend ? wanted.path : undefined);
  if (path === undefined)
    return success(without, wanted === undefined || isThere ? [] : [missingPayload(wanted, options)]);
  const opened = openPayload(options.payload === undefined ? 'payload.file' : '--payload', path);
  if (!opened.ok) return opened;
  const { image, close } = opened.value;
  const isDoubled = own !== undefined && options.minimal !== true;
  const fault = site.ok ? mismatchOf(opened.value, wanted, path) : undefined;
  const other = fault ?? (isDoubled ? alreadyAppended(options.iso) : undefined);
  if (other !== undefined) {
    close();
    return failure(other);
  }
  return success(
    appended(opened.value, path, options),
    largeMedium(payloadOffset(written.bytes) + image.bytes),
  );
}

function appended(
  { image, text, manifest: { release, fileSystem }, close }: OpenPayload,
  path: string,
  options: GlobalOptions,
): PayloadForIso {
  return {
    words: `${path}, OpenShift ${release.version}, ${sizeText(image.bytes)}`,
    append: (source) => ({ ...source, image: withPayload(source.image, image), payload: text }),
    check: async () => {
      const progress = payloadProgress(options);
      let done = 0;
      const fault = await fileSystemFault(image, fileSystem, {
        stop: new AbortController().signal,
        onBytes: (bytes) => {
          done += bytes;
          progress.onProgress('verifying the payload', done, fileSystem.bytes);
        },
      });
      progress.done();
      return fault === undefined ? success(undefined) : damaged(path, fault);
    },
    close,
  };
}

/** The payload of a site, or of a site of a fleet. */
export async function wantedPayload(request: RunOptions): Promise<Result<Wanted | undefined>> {
  const { dir } = request;
  if (isFleetSite(dir)) return fleetSitePayload(dir, request);
  const site = await look(request, sitePayload);
  if (!site.ok || site.value === undefined) return site.ok ? success(undefined) : site;
  const { file, manifest } = site.value;
  return success({ path: isAbsolute(file) ? file : join(dir, file), text: manifestText(manifest) });
}

function mismatchOf(
  { text, manifest }: OpenPayload,
  site: Wanted | undefined,
  path: string,
): Problem | undefined {
  if (site === undefined) {
    const hint = `add "payload: {file: ${path}}" to sno-config.yaml, or remove --payload`;
    return problem('payload/other', 'sno-config.yaml names no payload, so the node would not look for one', {
      hint,
    });
  }
  if (site.text === text) return undefined;
  const release = `OpenShift ${manifest.release.version}`;
  if (site.path === path) {
    const hint = 'copy the payload and its manifest (NAME.payload.json) from the same folder';
    return problem('payload/other', `${path} is ${release} with other bytes than its manifest`, { hint });
  }
  const message = `${path} is ${release}, and is not the payload of the site, ${site.path}`;
  const hint = `name ${site.path}, or set payload.file in sno-config.yaml to ${path}`;
  return problem('payload/other', message, { hint });
}

/** A live ISO that already contains a payload. */
export function alreadyAppended(iso: string): Problem {
  const hint = 'use the live ISO as it was downloaded';
  return problem('payload/other', `${iso} already contains a payload`, { hint });
}

/** A network boot has no payload. */
export function notInNetworkBoot(path: string): Problem {
  const message = `the site installs from ${path}, which a network boot does not contain`;
  const hint = `write it to a USB stick or disk of the machine with \`sno-install payload write\`, or keep a partition sno-payload of its disk, and add --no-payload; or boot an ISO`;
  return problem('payload/not-on-medium', message, { hint });
}

function missingPayload({ path }: Wanted, { inPlace }: IsoOptions): Problem {
  return inPlace === true
    ? problem('payload/not-on-medium', `the site installs from ${path}, and --in-place does not append it`, {
        hint: `use --out FILE instead; or ${attachHint}`,
      })
    : notOnMedium(path);
}

/** Limit of FAT32 and of 32-bit sizes in firmware. */
const largeBytes = 4 * 1024 ** 3;

/** A warning for an ISO of this size, if it is large. Problems: payload/large-medium. */
export function largeMedium(bytes: number): readonly Problem[] {
  if (bytes < largeBytes) return [];
  const message = `the ISO has ${(bytes / 1024 ** 3).toFixed(1)} GiB: some BMCs do not attach images above 4 GiB, or copy them into their memory first`;
  const hint = 'try one machine first, or put the payload on a USB stick or a second disk';
  return [problem('payload/large-medium', message, { hint })];
}
