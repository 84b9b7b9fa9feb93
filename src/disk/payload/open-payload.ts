import { success, type Result } from '../../core/result.js';
import { readPayloadFile, type PayloadFile } from '../../media/payload/payload-file.js';
import type { DiskImage } from '../../formats/disk-image.js';
import { openImage } from '../image/image-file.js';

/** A payload opened for reading; the caller closes it. */
export interface OpenPayload extends PayloadFile {
  readonly image: DiskImage;
  readonly close: () => void;
}

/** Opens a payload. Problems: usage/unreadable-file, payload/not-a-payload, payload/damaged, payload/manifest. */
export function openPayload(option: string, path: string): Result<OpenPayload> {
  const opened = openImage(option, path);
  if (!opened.ok) return opened;
  const { image, close } = opened.value;
  const read = readPayloadFile(image, path);
  if (!read.ok) {
    close();
    return read;
  }
  return success({ ...read.value, image, close });
}
