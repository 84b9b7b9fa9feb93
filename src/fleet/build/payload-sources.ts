import type { Problem } from '../../core/problem.js';
import { success, type Result } from '../../core/result.js';
import { writeBaseImage, writeSharedBase } from '../../disk/image/base-image.js';
import { removeFile } from '../../disk/file-systems/rename-over.js';
import { openImage } from '../../disk/image/image-file.js';
import { openPayload } from '../../disk/payload/open-payload.js';
import type { DiskImage } from '../../formats/disk-image.js';
import { findPayload, payloadOffset, withPayload } from '../../media/payload/appended-payload.js';
import {
  damaged,
  notOnMedium,
  readPayloadFile,
  payloadTextBehind,
} from '../../media/payload/payload-file.js';
import { fileSystemFault } from '../../payload/check-payload.js';
import type { PreparedIso } from '../../run/media/prepare-iso.js';
import { onceInThreads } from '../threads/once-in-threads.js';
import type { IsoPayload, IsoPayloads } from './iso-payloads.js';
import type { NamedPayload } from './site-payloads.js';

/** A live ISO that is ready for the configs of sites. */
export interface OpenLiveIso {
  readonly prepared: PreparedIso;
  readonly live: { readonly image: DiskImage; readonly path: string };
  readonly close: () => void;
}

/** An existing ISO. */
export interface IsoThere {
  readonly bytes: number;
  /** Text of the manifest of its payload. */
  readonly payload?: string;
}

/** The payload of a site's ISO. */
export interface PayloadSource {
  /** Whether an ISO contains it, or rightly none. */
  readonly isIn: (there: IsoThere, liveBytes: number) => boolean;
  /** An ISO without the payload that the site names. Warnings: payload/not-on-medium. */
  readonly warnings: (there: IsoThere) => readonly Problem[];
  /**
   * The live ISO with the payload, ready for a config; the caller closes it. A payload that is not on this machine is copied from the
   * existing ISO. Problems: payload/damaged, those of `openPayload`. Warnings: payload/not-on-medium.
   */
  readonly open: (existing: string) => Promise<Result<OpenSource>>;
}

interface OpenSource {
  readonly prepared: PreparedIso;
  readonly close: () => void;
}

/** Returns the payload of each site. Payloads are opened once, and checked when they are first written. */
export function payloadSources(
  live: OpenLiveIso,
  payloads: IsoPayloads | false,
): (named: NamedPayload | undefined) => PayloadSource {
  const opened = new Map<IsoPayload, Promise<Result<PreparedIso>>>();
  const whole = (payload: IsoPayload, existing: string): Promise<Result<PreparedIso>> => {
    const known = opened.get(payload) ?? withOwnPayload(live, payload, existing);
    opened.set(payload, known);
    return known;
  };
  return (named) => {
    if (payloads === false || named === undefined) return plainSource(live);
    const payload = payloads.get(named.path);
    if (payload === undefined) return missingSource(live, named);
    return {
      isIn: ({ bytes, payload: text }, liveBytes) =>
        bytes === payloadOffset(liveBytes) + payload.bytes && text === payload.text,
      warnings: () => [],
      open: async (existing) => {
        const prepared = await whole(payload, existing);
        return prepared.ok ? success({ prepared: prepared.value, close: () => undefined }) : prepared;
      },
    };
  };
}

function plainSource({ prepared }: OpenLiveIso): PayloadSource {
  return {
    isIn: ({ bytes, payload }, liveBytes) => bytes === liveBytes && payload === undefined,
    warnings: () => [],
    open: () => Promise.resolve(success({ prepared, close: () => undefined })),
  };
}

