import { problem } from '../core/problem.js';
import { failure, success, type Result } from '../core/result.js';
import { parseJson } from '../formats/json.js';
import { fieldAt, textAt } from '../kube/fields.js';
import type { ByteRange } from '../formats/disk-image.js';
import { damagedImage, type IsoVolume } from './iso-volume.js';

/** Describes the embed area in images since 2023. Source: coreos-installer src/live/embed.rs */
const infoFile = 'coreos/igninfo.json';
/** The same name as shortened by ISO 9660. */
const shortInfoFile = 'COREOS/IGNINFO.JSO';
const usualFile = 'images/ignition.img';

/** Far larger than any real description. */
const maxInfoBytes = 64 * 1024;

/** The area of a live image that is reserved for an Ignition config. Problems: media/no-embed-area, media/damaged. */
export function embedAreaOf(volume: IsoVolume): Result<ByteRange> {
  const info = readInfo(volume);
  if (!info.ok) return info;
  const { file, offset, length } = info.value;
  const found = volume.find(file);
  if (found === undefined) {
    const message = `the image has no ${file}, so it has no space for an Ignition config`;
    const hint = 'use a CoreOS live ISO; ISOs that install packages do not support this';
    return failure(problem('media/no-embed-area', message, { hint }));
  }
  const area = { offset: found.offset + offset, length: length ?? found.length - offset };
  const isInside = offset <= found.length && offset + area.length <= found.length && area.length > 0;
  return isInside ? success(area) : damagedImage('the space for the Ignition config exceeds its file');
}

interface AreaInfo {
  readonly file: string;
  readonly offset: number;
  readonly length?: number;
}

function readInfo(volume: IsoVolume): Result<AreaInfo> {
  const place = volume.find(shortInfoFile) ?? volume.find(infoFile);
  if (place === undefined) return success({ file: usualFile, offset: 0 });
  const value = readJson(volume, place);
  const file = textAt(value, ['file']);
  const [offset = 0, length] = ['offset', 'length'].map((name) => fieldAt(value, [name]));
  if (file === undefined || !isByteCount(offset) || !(length === undefined || isByteCount(length)))
    return damagedImage(`${infoFile} does not specify the position of the Ignition config`);
  return success({ file, offset, ...(length !== undefined && { length }) });
}

/** Parses a small JSON file of an image; undefined if it is not valid JSON. */
export function readJson(volume: IsoVolume, { offset, length }: ByteRange): unknown {
  const bytes = length > maxInfoBytes ? undefined : volume.image.read(offset, length);
  return bytes === undefined ? undefined : parseJson(bytes.toString('utf8'));
}

/** Whether a value is a valid number of bytes. */
export function isByteCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}
