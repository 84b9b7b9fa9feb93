import { openImage } from '../../disk/image/image-file.js';
import { lacksMediaReceipt } from '../../disk/receipt/media-receipt-place.js';
import { configIn } from '../../media/single-node-iso.js';

/** Whether a file is an image with this config that has no receipt, as a run leaves it that was killed between the two. */
export async function isUnreceipted(path: string, config: Buffer): Promise<boolean> {
  if (!lacksMediaReceipt(path)) return false;
  const opened = openImage('the image', path);
  if (!opened.ok) return false;
  try {
    const found = await configIn(opened.value.image);
    return found.ok && found.value?.equals(config) === true;
  } finally {
    opened.value.close();
  }
}
