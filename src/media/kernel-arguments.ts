import { problem } from '../core/problem.js';
import { failure, success, type Result } from '../core/result.js';
import { fieldAt, listAt, textAt } from '../kube/fields.js';
import type { Patch, ByteRange } from '../formats/disk-image.js';
import { isByteCount, readJson } from './embed-area.js';
import { damagedImage, type IsoVolume } from './iso-volume.js';

/** Describes the areas that boot loaders reserve for kernel arguments, in images since 2021. Source: coreos-installer src/live/embed.rs */
const kargsFile = 'COREOS/KARGS.JSO';

/** The longest area that coreos-installer accepts. */
const maxAreaBytes = 2048;

/** The kernel arguments of an image; each boot loader's config has its own copy. */
export interface KernelArguments {
  /** Without padding. */
  readonly text: string;
  /** The arguments of the unmodified image. */
  readonly original?: string;
  readonly areas: readonly ArgumentArea[];
}

interface ArgumentArea extends ByteRange {
  /** The character after the arguments; `pad` fills the rest of the area. */
  readonly end: string;
  readonly pad: string;
}

/** Reads the kernel arguments of an image. Problems: media/no-kernel-arguments, media/damaged. */
export function kernelArgumentsOf(volume: IsoVolume): Result<KernelArguments> {
  const place = volume.find(kargsFile);
  if (place === undefined) {
    const hint = 'use an image from 2021-10 or later';
    const message = 'the image has no space for kernel arguments';
    return failure(problem('media/no-kernel-arguments', message, { hint }));
  }
  const info = readJson(volume, place);
  const areas = areasIn(volume, info);
  if (areas === undefined)
    return damagedImage(`${kargsFile} does not specify the positions of kernel arguments`);
  const texts = areas.map((area) => textIn(volume, area));
  const [text] = texts;
  if (text === undefined || texts.some((each) => each !== text))
    return damagedImage('its boot loaders have different kernel arguments');
  const original = textAt(info, ['default'])?.trim();
  return success({ text, areas, ...(original !== undefined && { original }) });
}

function areasIn(volume: IsoVolume, info: unknown): readonly ArgumentArea[] | undefined {
  const size = fieldAt(info, ['size']);
  const given = listAt(info, ['files']);
  if (!isByteCount(size) || size === 0 || size > maxAreaBytes || given.length === 0) return undefined;
  const areas = given.flatMap((each) => areaIn(volume, each, size));
  return areas.length === given.length ? areas : undefined;
}

function areaIn(volume: IsoVolume, given: unknown, length: number): readonly ArgumentArea[] {
  const file = volume.find(textAt(given, ['path']) ?? '');
  const offset = fieldAt(given, ['offset']);
  const [end, pad] = [fieldAt(given, ['end']) ?? '\n', fieldAt(given, ['pad']) ?? '#'];
  if (file === undefined || !isByteCount(offset) || offset + length > file.length) return [];
  if (typeof end !== 'string' || typeof pad !== 'string' || end.length !== 1 || pad.length !== 1) return [];
  return [{ offset: file.offset + offset, length, end, pad }];
}

function textIn({ image }: IsoVolume, { offset, length, end, pad }: ArgumentArea): string | undefined {
  let text = image.read(offset, length)?.toString('utf8');
  while (text?.endsWith(pad) === true) text = text.slice(0, -1);
  return (text?.endsWith(end) === true ? text.slice(0, -1) : text)?.trim();
}

/** Patches that append kernel arguments. Problems: media/kernel-arguments for an invalid argument, or if they do not fit. */
export function appendedArguments(
  { text, areas }: KernelArguments,
  added: readonly string[],
): Result<readonly Patch[]> {
  const wrong = added.find((each) => !/^[\u0021-\u007e]+$/.test(each));
  if (wrong !== undefined) {
    const message = 'a kernel argument must be one ASCII word without spaces';
    return failure(
      problem('media/kernel-arguments', message, { hint: 'repeat --live-karg for each argument' }),
    );
  }
  const wanted = [text, ...added].join(' ').trim();
  const room = Math.min(...areas.map(({ length }) => length)) - 1;
  if (wanted.length > room) {
    const message = `the kernel arguments have ${wanted.length} bytes, but the image has space for ${room}`;
    return failure(problem('media/kernel-arguments', message, { hint: 'remove some of them' }));
  }
  return success(argumentPatches(areas, wanted));
}

/** Patches that replace the kernel arguments. The text must fit into the areas. */
export function argumentPatches(areas: KernelArguments['areas'], text: string): readonly Patch[] {
  return areas.map(({ offset, length, end, pad }) => ({
    offset,
    bytes: Buffer.from(`${text}${end}`.padEnd(length, pad), 'latin1'),
  }));
}

/**
 * Patch that records `original` as the default arguments of an image, byte for byte as coreos-installer writes it: padded with spaces
 * to the old length, and without indentation if it does not fit otherwise. Problems: media/damaged.
 */
export function defaultArgumentsPatch(volume: IsoVolume, original: string): Result<Patch> {
  const place = volume.find(kargsFile);
  const info = place && readJson(volume, place);
  const fields = (each: unknown, names: readonly string[]): object =>
    Object.fromEntries(names.map((name) => [name, fieldAt(each, [name])]));
  const files = listAt(info, ['files']).map((each) => fields(each, ['path', 'offset', 'pad', 'end']));
  const changed = { default: original, files, ...fields(info, ['size']) };
  const fitting = [2, 0]
    .map((indent) => Buffer.from(JSON.stringify(changed, null, indent)))
    .find((bytes) => place !== undefined && bytes.length <= place.length);
  if (place === undefined || fitting === undefined)
    return damagedImage(`${kargsFile} has no space for its default arguments`);
  const blanks = Buffer.alloc(place.length - fitting.length, ' ');
  return success({ offset: place.offset, bytes: Buffer.concat([fitting, blanks]) });
}
