import { sitePayload } from '../../assets/config/payload.js';
import type { SitePayload } from '../../config/reading/payload.js';
import { manifestText } from '../../config/reading/payload-manifest.js';
import { problem, type Problem } from '../../core/problem.js';
import { failure, success, type Result } from '../../core/result.js';
import { openPayload, type OpenPayload } from '../../disk/payload/open-payload.js';
import type { DiskImage } from '../../formats/disk-image.js';
import { findPayload, payloadOffset, withPayload } from '../../media/payload/appended-payload.js';
import type { IsoSource } from '../../run/media/iso-source.js';
import { look, type RunOptions } from '../../run/run.js';
import type { IsoOptions } from '../options.js';

/** How a payload gets into an ISO. */
export interface PayloadForIso {
  /** The source with the payload behind its image, if there is one. */
  readonly append: (source: IsoSource) => IsoSource;
  readonly close: () => void;
}

const without: PayloadForIso = { append: (source) => source, close: () => undefined };

/**
 * Opens the payload of `--payload` and compares it with that of the site. Problems: payload/other, payload/not-on-medium,
 * payload/large-medium, those of `openPayload`. Problems of the configuration are reported elsewhere.
 */
export async function payloadForIso(
  live: DiskImage,
  options: IsoOptions,
  request: RunOptions,
): Promise<Result<PayloadForIso>> {
  const site = await look(request, sitePayload);
  const ofSite = site.ok ? site.value : undefined;
  if (options.payload === undefined)
    return success(without, ofSite === undefined ? [] : [notOnMedium(ofSite)]);
  const opened = openPayload('--payload', options.payload);
  if (!opened.ok) return opened;
  const fault = site.ok ? mismatchOf(opened.value, ofSite, options.payload) : undefined;
  const other = fault ?? (findPayload(live) === undefined ? undefined : doubled(options.iso));
  if (other !== undefined) {
    opened.value.close();
    return failure(other);
  }
  const { image, close } = opened.value;
  return success(
    {
      append: (source) => ({ ...source, image: withPayload(source.image, image), hasPayload: true }),
      close,
    },
    largeMedium(payloadOffset(live.bytes) + image.bytes),
  );
}

function mismatchOf(
  { text, manifest }: OpenPayload,
  site: SitePayload | undefined,
  path: string,
): Problem | undefined {
  if (site === undefined) {
    const hint = `add "payload: {file: ${path}}" to sno-config.yaml, or remove --payload`;
    return problem('payload/other', 'sno-config.yaml names no payload, so the node would not look for one', {
      hint,
    });
  }
  if (manifestText(site.manifest) === text) return undefined;
  const same = manifest.release.version === site.manifest.release.version ? ' with other bytes' : '';
  const message = `${path} is OpenShift ${manifest.release.version}${same}, and the site installs from ${site.file}`;
  const hint = `name ${site.file}, or set payload.file in sno-config.yaml to ${path}`;
  return problem('payload/other', message, { hint });
}

function doubled(iso: string): Problem {
  const hint = 'use the live ISO as it was downloaded';
  return problem('payload/other', `${iso} already contains a payload`, { hint });
}

function notOnMedium({ file }: SitePayload): Problem {
  const message = `the site installs from ${file}, and the ISO does not contain it`;
  const hint = 'add --payload FILE, or attach a disk with a partition named sno-payload that contains it';
  return problem('payload/not-on-medium', message, { hint });
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