/** A payload that is not on this machine: an existing ISO may contain it. */
function missingSource(live: OpenLiveIso, { path, text }: NamedPayload): PayloadSource {
  const plain = plainSource(live);
  const isThere = (payload: string | undefined): boolean => payload !== undefined && payload === text;
  return {
    isIn: (there, liveBytes) => isThere(there.payload) || plain.isIn(there, liveBytes),
    warnings: ({ payload }) => (isThere(payload) ? [] : [notOnMedium(path)]),
    open: async (existing) => {
      const opened = openImage('the ISO', existing);
      if (opened.ok) {
        const { image, close } = opened.value;
        const payload = isThere(payloadTextBehind(image)) ? findPayload(image) : undefined;
        const fault = payload && (await faultOf(payload, existing));
        if (payload !== undefined && fault === undefined)
          return success({ prepared: preparedWith(live, payload, text ?? ''), close });
        close();
        if (fault !== undefined) return fault;
      }
      return success({ prepared: live.prepared, close: () => undefined }, [notOnMedium(path)]);
    },
  };
}

/** The live ISO with a payload of this machine. Problems: payload/damaged, those of `openPayload`. */
async function withOwnPayload(
  live: OpenLiveIso,
  payload: IsoPayload,
  existing: string,
): Promise<Result<PreparedIso>> {
  const { base, file, text } = payload;
  let read: Result<PreparedIso> | undefined;
  const checked = async (): Promise<Result<PreparedIso>> => {
    const opened = openPayload('payload.file', file);
    if (!opened.ok) return opened;
    const fault = opened.value.text === text ? await faultOf(opened.value.image, file) : changed(file);
    return fault ?? success(preparedWith(live, opened.value.image, text));
  };
  const isWritten =
    base !== undefined &&
    (await onceInThreads(base.state, async () => {
      if (await isSharedBase(live, { path: base.path, text, existing })) return true;
      read = await checked();
      return read.ok && writeBaseImage(base.path, read.value.source.image);
    }));
  if (!isWritten) return read ?? (await checked());
  const opened = openImage('the ISO', base.path);
  if (!opened.ok) return opened;
  const { prepared } = live;
  const source = { ...prepared.source, image: opened.value.image, payload: text, file: base.path };
  return success({ ...prepared, source });
}

interface SharedBase {
  readonly path: string;
  readonly text: string;
  /** Path of the existing ISO of a site. */
  readonly existing: string;
}

/** Makes the base of an ISO that has the same payload, whose blocks it then shares, and returns whether that was possible. */
async function isSharedBase(
  { prepared }: OpenLiveIso,
  { path, text, existing }: SharedBase,
): Promise<boolean> {
  const there = openImage('the ISO', existing);
  if (!there.ok) return false;
  const live = prepared.source.image;
  const payload = findPayload(there.value.image);
  const isSame =
    payload !== undefined &&
    payloadTextBehind(there.value.image) === text &&
    there.value.image.bytes - payload.bytes === payloadOffset(live.bytes);
  there.value.close();
  if (!isSame) return false;
  const base = writeSharedBase(path, existing, live) ? openImage('the ISO', path) : undefined;
  if (base?.ok === true) {
    const copied = findPayload(base.value.image);
    const fault = copied === undefined ? damaged(path, 'it ends early') : await faultOf(copied, path);
    base.value.close();
    if (fault === undefined) return true;
  }
  removeFile(path);
  return false;
}

function changed(file: string): Result<never> {
  return damaged(file, 'it was replaced while it was read');
}

function preparedWith({ prepared }: OpenLiveIso, payload: DiskImage, text: string): PreparedIso {
  const { source } = prepared;
  return { ...prepared, source: { ...source, image: withPayload(source.image, payload), payload: text } };
}

/** Reads all of the file system. Problems: payload/damaged. */
async function faultOf(payload: DiskImage, path: string): Promise<Result<never> | undefined> {
  const read = readPayloadFile(payload, path);
  if (!read.ok) return read;
  const checking = { stop: new AbortController().signal, onBytes: () => undefined };
  const fault = await fileSystemFault(payload, read.value.manifest.fileSystem, checking);
  return fault === undefined ? undefined : damaged(path, fault);
}
